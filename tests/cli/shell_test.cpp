// shell: completion as shells use it, the manual page, and the output of doctor.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

class CliShell : public testing::Test {
 protected:
  CliShell() {
    set_contents(folder / "a.mtx", "");
    for (const char* const shell : {"bash", "zsh", "fish"}) {
      const CliOutcome script = run_cli(folder, std::string("completion ") + shell);
      EXPECT_EQ(script.status, 0) << script.err;
      set_contents(folder / shell, script.out);
    }
  }

  static bool is_there(const std::string& program) {
    return run_command("command -v " + program).status == 0;
  }

  /// The completions of bash for these words; the last one is being typed.
  std::set<std::string> offered(const std::vector<std::string>& words) const {
    std::string array;
    for (const std::string& word : words) array += " '" + word + "'";
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && bash -c 'source ./bash; COMP_WORDS=(alphasparse \"$@\"); COMP_CWORD=$#; "
        "_alphasparse; printf \"%s\\n\" \"${{COMPREPLY[@]}}\"' bash{}",
        folder.path().string(), array));
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    std::istringstream lines(outcome.output);
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) all.insert(line);
    }
    return all;
  }

  using Words = std::set<std::string>;
  TestFolder folder;
};

TEST_F(CliShell, BashCompletesCommandsOptionsValuesAndFiles) {
  EXPECT_EQ(offered({"t"}), Words{"tune"});
  EXPECT_EQ(offered({"tune", "--time"}), (Words{"--time", "--time-total"}));
  EXPECT_EQ(offered({"tune", "--dtype", ""}), (Words{"c128", "c64", "f32", "f64"}));
  EXPECT_EQ(offered({"tune", "a"}), Words{"a.mtx"});
  EXPECT_EQ(offered({"tune", "--time", ""}), Words{}) << "a time may be any";
  EXPECT_EQ(offered({"emit", "a.mtx", "--design", "sell"}), Words{"sell-c-sigma"});
  EXPECT_EQ(offered({"show", "--stage", "p"}), Words{"ptx"});
  EXPECT_EQ(offered({"db", "pr"}), Words{"prune"});
  EXPECT_EQ(offered({"db", "prune", "--old"}), Words{"--older-than"});
  EXPECT_EQ(offered({"db", "show", "--st"}), Words{}) << "that is the other show's";
  EXPECT_EQ(offered({"completion", "z"}), Words{"zsh"});
  EXPECT_TRUE(offered({"tune", "--device", "emul"}).contains("emulated:h200"));
  EXPECT_EQ(offered({"tune", "--device", "emulated", ":", "h2"}), Words{"h200"});
  EXPECT_TRUE(offered({"tune", "--device", "emulated", ":"}).contains("a100"));
}

TEST_F(CliShell, FishCompletesLikewise) {
  if (!is_there("fish")) GTEST_SKIP() << "fish is not there (tools/setup --all)";
  const auto offered_by_fish = [&](const std::string& line) {
    return run_command(fmt::format("cd '{}' && HOME=. fish -c 'source ./fish; complete -C \"{}\"'",
                                   folder.path().string(), line))
        .output;
  };
  EXPECT_EQ(offered_by_fish("alphasparse tun").substr(0, 5), "tune\t");
  EXPECT_NE(offered_by_fish("alphasparse tune --time").find("--time-total\t"), std::string::npos);
  EXPECT_NE(offered_by_fish("alphasparse tune --dtype f").find("f64"), std::string::npos);
  EXPECT_NE(offered_by_fish("alphasparse db pru").find("prune\t"), std::string::npos);
  EXPECT_EQ(offered_by_fish("alphasparse db show --stage").find("--stage"), std::string::npos);
  EXPECT_NE(offered_by_fish("alphasparse show --stage p").find("ptx"), std::string::npos);
}

TEST_F(CliShell, ZshTakesItsScript) {
  if (!is_there("zsh")) GTEST_SKIP() << "zsh is not there (tools/setup --all)";
  const CommandOutcome outcome = run_command(fmt::format(
      "cd '{}' && zsh -n ./zsh && zsh -fc 'autoload -U compinit; compinit -u -d ./dump; "
      "source ./zsh; [[ ${{_comps[alphasparse]}} == _alphasparse ]]' 2>&1",
      folder.path().string()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(CliShell, ShellsThatAreNotKnownAreRefused) {
  const CliOutcome outcome = run_cli(folder, "completion csh");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "alphasparse: error: completion is for bash, zsh or fish, not 'csh'\n");
}

TEST_F(CliShell, TheManualPageHasEveryCommand) {
  const CliOutcome manual = run_cli(folder, "manual");
  EXPECT_EQ(manual.status, 0);
  for (const char* const part : {".SS tune\n", ".SS db prune\n", "\\-\\-time\\-total T",
                                 ".SH EXIT STATUS\n", "ALPHASPARSE_LIBMKL"})
    EXPECT_NE(manual.out.find(part), std::string::npos) << part;
  if (!is_there("groff")) GTEST_SKIP() << "groff is not there: the page was not formatted";
  set_contents(folder / "m.1", manual.out);
  const CommandOutcome formatted =
      run_command(fmt::format("groff -man -ww -z '{}' 2>&1", (folder / "m.1").string()));
  EXPECT_EQ(formatted.output, "");
}

TEST_F(CliShell, DoctorSaysWhatIsThereAndWhatIsMissing) {
  const CliOutcome outcome = run_cli(folder, "doctor --json", "ALPHASPARSE_DB=x/t.db");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::set<std::string> there, missing;
  for (const json parts = json::parse(outcome.out)["parts"]; const json& part : parts)
    (part["available"].get<bool>() ? there : missing).insert(part["name"]);
  for (const char* const part : {"machine", "g++", "cpu:1", "emulated:h200"})
    EXPECT_TRUE(there.contains(part)) << outcome.out;
  const CliOutcome broken =
      run_cli(folder, "doctor", "ALPHASPARSE_CXX=/nowhere/g++ ALPHASPARSE_LIBMKL=/nowhere/mkl.so");
  EXPECT_EQ(broken.status, 0) << "it is there to tell";
  for (const char* const part :
       {"no  g++            ", "no  cpu:1          ", "no  MKL            ",
        "would add: Intel's algorithms beside ours on this CPU"})
    EXPECT_NE(broken.out.find(part), std::string::npos) << broken.out;
  set_contents(folder / "t.db", "no database");
  const CliOutcome database = run_cli(folder, "doctor", "ALPHASPARSE_DB=t.db");
  EXPECT_NE(database.out.find("no  database"), std::string::npos) << database.out;
}

}  // namespace
}  // namespace alphasparse
