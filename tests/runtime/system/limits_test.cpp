// limits: the cores and the memory that control groups, affinity and Slurm leave.
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/system/machine/control_groups.h"
#include "runtime/system/machine/cores.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// A made-up /proc and /sys.
struct Limits : ::testing::Test {
  void put(const std::string& file, const std::string& text) {
    fs::create_directories((root / file).parent_path());
    set_contents(root / file, text);
  }

  double cores() const {
    const auto found = group_cores(root.path());
    return found ? found->cores : -1;
  }

  std::int64_t bytes() const {
    const auto found = group_memory(root.path());
    return found ? found->bytes_left : -1;
  }

  TestFolder root;
  const std::string groups = "sys/fs/cgroup/";
};

TEST_F(Limits, NoGroupsAreNoLimit) {
  EXPECT_EQ(cores(), -1);
  EXPECT_EQ(bytes(), -1);
  put("proc/self/cgroup", "0::/job\n");
  put(groups + "job/memory.max", "max\n");
  put(groups + "job/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), -1);
  EXPECT_EQ(bytes(), -1);
}

TEST_F(Limits, OfVersion2TheSmallestOnTheWayToTheRootHolds) {
  put("proc/self/cgroup", "0::/system.slice/job/step\n");
  put(groups + "cpu.max", "800000 100000\n");
  put(groups + "system.slice/cpu.max", "150000 100000\n");
  put(groups + "system.slice/job/cpu.max", "max 100000\n");
  put(groups + "system.slice/job/step/cpu.max", "400000 100000\n");
  put(groups + "system.slice/memory.max", "1000000\n");
  put(groups + "system.slice/job/memory.max", "300000\n");
  put(groups + "system.slice/job/memory.current", "100000\n");
  put(groups + "system.slice/job/memory.stat", "anon 50000\ninactive_file 40000\n");
  EXPECT_EQ(cores(), 1.5);
  EXPECT_EQ(group_cores(root.path())->file, root / "sys/fs/cgroup/system.slice/cpu.max");
  EXPECT_EQ(bytes(), 240000) << "pages of files that nobody needs are free";
  EXPECT_EQ(group_memory(root.path())->file, root / "sys/fs/cgroup/system.slice/job/memory.max");
  put(groups + "system.slice/memory.high", "200000\n");
  EXPECT_EQ(bytes(), 200000);
  put("proc/self/cgroup", "0::/other\n");
  EXPECT_EQ(cores(), 8);
  EXPECT_EQ(bytes(), -1);
}

TEST_F(Limits, OfVersion1EachControllerHasAGroupOfItsOwn) {
  put("proc/self/cgroup",
      "5:memory:/slurm/uid_1/job_2\n4:cpu,cpuacct:/slurm/uid_1\n1:name=systemd:/\n0::/\n");
  put(groups + "memory/memory.limit_in_bytes", "9223372036854771712\n");
  put(groups + "memory/slurm/uid_1/job_2/memory.limit_in_bytes", "300000\n");
  put(groups + "memory/slurm/uid_1/job_2/memory.usage_in_bytes", "100000\n");
  put(groups + "cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put(groups + "cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  put(groups + "cpu,cpuacct/slurm/cpu.cfs_quota_us", "50000\n");
  put(groups + "cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(bytes(), 200000);
  EXPECT_EQ(cores(), 0.5);
}

TEST_F(Limits, MountsMayLieAnywhereAndShowAPartOfTheTree) {
  put("proc/self/mountinfo",
      "31 23 0:28 / / rw - ext4 disk rw\n"
      "32 31 0:29 /docker/abc /all\\040groups/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu\n"
      "33 31 0:30 / /two rw - cgroup2 cgroup2 rw\n");
  put("proc/self/cgroup", "4:cpu:/docker/abc/inner\n0::/../outside\n");
  put("all groups/cpu/cpu.cfs_quota_us", "300000\n");
  put("all groups/cpu/cpu.cfs_period_us", "100000\n");
  put("all groups/cpu/inner/cpu.cfs_quota_us", "200000\n");
  put("all groups/cpu/inner/cpu.cfs_period_us", "100000\n");
  put("two/memory.max", "5000\n");
  EXPECT_EQ(cores(), 2);
  EXPECT_EQ(bytes(), 5000);
  put("proc/self/cgroup", "4:cpu:/docker/other\n");
  EXPECT_EQ(cores(), 3) << "a group that is not shown is the top of what is";
}

TEST_F(Limits, CoresAreTheLeastOfAllLimits) {
  unsetenv("SLURM_CPUS_PER_TASK");
  const int all = usable_cores(root.path()).count;
  put("proc/self/cgroup", "0::/\n");
  put(groups + "cpu.max", "20000 100000\n");
  const UsableCores limited = usable_cores(root.path());
  EXPECT_EQ(limited.count, 1) << "a fifth of a core is one";
  if (all > 1) {
    EXPECT_EQ(limited.limit, root / "sys/fs/cgroup/cpu.max");
  }
  put(groups + "cpu.max", "99999900000 100000\n");
  EXPECT_EQ(usable_cores(root.path()).count, all);
  for (const char* nothing : {"", "0", "-1", "two", "1(x2)"}) {
    setenv("SLURM_CPUS_PER_TASK", nothing, 1);
    EXPECT_EQ(usable_cores(root.path()).count, all) << nothing;
  }
  setenv("SLURM_CPUS_PER_TASK", "1", 1);
  EXPECT_EQ(usable_cores(root.path()).count, 1);
  if (all > 1) {
    EXPECT_EQ(usable_cores(root.path()).limit, "SLURM_CPUS_PER_TASK=1");
  }
  unsetenv("SLURM_CPUS_PER_TASK");
}

TEST_F(Limits, AffinityIsALimit) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(root.path()).count, 1);
  EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace alphasparse
