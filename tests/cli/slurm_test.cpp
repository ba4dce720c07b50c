// cli_slurm: tools/slurm_tune - shards as an array of tasks, a lost one submitted again, and the
// merged rows. The tests use an sbatch that runs its jobs at once, and Slurm itself where one
// answers. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/system/sqlite.h"
#include "tests/support/cli.h"
#include "tests/support/document_commands.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

using nlohmann::json;

/// Notes how it was called, runs every task of the array, or the one job, and prints its number.
constexpr const char* fake_sbatch = R"sh(#!/bin/bash
echo "$*" >> "$FAKES/calls"
echo . >> "$FAKES/jobs"
array=none
log_of() {
  local text=${output//%%/$'\x01'}  # as sbatch has it: %% is one %
  text=${text//%a/$1}
  printf '%s' "${text//$'\x01'/%}"
}
while [ $# -gt 0 ]; do
  case $1 in
    --array) array=$2; shift ;;
    --output) output=$2; shift ;;
    --wrap) wrap=$2; shift ;;
  esac
  shift
done
for task in ${array//,/ }; do
  SLURM_ARRAY_TASK_ID=$task sh -c "$wrap" >> "$(log_of "$task")" 2>&1
done
wc -l < "$FAKES/jobs"
)sh";

/// The program; killed when it is first asked for shard 2.
constexpr const char* lost_once = R"(#!/bin/bash
if [[ "$*" == *"--shard 2/"* ]] && mkdir '{0}/lost' 2>/dev/null; then kill -KILL $$; fi
exec '{1}' "$@"
)";

struct CliSlurm : FakeGpuTest {
  CliSlurm() {
    for (const int i : {1, 2, 3, 4}) {
      std::filesystem::create_directories(folder / "all");
      set_contents(folder / fmt::format("all/it's m{}.mtx", i),
                   fmt::format("%%MatrixMarket matrix coordinate real general\n2 2 2\n"
                               "1 1 {}\n2 1 5\n",
                               i));
    }
    script("program", fmt::format(fmt::runtime(lost_once), folder.path().string(), cli_program()));
    std::filesystem::create_directory(folder / "fakes");
  }

  void script(const std::string& name, const std::string& text) {
    set_contents(folder / name, text);
    std::filesystem::permissions(folder / name, std::filesystem::perms(0755));
  }

  void use_fakes() {
    script("fakes/sbatch", fake_sbatch);
    script("fakes/squeue", "#!/bin/sh\n[ ! -e \"$FAKES/busy\" ] || echo 1 R\n");
  }

  CommandOutcome slurm_tune(const std::string& arguments) {
    return run_command(
        fmt::format("cd '{0}' && FAKES='{0}/fakes' PATH=\"$FAKES:$PATH\" PROGRAM=./program "
                    "{1}/tools/slurm_tune "
                    "{2} 2>&1",
                    folder.path().string(), ALPHASPARSE_SOURCE_DIR, arguments));
  }

  CommandOutcome tune_all(const std::string& more = "--trials 1") {
    return slurm_tune("all --shards 2 -o 'o ut' --device emulated:h200 " + more);
  }

  std::string kept(const std::string& name) { return contents(folder / ("o ut/shards/" + name)); }

  std::size_t matrices(const std::string& shard) {
    return json::parse(kept(shard + ".json"))["matrices"].size();
  }

  std::size_t merged_matrices() {
    Sqlite database((folder / "o ut/tuning.db").string());
    return static_cast<std::size_t>(database.integer("SELECT count(*) FROM matrix"));
  }

  void expect_all_is_merged() {
    EXPECT_EQ(matrices("1") + matrices("2"), 4u);
    EXPECT_GT(matrices("1"), 0u);
    EXPECT_GT(matrices("2"), 0u);
    EXPECT_NE(kept("2.log").find("shard 2 ended with 137 before its end"), std::string::npos)
        << kept("2.log");
    EXPECT_NE(kept("merge.log").find("shards 2 have no result: submitted again"), std::string::npos)
        << kept("merge.log");
    EXPECT_EQ(merged_matrices(), 4u);
    EXPECT_TRUE(std::filesystem::exists(folder / "o ut/it's m4.cu"));
  }
};

TEST_F(CliSlurm, ALostShardIsSubmittedAgainAndAllIsMerged) {
  use_fakes();
  const CommandOutcome outcome = tune_all("--trials 1 --sbatch '--gres=gpu:1 --time=9'");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("job 1 tunes shards 1,2 of 2"), std::string::npos)
      << outcome.output;
  expect_all_is_merged();
  const std::string calls = contents(folder / "fakes/calls");
  EXPECT_NE(calls.find("--gres=gpu:1 --time=9"), std::string::npos) << calls;
  EXPECT_NE(calls.find("--array 1,2 --requeue"), std::string::npos) << calls;
  EXPECT_NE(calls.find("--dependency afterany:1 "), std::string::npos) << calls;
  EXPECT_NE(calls.find("--array 2 --requeue"), std::string::npos) << calls;
  // The same call has nothing left to do; another one has, and the databases know the finished
  // work.
  EXPECT_NE(tune_all("--trials 1").output.find("all 2 shards are done"), std::string::npos);
  EXPECT_EQ(contents(folder / "fakes/calls"), calls);
  ASSERT_EQ(tune_all("--trials 2").status, 0);
  for (const char* shard : {"1.json", "2.json"}) {
    const json result = json::parse(kept(shard));
    ASSERT_FALSE(result["matrices"].empty());
    for (const json& matrix : result["matrices"]) {
      EXPECT_NE(matrix["tier"], "exact") << "rows of another database are proposals";
      EXPECT_EQ(matrix["trials"], 2);
    }
  }
}

TEST_F(CliSlurm, OtherShardsBeginWithWhatIsMerged) {
  use_fakes();
  ASSERT_EQ(tune_all().status, 0);
  ASSERT_EQ(slurm_tune("all --shards 3 -o 'o ut' --device emulated:h200 --trials 1").status, 0);
  std::size_t answered = 0;
  for (const char* shard : {"1.json", "2.json", "3.json"}) {
    const json result = json::parse(kept(shard));
    for (const json& matrix : result["matrices"])  // by this shard's database, or by another's
      answered += matrix["tier"] == "exact" || matrix["tier"] == "proposed" ? 1 : 0;
  }
  EXPECT_EQ(answered, 4u);
  for (const char* shard : {"1", "2", "3"}) {
    const std::size_t count = matrices(shard);
    EXPECT_EQ(Sqlite((folder / fmt::format("o ut/shards/{}.db", shard)).string())
                  .integer(fmt::format("SELECT count(*) <= {} FROM matrix", count + 2)),
              1)
        << "a shard holds its own matrices, of both calls, and no copy of all";
    const std::string lines = kept(fmt::format("{}.jsonl", shard));
    EXPECT_EQ(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')), count);
    if (count > 0) {
      EXPECT_NE(kept(fmt::format("{}.log", shard)).find(fmt::format("/{} it's m", count)),
                std::string::npos)
          << "a line a matrix";
    }
  }
}

TEST_F(CliSlurm, WhatFailsIsToldAtTheEnd) {
  use_fakes();
  set_contents(folder / "all/broken.mtx", "no matrix");
  ASSERT_EQ(tune_all().status, 0);
  const std::string log = kept("merge.log");
  EXPECT_NE(log.find("failed   all/broken.mtx:1: "), std::string::npos) << log;
  expect_all_is_merged();
}

TEST_F(CliSlurm, AShardThatNeverEndsIsNamedAndTheOthersAreMerged) {
  use_fakes();
  script("program", fmt::format("#!/bin/bash\ncase \"$*\" in *'--shard 2/'*) exit 4;; esac\nexec "
                                "'{}' \"$@\"\n",
                                cli_program()));
  ASSERT_EQ(tune_all().status, 0);
  const std::string log = kept("merge.log");
  EXPECT_NE(log.find("shards 2 have no result after 3 attempts"), std::string::npos) << log;
  EXPECT_EQ(merged_matrices(), matrices("1"));
}

TEST_F(CliSlurm, NoNameOfAFolderIsRunAsAProgram) {
  use_fakes();
  for (const char* locale : {"C", "C.UTF-8"}) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{0}' && name=$(printf 'a\\nb\\047 $(touch ran) `touch ran` %%a %%%% \\303\\251') && "
        "mkdir -p \"$name\" && cp -r all \"$name\" && cd \"$name\" && LC_ALL={2} FAKES='{0}/fakes' "
        "PATH=\"{0}/fakes:$PATH\" PROGRAM='{3}' '{1}/tools/slurm_tune' all --shards 2 -o out "
        "--device emulated:h200 --trials 1 --fresh && grep -c '\"interrupted\": false' "
        "out/shards/1.json out/shards/2.json && ls out/shards/1.log out/tuning.db && "
        "! find '{0}' -name ran | grep .",
        folder.path().string(), ALPHASPARSE_SOURCE_DIR, locale, cli_program()));
    EXPECT_EQ(outcome.status, 0) << locale << "\n" << outcome.output;
  }
}

TEST_F(CliSlurm, APlanOfOthersIsNotFollowed) {
  use_fakes();
  ASSERT_EQ(tune_all().status, 0);
  const std::filesystem::path plan = folder / "o ut/shards/plan";
  const auto mode = [](const std::filesystem::path& path) {
    return static_cast<int>(std::filesystem::status(path).permissions());
  };
  EXPECT_EQ(mode(folder / "o ut/shards"), 0700);
  EXPECT_EQ(mode(plan), 0600);
  const auto task = [&] {
    return run_command(
        fmt::format("cd '{0}' && SLURM_ARRAY_TASK_ID=1 {1}/tools/slurm_tune --task "
                    "'{0}/o ut/shards'",
                    folder.path().string(), ALPHASPARSE_SOURCE_DIR));
  };
  EXPECT_EQ(task().status, 0);
  std::filesystem::permissions(plan, std::filesystem::perms(0666));
  EXPECT_NE(task().output.find("plan may be another user's"), std::string::npos);
  std::filesystem::permissions(plan, std::filesystem::perms(0600));
  std::filesystem::permissions(folder / "o ut/shards", std::filesystem::perms(0777));
  EXPECT_NE(task().output.find("plan may be another user's"), std::string::npos);
  EXPECT_EQ(tune_all().status, 0) << "a folder of ours is repaired";
  EXPECT_EQ(mode(folder / "o ut/shards"), 0700);
  set_contents(plan, "touch ran\n");
  std::filesystem::permissions(plan, std::filesystem::perms(0600));
  EXPECT_EQ(task().status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
  std::filesystem::rename(plan, folder / "elsewhere");
  std::filesystem::create_symlink(folder / "elsewhere", plan);
  EXPECT_NE(task().output.find("plan may be another user's"), std::string::npos);
}

TEST_F(CliSlurm, OnlyResultsOfShardsAreRemoved) {
  use_fakes();
  ASSERT_EQ(tune_all().status, 0);
  set_contents(folder / "o ut/shards/notes.json", "mine");
  ASSERT_EQ(tune_all("--trials 2").status, 0);
  EXPECT_EQ(kept("notes.json"), "mine");
}

TEST_F(CliSlurm, AFolderOfOthersIsLeftAsItIs) {
  use_fakes();
  const std::filesystem::path state = folder / "o ut/shards";
  std::filesystem::create_directories(state);
  std::filesystem::permissions(state, std::filesystem::perms(0755));
  for (const char* const name : {"1.json", "2.json", "merge.log", "jobs", "1.jsonl"})
    set_contents(state / name, "mine");
  const CommandOutcome outcome = tune_all();
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("shards has files of others; name another folder with -o"),
            std::string::npos)
      << outcome.output;
  for (const char* const name : {"1.json", "2.json", "merge.log", "jobs", "1.jsonl"})
    EXPECT_EQ(kept(name), "mine");
  EXPECT_EQ(std::filesystem::status(state).permissions(), std::filesystem::perms(0755));
  EXPECT_FALSE(std::filesystem::exists(folder / "fakes/calls"));
}

TEST_F(CliSlurm, ATildeInQuotesIsHome) {
  use_fakes();
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{0}' && export FAKES='{0}/fakes' HOME='{0}/home' PROGRAM='{1}' "
                  "ALPHASPARSE_CACHE='{0}/c' && PATH=\"$FAKES:$PATH\" {2}/tools/slurm_tune all "
                  "--shards 1 -o '~/o \"ut' --db='~/all.db' --device emulated:h200 --trials 1 2>&1",
                  folder.path().string(), cli_program(), ALPHASPARSE_SOURCE_DIR));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_FALSE(std::filesystem::exists(folder / "~"));
  EXPECT_TRUE(std::filesystem::exists(folder / "home/o \"ut/shards/1.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "home/all.db"));
}

TEST_F(CliSlurm, WhatMakesNoSenseIsRefused) {
  use_fakes();
  for (const auto& [arguments, text] :
       {std::pair{"", "no matrix"}, std::pair{"all --shards 0", "--shards wants a whole number"},
        std::pair{"all --shards=x", "--shards wants a whole number"},
        std::pair{"all --shard 1/2", "--shard is what each task is given"},
        std::pair{"all --shards", "--shards wants a value"}}) {
    const CommandOutcome outcome = slurm_tune(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_EQ(outcome.output.rfind("slurm_tune: error: ", 0), 0u) << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "fakes/calls"));
  ASSERT_EQ(tune_all().status, 0);
  set_contents(folder / "fakes/busy", "");
  const CommandOutcome outcome = tune_all("--trials 2");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.output.find(" is still at work"), std::string::npos) << outcome.output;
}

TEST_F(CliSlurm, TheDocumentsCommandsRun) {
  use_fakes();
  std::filesystem::rename(folder / "all", folder / "matrices");
  std::filesystem::create_symlink(cli_program(), folder / "fakes/alphasparse");
  std::filesystem::create_symlink(ALPHASPARSE_SOURCE_DIR "/tools/slurm_tune",
                                  folder / "fakes/alphasparse-slurm-tune");
  const std::string script = hurried(commands_of("clusters.md"));
  EXPECT_EQ(std::count(script.begin(), script.end(), '\n'), 5);
  set_contents(folder / "script", "set -euo pipefail\n" + script);
  const CommandOutcome outcome =
      run_command(fmt::format("cd '{0}' && FAKES='{0}/fakes' PATH=\"$FAKES:$PATH\" PROGRAM='{1}' "
                              "ALPHASPARSE_DB='{0}/t.db' bash -x script 2>&1",
                              folder.path().string(), cli_program()));
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  for (const char* const database : {"t.db", "all.db", "shared/out/tuning.db"}) {
    Sqlite merged((folder / database).string());
    EXPECT_EQ(merged.integer("SELECT count(*) FROM matrix"), 4) << database;
  }
}

/// A Slurm of this machine's own, for a test; skipped by `problem()` where there is none.
class OneNodeSlurm {
 public:
  explicit OneNodeSlurm(const std::string& folder) : folder_(folder) {
    const CommandOutcome start = control("start");
    if (start.status != 0) problem_ = start.output;
    setenv("SLURM_CONF", (folder_ + "/slurm.conf").c_str(), 1);
  }
  ~OneNodeSlurm() {
    control("stop");
    unsetenv("SLURM_CONF");
  }
  OneNodeSlurm(const OneNodeSlurm&) = delete;
  OneNodeSlurm& operator=(const OneNodeSlurm&) = delete;

  const std::string& problem() const { return problem_; }

 private:
  CommandOutcome control(const std::string& command) const {
    return run_command(fmt::format("'{}/tests/support/one_node_slurm' {} '{}' 2>&1",
                                   ALPHASPARSE_SOURCE_DIR, command, folder_));
  }

  std::string folder_, problem_;
};

TEST_F(CliSlurm, SlurmItselfRunsIt) {
  std::optional<OneNodeSlurm> own;
  if (run_command("timeout 5 sinfo -h -t idle,mix,alloc -o %n | grep -q .").status != 0) {
    own.emplace((folder / "slurm").string());
    if (!own->problem().empty()) GTEST_SKIP() << "no Slurm answers here: " << own->problem();
  }
  const CommandOutcome outcome = tune_all();
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const auto is_merged = [&] { return kept("merge.log").find("2.db -> ") != std::string::npos; };
  ASSERT_TRUE(comes_true(is_merged, 120)) << kept("1.log") << kept("2.log") << kept("merge.log");
  expect_all_is_merged();
}

}  // namespace
}  // namespace alphasparse
