// walkthrough: the commands of the documents, run as a reader would give them; the pages of
// docs/commands equal the program's output.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "tests/support/cli.h"
#include "tests/support/document_commands.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

std::string source_dir() { return ALPHASPARSE_SOURCE_DIR; }

struct Walkthrough : testing::Test {
  CommandOutcome run(const std::string& script) const {
    set_contents(folder / "script", "set -euo pipefail\n" + script);
    return run_command(
        fmt::format("cd '{0}' && HOME='{0}' ALPHASPARSE_DB='{0}/t.db' EXAMPLES='{1}/examples' "
                    "PATH='{2}':\"$PATH\" CMAKE_PREFIX_PATH='{0}/installed' bash -x script 2>&1",
                    folder.path().string(), source_dir(),
                    std::filesystem::path(cli_program()).parent_path().string()));
  }

  TestFolder folder;
};

TEST_F(Walkthrough, TheTutorialRunsFromItsFirstToItsLastCommand) {
  const std::string installed = (folder / "installed").string();
  const CommandOutcome install = run_command(
      fmt::format("cmake --install '{}' --prefix '{}' 2>&1", ALPHASPARSE_BINARY_DIR, installed));
  ASSERT_EQ(install.status, 0) << install.output;
  const std::string script = hurried(commands_of("tutorial.md"));
  EXPECT_GT(std::count(script.begin(), script.end(), '\n'), 20);
  const CommandOutcome outcome = run("export PATH='" + installed + "/bin':\"$PATH\"\n" + script);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("the first row sums to"), std::string::npos) << outcome.output;
  EXPECT_TRUE(std::filesystem::exists(folder / "bus.html"));
}

TEST_F(Walkthrough, TheReportsCommandsWriteThem) {
  std::filesystem::copy(source_dir() + "/examples/karate.mtx.gz", folder / "karate.mtx.gz");
  const CommandOutcome outcome =
      run("gunzip karate.mtx.gz; mv karate.mtx matrix.mtx\n" + hurried(commands_of("report.md")));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  for (const char* const page : {"matrix.html", "bench.html", "database.html"})
    EXPECT_TRUE(std::filesystem::exists(folder / page)) << page;
}

TEST_F(Walkthrough, TheReferencesCommandsRun) {
  for (const char* const name : {"matrix.mtx.gz", "folder/m.mtx.gz", "corpus/c.mtx.gz"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::filesystem::copy(source_dir() + "/examples/karate.mtx.gz", folder / name);
  }
  const CommandOutcome outcome =
      run("gunzip <matrix.mtx.gz | tee a.mtx >b.mtx\n" + hurried(commands_of("reference.md")));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(Walkthrough, EachCommandHasItsPage) {
  const CliOutcome none = run_cli(folder, "manual nothing");
  EXPECT_EQ(none.status, 2);
  const std::string before = "no command 'nothing': ";
  const std::size_t at = none.err.find(before);
  ASSERT_NE(at, std::string::npos) << none.err;
  std::string names = none.err.substr(at + before.size());
  std::replace(names.begin(), names.end(), ',', ' ');
  std::istringstream words(names);
  int pages = 0;
  for (std::string name; words >> name; ++pages) {
    const std::string file = source_dir() + "/docs/commands/" + name + ".md";
    const CliOutcome page = run_cli(folder, "manual " + name);
    EXPECT_EQ(page.status, 0) << page.err;
    if (std::getenv("UPDATE_GOLDEN")) set_contents(file, page.out);
    EXPECT_EQ(page.out, std::filesystem::exists(file) ? contents(file) : "")
        << file << " is another; UPDATE_GOLDEN=1 writes it";
  }
  EXPECT_GT(pages, 10);
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/commands"))
    EXPECT_EQ(run_cli(folder, "manual " + entry.path().stem().string()).status, 0) << entry.path();
}

}  // namespace
}  // namespace alphasparse
