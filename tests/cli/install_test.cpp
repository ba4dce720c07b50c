// ctest label: emulator
// cli_install: an installed folder runs by itself, wherever it lies.
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
  for (const char* const script : {"model_agreement.py", "gpu_model.py", "measured_json.py"})
    EXPECT_TRUE(std::filesystem::exists(moved / "libexec/alphasparse" / script)) << script;
}

}  // namespace
}  // namespace alphasparse
