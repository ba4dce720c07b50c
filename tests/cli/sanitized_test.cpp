// sanitized: the verdict on a run under compute-sanitizer, with scripts in the tool's place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

class Sanitized : public testing::Test {
 protected:
  /// "STATUS LINE" of a run in which the tool says `text` and exits so.
  std::string verdict(const std::string& text, int exit_status) {
    set_contents(folder / "text", text);
    set_contents(folder / "tool", fmt::format("#!/bin/sh\ncat '{}'\nexit {}\n",
                                              (folder / "text").string(), exit_status));
    const CommandOutcome outcome =
        run_command(fmt::format("chmod +x '{0}/tool'; '{1}/tools/sanitized' '{0}/tool' memcheck "
                                "'{0}/log' true",
                                folder.path().string(), ALPHASPARSE_SOURCE_DIR));
    return fmt::format("{} {}", outcome.status, outcome.output);
  }

  TestFolder folder;
};

TEST_F(Sanitized, CleanIsWhatTheToolCallsSo) {
  const std::string head = "========= COMPUTE-SANITIZER\n";
  EXPECT_EQ(verdict(head + "========= ERROR SUMMARY: 0 errors\n", 0), "0 clean\n");
  EXPECT_EQ(verdict(head + "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 "
                           "warnings)\n",
                    0),
            "0 clean\n");
  EXPECT_EQ(contents(folder / "log").find(head), 0U);
}

TEST_F(Sanitized, OneProcessWithErrorsIsEnough) {
  EXPECT_EQ(verdict("========= ERROR SUMMARY: 0 errors\n========= ERROR SUMMARY: 10 errors\n", 0),
            "1 errors: ========= ERROR SUMMARY: 10 errors\n");
  EXPECT_EQ(verdict("========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n", 0),
            "1 errors: ========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
}

TEST_F(Sanitized, WithoutASummaryNothingWasChecked) {
  const std::string head = "========= COMPUTE-SANITIZER\n";
  EXPECT_EQ(verdict(head + "========= Error: Device not supported\n", 0),
            "77 skipped: ========= Error: Device not supported\n");
  EXPECT_EQ(verdict("", 3), "77 skipped: exit 3, and no summary\n");
}

TEST_F(Sanitized, ACommandThatFailsIsNotClean) {
  EXPECT_EQ(verdict("========= ERROR SUMMARY: 0 errors\n", 3), "2 failed: exit 3\n");
}

}  // namespace
}  // namespace alphasparse
