// ctest label: emulator
// cli_install: an installed folder runs by itself, in any place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

CommandOutcome install(const std::filesystem::path& prefix, const std::string& words = "") {
  return run_command(fmt::format("cmake --install '{}' {} --prefix '{}' 2>&1",
                                 ALPHASPARSE_BINARY_DIR, words, prefix.string()));
}

/// tools/demo builds no program of the suite, so that an installation may not ask for one.
TEST(CliInstall, TheProgramNeedsNoOtherProgramToBeInstalled) {
  const TestFolder folder;
  const CommandOutcome installed = install(folder / "p");
  ASSERT_EQ(installed.status, 0) << installed.output;
  std::vector<std::string> programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "p/libexec/alphasparse"))
    programs.push_back(entry.path().filename());
  EXPECT_EQ(programs, std::vector<std::string>{"alphasparse-emulator"});
}

/// A project of no language, which prints the place of the program.
CommandOutcome found_in(const TestFolder& folder, const std::string& prefix) {
  set_contents(folder / "CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES NONE)\n"
               "find_package(alphasparse REQUIRED)\n"
               "get_target_property(program alphasparse::alphasparse IMPORTED_LOCATION)\n"
               "execute_process(COMMAND ${program} --version COMMAND_ERROR_IS_FATAL ANY)\n");
  std::filesystem::remove_all(folder / "b");
  return run_command(fmt::format("cmake -S '{0}' -B '{0}/b' -DCMAKE_PREFIX_PATH='{1}' 2>&1",
                                 folder.path().string(), prefix));
}

TEST(CliInstall, FindPackageTakesThePrefixAndTheBuildFolder) {
  const TestFolder folder;
  const std::string prefix = (folder / "p").string();
  ASSERT_EQ(install(prefix).status, 0);
  for (const std::string& place : {prefix, std::string(ALPHASPARSE_BINARY_DIR)}) {
    const CommandOutcome outcome = found_in(folder, place);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "alphasparse " ALPHASPARSE_VERSION)) << outcome.output;
  }
  std::filesystem::remove(folder / "p/bin/alphasparse");
  const CommandOutcome without = found_in(folder, prefix);
  EXPECT_NE(without.status, 0);
  EXPECT_TRUE(std::regex_search(without.output, std::regex("has\\s+no\\s+program")))
      << without.output;
}

TEST(CliInstall, APlainCmakeConfigures) {
  const TestFolder folder;
  const CommandOutcome outcome = run_command(
      fmt::format("cmake -S '{}' -B '{}' 2>&1", ALPHASPARSE_SOURCE_DIR, (folder / "b").string()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(contains(source_text("tools/setup"), " make "))
      << "the generator that cmake takes without -G";
}

TEST(CliInstall, AnInstalledFolderFindsItsOwnFiles) {
  const TestFolder folder;
  const std::filesystem::path prefix = folder / "a folder";
  for (const char* const words : {"", "--component suite"}) {
    const CommandOutcome installed = install(prefix, words);
    ASSERT_EQ(installed.status, 0) << installed.output;
  }
  const std::filesystem::path moved = folder / "elsewhere";
  std::filesystem::rename(prefix, moved);
  const CommandOutcome libraries =
      run_command(fmt::format("ldd '{}'", (moved / "bin/alphasparse").string()));
  EXPECT_NE(libraries.output.find("elsewhere/bin/../lib/alphasparse/libspdlog"), std::string::npos)
      << libraries.output;
  EXPECT_TRUE(std::filesystem::exists(moved / "libexec/alphasparse/alphasparse-emulator"));
  const CommandOutcome emitted = run_command(fmt::format(
      "'{0}/bin/alphasparse' emit '{0}/share/alphasparse/examples/karate.mtx.gz' --design csr5 "
      "--device emulated -o '{1}' 2>&1",
      moved.string(), (folder / "out").string()));
  EXPECT_EQ(emitted.status, 0) << emitted.output;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/karate.cu"));
  const std::string parts = (moved / "libexec/alphasparse").string();
  const CommandOutcome compared =
      run_command(fmt::format("'{0}/compare_model' none.json none.mtx 2>&1", parts));
  EXPECT_EQ(compared.status, 2) << compared.output;
  EXPECT_NE(compared.output.find("none.json: cannot be read"), std::string::npos)
      << compared.output;
  EXPECT_TRUE(std::filesystem::exists(moved / "libexec/alphasparse/fitting.py"));
}

/// tests/run_paths.py finds no fault in folders and archives.
void expect_safe_run_paths(const std::string& place) {
  const CommandOutcome outcome = run_command(
      fmt::format("python3 '{}/tests/run_paths.py' '{}'", ALPHASPARSE_SOURCE_DIR, place));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(CliInstall, NothingInTheBuildFolderLoadsFromTheCurrentFolder) {
  expect_safe_run_paths(ALPHASPARSE_BINARY_DIR);
}

TEST(CliInstall, NothingInTheArchiveLoadsFromTheCurrentFolder) {
  const TestFolder folder;
  const CommandOutcome packed =
      run_command(fmt::format("cpack -B '{}' --config '{}/CPackConfig.cmake'",
                              folder.path().string(), ALPHASPARSE_BINARY_DIR));
  ASSERT_EQ(packed.status, 0) << packed.output;
  std::filesystem::remove_all(folder / "_CPack_Packages");
  const CommandOutcome found =
      run_command(fmt::format("ls '{}'/alphasparse-*.tar.gz", folder.path().string()));
  ASSERT_EQ(found.status, 0) << found.output;
  const CommandOutcome suite = run_command(
      fmt::format("tar tzf '{}'/alphasparse-*.tar.gz | grep -c -e /libexec/alphasparse/bench_suite "
                  "-e /bin/alphasparse-gpu-suite -e /bin/alphasparse$",
                  folder.path().string()));
  EXPECT_EQ(suite.output, "3\n");
  expect_safe_run_paths(found.output.substr(0, found.output.find('\n')));
}

TEST(CliInstall, AnEmptyOrRelativeEntryIsFound) {
  const TestFolder folder;
  set_contents(folder / "main.c", "int main(void) { return 0; }\n");
  for (const std::string entry : {":", "/usr/lib:", "lib", "$ORIGINAL/lib", "./lib"}) {
    const CommandOutcome built = run_command(fmt::format(
        "gcc '{0}/main.c' -Wl,-rpath,'{1}' -o '{0}/program'", folder.path().string(), entry));
    ASSERT_EQ(built.status, 0) << built.output;
    const CommandOutcome outcome = run_command(fmt::format(
        "python3 '{}/tests/run_paths.py' '{}'", ALPHASPARSE_SOURCE_DIR, folder.path().string()));
    EXPECT_EQ(outcome.status, 1) << entry << ": " << outcome.output;
  }
}

}  // namespace
}  // namespace alphasparse
