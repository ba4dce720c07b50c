// ctest label: emulator
// cli_install: an installed folder runs by itself, in any place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

TEST(CliInstall, AnInstalledFolderFindsItsOwnFiles) {
  const TestFolder folder;
  const std::filesystem::path prefix = folder / "a folder";
  const CommandOutcome installed = run_command(fmt::format(
      "cmake --install '{}' --prefix '{}' 2>&1", ALPHASPARSE_BINARY_DIR, prefix.string()));
  ASSERT_EQ(installed.status, 0) << installed.output;
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
  EXPECT_TRUE(std::filesystem::exists(moved / "libexec/alphasparse/gpu_model.py"));
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
