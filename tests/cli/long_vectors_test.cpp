// cli_long_vectors: rows without entries take little memory, from the file to the kernel.
// ctest label: emulator
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

// The most that any one process has, compilers included: x and y, their copies where a kernel runs,
// the expected results, and arrays of rows.
TEST(CliLongVectors, ARowTakesAtMostSixtyBytesWhileAMatrixIsTuned) {
  constexpr long rows = 10'000'000, bytes_of_a_row = 60;
  const TestFolder folder;
  set_contents(folder / "one.mtx",
               "%%MatrixMarket matrix coordinate real general\n10000000 10000000 1\n5 7 2.5\n");
  const CliOutcome outcome =
      run_cli(folder, "tune one.mtx --device emulated:h200 --dtype f64 --time 0 --db t.db -o out");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  rusage usage{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &usage), 0);
  EXPECT_LT(1024 * usage.ru_maxrss, bytes_of_a_row * rows);
}

}  // namespace
}  // namespace alphasparse
