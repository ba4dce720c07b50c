// real_files: the example matrices, and those beside the project, have the sizes that are written
// of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/matrices/text/matrix_market.h"
#include "tests/support/real_matrices.h"

namespace alphasparse {
namespace {

TEST(MatrixMarket, ExamplesHaveTheSizesOfTheirReadme) {
  struct Example {
    const char* name;
    std::int32_t rows, cols;
    std::int64_t nnz;
  };
  for (const Example& example : {Example{"rajat19", 1157, 1157, 5399},
                                 {"1138_bus", 1138, 1138, 4054},
                                 {"jagmesh7", 1138, 1138, 7450},
                                 {"plskz362", 362, 362, 1760},
                                 {"lp_afiro", 27, 51, 102},
                                 {"karate", 34, 34, 156}}) {
    SCOPED_TRACE(example.name);
    const Matrix matrix = read_matrix_market(ALPHASPARSE_SOURCE_DIR "/examples/" +
                                             std::string(example.name) + ".mtx.gz");
    EXPECT_EQ(matrix.rows, example.rows);
    EXPECT_EQ(matrix.cols, example.cols);
    EXPECT_EQ(matrix.nnz(), example.nnz);
    EXPECT_EQ(check_canonical(matrix), "");
  }
}

TEST(MatrixMarket, RealMatricesHaveTheSizesOfTheirIndex) {
  const std::vector<RealMatrix> matrices = real_matrices();
  if (matrices.empty()) GTEST_SKIP() << "no folder of real matrices";
  for (const RealMatrix& real : matrices) {
    SCOPED_TRACE(real.name);
    const Matrix matrix = read_matrix_market(real.path);
    EXPECT_EQ(matrix.rows, real.rows);
    EXPECT_EQ(matrix.cols, real.cols);
    EXPECT_EQ(matrix.nnz(), real.nnz);
    EXPECT_EQ(matrix.is_complex(), real.is_complex);
    EXPECT_EQ(check_canonical(matrix), "");
  }
}

}  // namespace
}  // namespace alphasparse
