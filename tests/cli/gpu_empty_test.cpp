// cli_gpu_empty: the time of a kernel that does nothing stands beside the times that tune and
// ablate measure, and nowhere where times are modelled. Fakes of NVIDIA's libraries run it.
// ctest label: emulator
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* empty_line = "empty    a kernel that does nothing takes ";

class CliGpuEmpty : public FakeGpuTest {
 protected:
  CliGpuEmpty() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "4 4 5\n1 1 1.5\n2 3 -2\n3 2 3\n4 1 0.25\n4 4 7\n");
  }

  std::string output(const std::string& arguments) {
    const CliOutcome outcome = run_cli(folder, arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(CliGpuEmpty, StandsBesideWhatTuneMeasures) {
  const std::string words = "tune m.mtx --device cuda:0 --trials 2 --db t.db --explain --cache ";
  for (const char* const cache : {"warm", "cold"}) {
    const json result = json::parse(output(words + cache + " --json"));
    ASSERT_TRUE(result.contains("empty_us")) << result;
    EXPECT_GE(result["empty_us"], 1) << "the double's clock has no shorter kernel";
    EXPECT_EQ(result["explanation"]["empty_us"], result["empty_us"]);
  }
  const std::string text = output(words + "warm");
  EXPECT_NE(text.find(empty_line), std::string::npos) << text;
  EXPECT_NE(text.find("         empty us "), std::string::npos) << text;
}

TEST_F(CliGpuEmpty, StandsBesideWhatAblateMeasures) {
  const std::string words =
      "ablate m.mtx --design \"compress | thread_rows rows=1 | thread_total | global_store | "
      "compact | launch threads=64\" --device cuda:0";
  EXPECT_GE(json::parse(output(words + " --json")).value("empty_us", 0.0), 1);
  const std::string text = output(words);
  EXPECT_NE(text.find(empty_line), std::string::npos) << text;
}

TEST_F(CliGpuEmpty, NothingIsShownWhereItIsNotMeasured) {
  const std::string words = "tune m.mtx --device emulated --trials 2 --db t.db --explain";
  const json result = json::parse(output(words + " --json"));
  EXPECT_TRUE(result.at("empty_us").is_null());
  EXPECT_TRUE(result.at("explanation").at("empty_us").is_null());
  EXPECT_EQ(output(words).find("empty "), std::string::npos);
  script("crash:prelude: ");  // the empty kernel's source begins with it, and no design's
  const std::string crashed = "tune m.mtx --device cuda:0 --trials 2 --db t.db";
  EXPECT_EQ(output(crashed).find("empty "), std::string::npos) << "its kernel crashes";
}

}  // namespace
}  // namespace alphasparse
