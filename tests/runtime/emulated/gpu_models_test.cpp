// gpu_models_test: every row of the table is complete and in order, and GPUs are found by name.
#include "runtime/emulated/gpu_models.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "runtime/emulated/device.h"

namespace alphasparse {
namespace {

TEST(GpuModels, HaveEveryNumber) {
  std::set<std::string> names;
  for (const GpuModel& gpu : gpu_models()) {
    SCOPED_TRACE(gpu.name);
    EXPECT_TRUE(names.insert(gpu.name).second);
    EXPECT_TRUE(names.insert(gpu.full_name).second);
    const bool is_amds = find_dialect(gpu.arch) == Dialect::hip;
    EXPECT_TRUE(gpu.arch.starts_with(is_amds ? "gfx9" : "sm_"));
    EXPECT_EQ(gpu.fit.empty(), !is_amds);
    EXPECT_GE(gpu.multiprocessors, 80);
    EXPECT_GT(gpu.clock_ghz, 1);
    EXPECT_LT(gpu.clock_ghz, 3);
    EXPECT_GE(gpu.dram_gb_per_s, 800);
    EXPECT_GT(gpu.l2_gb_per_s, gpu.dram_gb_per_s);
    EXPECT_GE(gpu.l2_gb_per_s, gpu.l2_scattered_gb_per_s);
    EXPECT_GT(gpu.l2_scattered_gb_per_s, 0);
    EXPECT_GT(gpu.l2_kept, 0.5);
    EXPECT_LT(gpu.l2_kept, 1);
    EXPECT_EQ(l2_bytes_kept(gpu),
              static_cast<std::int64_t>(gpu.l2_kept * static_cast<double>(gpu.l2_bytes)));
    EXPECT_GE(gpu.l1_bytes + gpu.shared_bytes, (is_amds ? 80 : 128) << 10);
    EXPECT_TRUE(std::set({32, 64, 128}).contains(gpu.sector_bytes));
    EXPECT_EQ(gpu.sector_bytes > 32, is_amds);
    EXPECT_EQ(gpu.l2_bytes % gpu.l2_slices, 0);
    EXPECT_EQ(gpu.near_bytes > 0, gpu.near_ns > gpu.l2_ns && gpu.near_ns < gpu.dram_ns);
    EXPECT_GE(gpu.warps_max, 48);
    EXPECT_GE(gpu.blocks_max, 24);
    EXPECT_GT(gpu.launch_us, 0.5);
    EXPECT_GE(gpu.launch_single_us, gpu.launch_us);
    EXPECT_GT(gpu.block_ns * gpu.clock_ghz, 1) << "about a cycle";
    EXPECT_LT(gpu.block_ns * gpu.clock_ghz, 1.5);
    EXPECT_GT(gpu.l1_ns, 10);
    EXPECT_GT(gpu.l2_ns, (is_amds ? 1.8 : 4) * gpu.l1_ns);
    EXPECT_GT(gpu.dram_ns, 1.9 * gpu.l2_ns);
    EXPECT_EQ(find_gpu_model(gpu.name), &gpu);
    EXPECT_EQ(open_emulated_device(gpu.name, "")->info().l2_bytes, gpu.l2_bytes);
  }
  EXPECT_EQ(find_gpu_model("h20"), nullptr);
}

TEST(GpuModels, NameASourceForEveryColumn) {
  std::ifstream in(ALPHASPARSE_SOURCE_DIR "/runtime/emulated/gpu_models.cpp");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string sources = text.substr(text.find("// Sources"), text.find("gpu_models() {"));
  for (const char* const column :
       {"multiprocessors, clock", "l1, warps", "L2, whole lines", "L2, scattered sectors",
        "share of L2", "launch in a graph", "blocks   ", "latencies", "sectors  ",
        "cache behind L2", "L2 forgets", "L1 a cycle, issue"})
    EXPECT_NE(sources.find(column), std::string::npos) << column;
  for (const GpuModel& gpu : gpu_models())
    EXPECT_NE(sources.find(gpu.name), std::string::npos) << gpu.name << " has no source";
}

}  // namespace
}  // namespace alphasparse
