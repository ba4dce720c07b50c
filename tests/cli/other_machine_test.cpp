// ctest label: emulator
// other_machine: the same home on another machine. It has another processor, limits of containers
// and of Slurm, users without a home, a root that is read-only, a compiler of several words.
#include <dirent.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "runtime/compilers/cache_folder.h"
#include "runtime/compilers/kernel_cache.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct CliOtherMachine : ::testing::Test {
  CliOtherMachine() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  }

  std::string path(const std::string& name) const { return (folder / name).string(); }

  std::set<std::string> cached() const {
    std::set<std::string> keys;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "cache", none))
      if (entry.path().extension() == ".kernel") keys.insert(entry.path().stem());
    return keys;
  }

  /// In a mount namespace of its own, after `setup`; nothing where that is not possible.
  static bool has_namespaces() {
    return ::geteuid() == 0 && run_command("unshare -m true").status == 0;
  }
  CommandOutcome run_apart(const std::string& setup, const std::string& command) const {
    set_contents(folder / "apart.sh",
                 fmt::format("cd '{}'\n{}\n{}\n", folder.path().string(), setup, command));
    return run_command(fmt::format("unshare -m sh '{}'", path("apart.sh")));
  }

  std::string doctor_line(const std::string& text, const std::string& part) const {
    const std::size_t at = text.find(fmt::format(" {:<14} ", part));
    if (at == std::string::npos) return "none: " + text;
    return text.substr(at - 3, text.find('\n', at) - at + 3);
  }

  TestFolder folder;
};

const char* const emit_on_cpu = "emit m.mtx --design csr-scalar --device cpu:1 -o o";

/// For a processor of the same name with fewer flags, code is compiled anew.
TEST_F(CliOtherMachine, TheFlagsOfTheProcessorArePartOfACompiledKernelsKey) {
  if (!has_namespaces()) GTEST_SKIP() << "no mount namespaces";
  const std::string emit =
      fmt::format("ALPHASPARSE_CACHE=cache '{}' {}", cli_program(), emit_on_cpu);
  const auto run_with = [&](const std::string& sed) {
    const CommandOutcome outcome = run_apart(
        fmt::format("sed '{}' /proc/cpuinfo >cpuinfo; mount --bind cpuinfo /proc/cpuinfo", sed),
        emit);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
  };
  run_with("");
  const auto first = cached();
  EXPECT_FALSE(first.empty());
  run_with("s/^cpu MHz.*/cpu MHz : 1.0/");
  EXPECT_EQ(cached(), first) << "the clock is no property of code";
  run_with("s/^\\(flags.*\\|Features.*\\) \\([a-z0-9_]*\\)$/\\1/");
  EXPECT_EQ(cached().size(), 2 * first.size());
}

/// Every cached kernel becomes one of another processor.
TEST_F(CliOtherMachine, ACachedKernelThatDiesByAnIllegalInstructionIsCompiledOnceMore) {
  const std::string tune =
      "tune m.mtx --trials 4 --fresh --seed 1 --device cpu:1 --db t.db -o o --json --quiet";
  const auto statuses = [&] {
    const CliOutcome outcome = run_cli(folder, tune, "env ALPHASPARSE_CACHE=cache");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  };
  statuses();
  ASSERT_FALSE(cached().empty());
  set_contents(
      folder / "trap.c",
      "void* alphasparse_open_team(const void* p, int t) { __builtin_trap(); }\n"
      "void alphasparse_run_team(const void* p, double a, const void* x, double b, void* y)"
      " { __builtin_trap(); }\n"
      "void alphasparse_close_team(void* t) {}\n"
      "void* alphasparse_open_peer(int r, int c, int e, int t, const void* a, const void* b,"
      " const void* v) { __builtin_trap(); }\n"
      "const char* alphasparse_peer_version() { return \"\"; }\n"
      "const char* alphasparse_peer_code_path() { return \"\"; }\n");
  ASSERT_EQ(run_command(fmt::format("gcc -w -O1 -shared -fPIC -o '{}' '{}'", path("trap.so"),
                                    path("trap.c")))
                .status,
            0);
  const std::string trap = contents(folder / "trap.so");
  CompiledKernel entry;
  const auto* const bytes = reinterpret_cast<const std::byte*>(trap.data());
  entry.cubin.assign(bytes, bytes + trap.size());
  KernelCache cache(folder / "cache", cache_bytes_max_default, [](const std::string&) {});
  for (const std::string& key : cached()) cache.store(key, entry);
  const json result = statuses();
  EXPECT_FALSE(result["statuses"].contains("crash")) << result["statuses"];
  for (const json& peer : result["peers"]) EXPECT_NE(peer["status"], "crash") << peer;
  int traps = 0;
  for (const std::string& key : cached()) {
    const auto found = cache.find(key);
    if (found && found->cubin == entry.cubin) ++traps;
  }
  EXPECT_LT(traps, static_cast<int>(cached().size())) << "those that were met are compiled anew";
}

TEST_F(CliOtherMachine, SlurmsCoresAreALimit) {
  const CliOutcome doctor =
      run_cli(folder, "doctor", "env SLURM_CPUS_PER_TASK=1 ALPHASPARSE_DB=t.db");
  const std::string line = doctor_line(doctor.out, "machine");
  EXPECT_TRUE(contains(line, " 1 core for us")) << line;
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  EXPECT_TRUE(contains(line, "(the limit is SLURM_CPUS_PER_TASK=1)")) << line;
  const CliOutcome refused = run_cli(folder, "emit m.mtx --design csr-scalar --device cpu:2 -o o",
                                     "env SLURM_CPUS_PER_TASK=1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.err, "1 core (SLURM_CPUS_PER_TASK=1); name cpu:1 at most"))
      << refused.err;
}

TEST_F(CliOtherMachine, AMadeUpTreeOfGroupsIsFollowed) {
  if (!has_namespaces()) GTEST_SKIP() << "no mount namespaces";
  const std::string tree =
      "mount --make-rprivate /; mount -t tmpfs none /sys/fs/cgroup; cd /sys/fs/cgroup\n";
  const std::string doctor =
      fmt::format("ALPHASPARSE_DB=t.db exec '{}' doctor 2>/dev/null", cli_program());
  const std::string back = fmt::format("cd '{}'\n", folder.path().string());
  // The group of this very process: exec keeps the number of the process.
  const std::string nested =
      back + "echo 0::/system.slice/job >group; mount --bind group /proc/$$/cgroup";
  const struct {
    std::string setup, limit;
  } cases[] = {
      {tree +
           "mkdir -p memory cpu; echo 314572800 >memory/memory.limit_in_bytes; echo 104857600 "
           ">memory/memory.usage_in_bytes; echo 50000 >cpu/cpu.cfs_quota_us; echo 100000 "
           ">cpu/cpu.cfs_period_us\n" +
           back,
       "/sys/fs/cgroup/memory/memory.limit_in_bytes"},
      {tree +
           "echo 314572800 >memory.max; echo 104857600 >memory.current; echo 50000 100000 "
           ">cpu.max\n" +
           back,
       "/sys/fs/cgroup/memory.max"},
      {tree +
           "mkdir -p system.slice/job; echo 314572800 >system.slice/job/memory.max; echo 104857600 "
           ">system.slice/job/memory.current; echo 50000 100000 >system.slice/cpu.max\n" +
           nested,
       "/sys/fs/cgroup/system.slice/job/memory.max"}};
  for (const auto& [setup, limit] : cases) {
    const CommandOutcome outcome = run_apart(setup, doctor);
    const std::string line = doctor_line(outcome.output, "machine");
    EXPECT_TRUE(contains(line, " 1 core for us")) << line;
    EXPECT_TRUE(contains(line, "209.7 MB of memory free (the limit is " + limit + ")")) << line;
  }
}

/// A real group below ours, where this machine has version 1 and allows one.
TEST_F(CliOtherMachine, ARealGroupIsALimit) {
  const std::string group = fmt::format("/sys/fs/cgroup/cpu/alphasparse-test-{}", getpid());
  std::error_code error;
  if (::geteuid() != 0 || !fs::create_directory(group, error) ||
      !fs::exists(group + "/cpu.cfs_quota_us"))
    GTEST_SKIP() << "no group of version 1 can be made";
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && echo 100000 >{}/cpu.cfs_quota_us && mkdir {}/inner && echo $$ "
                  ">{}/inner/cgroup.procs && exec env ALPHASPARSE_DB=t.db '{}' doctor",
                  folder.path().string(), group, group, group, cli_program()));
  const std::string line = doctor_line(outcome.output, "machine");
  EXPECT_TRUE(contains(line, " 1 core for us (the limit is " + group + "/cpu.cfs_quota_us)"))
      << line;
  fs::remove(group + "/inner", error);
  fs::remove(group, error);
}

const std::vector<std::string> all_parts = {
    "machine",   "g++", "cpu:1", "emulated:h200", "NVRTC",    "cuSPARSE", "hiprtc",
    "rocSPARSE", "MKL", "Eigen", "Slurm",         "database", "cache",    "TMPDIR"};

TEST_F(CliOtherMachine, DoctorPrintsItsWholeTableWithoutAHome) {
  for (const char* home : {"-u HOME", "HOME=", "HOME=~", "HOME=relative"}) {
    const CliOutcome outcome =
        run_cli(folder, "doctor",
                fmt::format("env -u XDG_CACHE_HOME -u XDG_DATA_HOME -u ALPHASPARSE_DB -u "
                            "ALPHASPARSE_CACHE {} TMPDIR=/tmp",
                            home));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const std::string& part : all_parts)
      EXPECT_FALSE(doctor_line(outcome.out, part).starts_with("none")) << part << outcome.out;
    const std::string database = doctor_line(outcome.out, "database");
    EXPECT_TRUE(contains(database, "HOME is not set; set ALPHASPARSE_DB")) << database;
    EXPECT_TRUE(database.starts_with("no "));
    const std::string cache = doctor_line(outcome.out, "cache");
    EXPECT_TRUE(contains(cache, "HOME is not set; set ALPHASPARSE_CACHE")) << cache;
    EXPECT_TRUE(doctor_line(outcome.out, "cpu:1").starts_with("yes")) << outcome.out;
  }
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, std::set<std::string>({"cli.err", "cli.out", "m.mtx"}));
}

TEST_F(CliOtherMachine, AReadOnlyRootIsToldByTheLinesThatItConcerns) {
  if (!has_namespaces()) GTEST_SKIP() << "no mount namespaces";
  const CommandOutcome outcome = run_apart(
      "mount -t tmpfs none /tmp; mkdir -p /tmp/root /tmp/t; mount -t tmpfs none /tmp/root; mount "
      "-o "
      "remount,ro /tmp/root; unset XDG_CACHE_HOME XDG_DATA_HOME ALPHASPARSE_DB ALPHASPARSE_CACHE; "
      "cd /tmp/root; exec 2>/dev/null",
      fmt::format(
          "HOME=/tmp/root TMPDIR=/tmp/t '{0}' doctor; HOME=/tmp/t TMPDIR=/tmp/root '{0}' doctor",
          cli_program()));
  const std::size_t second = outcome.output.find("\nalphasparse ");
  const std::string home = outcome.output.substr(0, second), tmp = outcome.output.substr(second);
  const std::string database = doctor_line(home, "database"), cache = doctor_line(home, "cache");
  for (const std::string& line : {database, cache})
    EXPECT_TRUE(line.starts_with("no ") && contains(line, "Read-only file system")) << line;
  EXPECT_TRUE(contains(database, "set ALPHASPARSE_DB")) << database;
  EXPECT_TRUE(contains(cache, "set ALPHASPARSE_CACHE")) << cache;
  EXPECT_TRUE(doctor_line(home, "cpu:1").starts_with("yes")) << home;
  EXPECT_TRUE(doctor_line(home, "TMPDIR").starts_with("yes")) << home;
  EXPECT_TRUE(contains(doctor_line(tmp, "TMPDIR"), "Read-only file system; set TMPDIR")) << tmp;
  for (const std::string& part : all_parts)
    EXPECT_FALSE(doctor_line(tmp, part).starts_with("none")) << part << tmp;
}

TEST_F(CliOtherMachine, ATildeIsHomeAndNeverAFolder) {
  fs::create_directories(folder / "home/tmp");
  const std::string home =
      fmt::format("env HOME='{}' TMPDIR='~/tmp' ALPHASPARSE_CACHE='~/c'", path("home"));
  CliOutcome outcome =
      run_cli(folder, "emit m.mtx --design csr-scalar --device cpu:1 -o '~/o'", home);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  outcome = run_cli(folder, "tune m.mtx --time 0 --device cpu:1 -o '~' '--db=~/t.db'", home);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* made : {"o/m.cpu.cpp", "m.cpu.cpp", "t.db", "c"})
    EXPECT_TRUE(fs::exists(folder / "home" / made)) << made;
  for (const char* variable : {"ALPHASPARSE_DB", "TMPDIR"}) {
    outcome = run_cli(folder, "tune m.mtx --time 0 --device cpu:1 -o o",
                      fmt::format("env -u HOME {}='~/x'", variable));
    EXPECT_GE(outcome.status, 4);
    EXPECT_TRUE(contains(outcome.err, "HOME")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, variable)) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder / "~"));
}

TEST_F(CliOtherMachine, TheCompilerMayBeSeveralWords) {
  set_contents(folder / "wrapper",
               fmt::format("#!/bin/sh\necho \"$@\" >>'{}'\nexec \"$@\"\n", path("asked")));
  fs::permissions(folder / "wrapper", fs::perms::owner_all);
  fs::create_symlink("/usr/bin/g++", folder / "my g++");
  fs::create_symlink(folder / "wrapper", folder / "my wrapper");
  for (const char* named :
       {"./wrapper g++", "'./my wrapper' g++ -DX='a b'", "./wrapper './my g++'"}) {
    for (const char* device : {"cpu:1", "emulated:h200"}) {
      fs::remove(folder / "asked");
      const CliOutcome outcome =
          run_cli(folder, fmt::format("emit m.mtx --design csr-scalar -o o --device {}", device),
                  fmt::format("env ALPHASPARSE_CACHE=none ALPHASPARSE_CXX=\"{}\"", named));
      EXPECT_EQ(outcome.status, 0) << named << outcome.err;
      EXPECT_TRUE(contains(contents(folder / "asked"), "-shared")) << named;
      fs::remove_all(folder / "none");
    }
  }
  CliOutcome outcome = run_cli(folder, emit_on_cpu, "env ALPHASPARSE_CXX=\"./my g++\"");
  EXPECT_EQ(outcome.status, 0) << "the path of a program is one word: " << outcome.err;
  for (const char* named : {"'g++", "/nowhere/ccache g++", "./wrapper /nowhere/g++"}) {
    outcome = run_cli(folder, emit_on_cpu, fmt::format("env ALPHASPARSE_CXX=\"{}\"", named));
    EXPECT_EQ(outcome.status, 4) << named;
    EXPECT_TRUE(contains(outcome.err, named)) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "ALPHASPARSE_CXX")) << outcome.err;
  }
  outcome = run_cli(folder, "doctor", "env ALPHASPARSE_DB=t.db ALPHASPARSE_CXX=\"./wrapper g++\"");
  EXPECT_TRUE(contains(doctor_line(outcome.out, "g++"), "/wrapper g++ ")) << outcome.out;
}

}  // namespace
}  // namespace alphasparse
