// ablate: which designs stand beside one with compression passes, and the cost of each.
// ctest label: emulator
#include "search/trial/ablate.h"

#include <gtest/gtest.h>

#include "operators/compact_passes.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

#define BEFORE "compress | thread_rows rows=1 | thread_total | global_store | "

std::string without(const std::string& text, const std::string& pass) {
  return print_design(without_pass(*parse_design(text), pass));
}

TEST(CompactPasses, ArePutBeforeEveryLaunch) {
  const Step compact = parse_design("compact values=full")->steps.front();
  const auto with = [&](const std::string& text) {
    return print_design(with_compact(*parse_design(text), compact));
  };
  EXPECT_EQ(with(BEFORE "launch threads=64"), BEFORE "compact values=full | launch threads=64");
  EXPECT_EQ(with(BEFORE "compact | launch threads=64"),
            BEFORE "compact values=full | launch threads=64");
  EXPECT_EQ(with("bin_rows at=3 { " BEFORE "launch threads=64 } { " BEFORE
                 "compact | launch threads=64 }"),
            "bin_rows at=3 { " BEFORE "compact values=full | launch threads=64 } { " BEFORE
            "compact values=full | launch threads=64 }");
}

TEST(CompactPasses, AreTakenOutOneByOne) {
  EXPECT_EQ(without(BEFORE "compact | launch threads=64", "columns"),
            BEFORE "compact columns=full | launch threads=64");
  EXPECT_EQ(without(BEFORE "compact columns=packed | launch threads=64", "columns"),
            BEFORE "compact columns=full | launch threads=64");
  EXPECT_EQ(without(BEFORE "compact | launch threads=64", "models"),
            BEFORE "compact models=linear | launch threads=64");
  EXPECT_EQ(without(BEFORE "compact | launch threads=64", "exceptions"),
            BEFORE "compact exceptions=0 | launch threads=64");
  EXPECT_EQ(without(BEFORE "compact models=linear columns=full structure=full | launch threads=64",
                    "values"),
            BEFORE "launch threads=64")
      << "a step without any pass goes";
  EXPECT_EQ(without("bin_rows at=3 { " BEFORE "compact | launch threads=64 } { " BEFORE
                    "launch threads=64 }",
                    "values"),
            "bin_rows at=3 { " BEFORE "compact values=full | launch threads=64 } { " BEFORE
            "launch threads=64 }");
}

TEST(CompactPasses, TellWhichFormatsTakeAnyValues) {
  const auto takes = [](const std::string& text) { return takes_any_values(*parse_design(text)); };
  EXPECT_TRUE(takes(BEFORE "launch threads=64"));
  EXPECT_TRUE(takes(BEFORE "compact values=full | launch threads=64"));
  for (const char* const values : {"", " values=single", " values=rounded"}) {
    EXPECT_FALSE(takes(BEFORE "compact" + std::string(values) + " | launch threads=64")) << values;
  }
  EXPECT_FALSE(takes("bin_rows at=3 { " BEFORE "launch threads=64 } { " BEFORE
                     "compact | launch threads=64 }"));
  EXPECT_FALSE(
      takes("symmetric_half | compress | thread_rows rows=1 | global_atomic | launch "
            "threads=64"));
  EXPECT_EQ(print_design(with_any_values(*parse_design("symmetric_half | " BEFORE
                                                       "compact columns=packed | launch "
                                                       "threads=64"))),
            BEFORE "compact columns=packed values=full | launch threads=64");
}

TEST(Ablate, ComparesAllPassesWithEachTakenOutAndWithNone) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = battery().back().matrix;
  const std::atomic<bool> stop = false;
  const auto rows =
      ablate(matrix, *device, BEFORE "compact | launch threads=64", {Dtype::f64, 1, {}}, stop);
  ASSERT_TRUE(rows.ok()) << rows.reason();
  std::vector<std::string> passes;
  for (const Ablated& row : *rows) {
    passes.push_back(row.passes);
    EXPECT_TRUE(row.outcome.verified) << row.passes << ": " << row.outcome.reason;
    EXPECT_GE(row.outcome.format_bytes, rows->front().outcome.format_bytes) << row.passes;
    EXPECT_LE(row.outcome.format_bytes, rows->back().outcome.format_bytes) << row.passes;
  }
  EXPECT_EQ(passes, (std::vector<std::string>{"all", "without models", "without exceptions",
                                              "without columns", "without structure",
                                              "without values", "none"}));
  EXPECT_LT(rows->front().outcome.format_bytes, *rows->back().outcome.format_bytes / 2);
}

TEST(Ablate, RefusesADesignWithoutPasses) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = battery().back().matrix;
  const std::atomic<bool> stop = false;
  const auto rows = ablate(matrix, *device, BEFORE "launch threads=64", {}, stop);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.reason(), "the design has no compression passes; put compact before its launch");
  EXPECT_FALSE(ablate(matrix, *device, "compact | nonsense", {}, stop).ok());
}

}  // namespace
}  // namespace alphasparse
