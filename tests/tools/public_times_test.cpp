// public_times_test: tables of published times are read, bad lines are told by file and line, and
// their formats and GPUs are those that come nearest.
#include "tools/comparison/public_times.h"

#include <gtest/gtest.h>

#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/cli.h"
#include "tests/support/csr_kernels.h"
#include "tools/comparison/public_designs.h"

namespace alphasparse {
namespace {

const std::string head = "source\tgpu\tdtype\tmatrix\trows\tcols\tnnz\tformat\ttime_us\n";

struct PublicTimes : ::testing::Test {
  std::vector<PublicTime> read(const std::string& text) {
    set_contents(folder / "times.tsv", text);
    return read_public_times((folder / "times.tsv").string());
  }

  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      const std::string file = (folder / "times.tsv").string();
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(file)) << what;
      return what.substr(std::min(file.size(), what.size()));
    }
    ADD_FAILURE() << "was read";
    return "";
  }

  TestFolder folder;
};

TEST_F(PublicTimes, AreRead) {
  const auto times = read(head + "gunrock/loops\tV100\tf32\tkarate\t34\t34\t156\tcub\t15.14\r\n" +
                          "other\tA100\tf64\ttwin:ldoor\t9\t8\t7\tell\t2e3\n");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].source, "gunrock/loops");
  EXPECT_EQ(times[0].gpu, "V100");
  EXPECT_EQ(times[0].dtype, Dtype::f32);
  EXPECT_EQ(times[0].matrix, "karate");
  EXPECT_EQ(times[0].format, "cub");
  EXPECT_DOUBLE_EQ(times[0].time_us, 15.14);
  EXPECT_EQ(times[1].dtype, Dtype::f64);
  EXPECT_EQ(times[1].rows, 9);
  EXPECT_EQ(times[1].cols, 8);
  EXPECT_EQ(times[1].nnz, 7);
  EXPECT_DOUBLE_EQ(times[1].time_us, 2000);
}

TEST_F(PublicTimes, BadLinesAreToldByFileAndLine) {
  const std::string good = "a\tV100\tf32\tm\t1\t1\t1\tcsr\t2\n";
  EXPECT_TRUE(refusal("").starts_with(": holds no time")) << refusal("");
  EXPECT_TRUE(refusal(head).starts_with(": holds no time"));
  EXPECT_TRUE(refusal(good).starts_with(":1: the first line should name the columns"));
  EXPECT_TRUE(
      refusal(head + good + "a\tV100\n").starts_with(":3: 2 fields where there should be 9"));
  EXPECT_TRUE(refusal(head + "\n" + good).starts_with(":2: 1 fields"));
  EXPECT_TRUE(refusal(head + "a\tV100\tf16\tm\t1\t1\t1\tcsr\t2\n").starts_with(":2: dtype is"));
  EXPECT_TRUE(refusal(head + "a\tV100\tf32\tm\t1\tx\t1\tcsr\t2\n").starts_with(":2: cols wants"));
  for (const char* const time : {"", "0", "-1", "nan", "inf", "2us", "1e999"}) {
    EXPECT_TRUE(refusal(head + "a\tV100\tf32\tm\t1\t1\t1\tcsr\t" + time + "\n")
                    .starts_with(":2: time_us wants a number above 0"))
        << time;
  }
  EXPECT_TRUE(
      refusal(head + "\tV100\tf32\tm\t1\t1\t1\tcsr\t2\n").starts_with(":2: source is empty"));
  EXPECT_THROW(read_public_times((folder / "missing.tsv").string()), Error);
}

TEST(NearestDesigns, CanBeBuilt) {
  const std::string ginkgo = "ginkgo-project/ginkgo-data@master";
  const Matrix matrix = large_stencil(40);
  Designer designer(matrix);
  for (const char* const format : {"csr", "csrc", "csri", "coo", "ell", "sellp"}) {
    ASSERT_TRUE(has_design(ginkgo, format)) << format;
    const auto nearest = nearest_design(ginkgo, format, matrix);
    ASSERT_TRUE(nearest) << format;
    const auto kernel = designer.build(resolve_design(nearest->design, Target::cuda), Dtype::f64);
    EXPECT_TRUE(kernel.ok()) << format << ": " << kernel.reason();
  }
  for (const char* const format : {"csr-scalar", "merge", "csr", "sell", "csr5"}) {
    const auto nearest = nearest_design("someone else", format, matrix);
    ASSERT_TRUE(nearest) << format;
    EXPECT_TRUE(designer.build(resolve_design(nearest->design, Target::cuda), Dtype::f32).ok());
  }
}

TEST(NearestDesigns, GoByWhatTheLibraryWouldTake) {
  const std::string ginkgo = "ginkgo-project/ginkgo-data@master";
  Matrix wide = large_stencil(3);  // 9 rows of 3 to 5 entries
  EXPECT_NE(nearest_design(ginkgo, "csrc", wide)->design.find("lanes=4"), std::string::npos);
  EXPECT_EQ(nearest_design(ginkgo, "csrc", wide)->kernel, (OtherKernel{1, false, 0, 0}));
  EXPECT_EQ(nearest_design(ginkgo, "coo", wide)->kernel.launches, 2) << "it clears y";
  EXPECT_EQ(nearest_design(ginkgo, "csr", wide), nearest_design(ginkgo, "csrc", wide));
  EXPECT_FALSE(nearest_design(ginkgo, "ell", wide)) << "several threads a row";
  EXPECT_TRUE(nearest_design(ginkgo, "ell", large_stencil(40))->kernel.values_wait);
  EXPECT_EQ(nearest_design("gunrock/loops", "thread-mapped", wide)->design, "csr-scalar");
  EXPECT_EQ(nearest_design("gunrock/loops", "thread-mapped", wide)->kernel, OtherKernel());
  EXPECT_EQ(nearest_design("gunrock/loops", "cub", wide)->kernel.searches, 4) << "of 9 rows";
  EXPECT_FALSE(has_design("gunrock/loops", "csr")) << "it has none of that name";
  EXPECT_FALSE(has_design(ginkgo, "csrm"));
  EXPECT_FALSE(has_design("someone else", "cusparse"));
}

TEST(NearestModels, AreFoundByTheGpusWords) {
  const auto name = [](const char* gpu) {
    const GpuModel* const model = model_called(gpu);
    return model ? model->name : "";
  };
  EXPECT_EQ(name("NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(name("A100 40GB"), "a100_40");
  EXPECT_EQ(name("NVIDIA GeForce RTX 4090"), "rtx4090");
  EXPECT_EQ(name("NVIDIA H100 PCIe"), "h100_pcie");
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(name("V100_SXM2"), "v100");
  EXPECT_EQ(name("NVIDIA L40S"), "l40s");
  EXPECT_EQ(name("NVIDIA B300"), "");
  EXPECT_EQ(model_of_source("ginkgo-project/ginkgo-data@csrmp", "A100")->name, "a100_40");
}

}  // namespace
}  // namespace alphasparse
