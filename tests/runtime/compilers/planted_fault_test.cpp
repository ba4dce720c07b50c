// planted_fault_test: the kernels that compute-sanitizer must find a fault in hold that fault after
// the compiler's passes.
#include <gtest/gtest.h>

#include "runtime/compilers/nvrtc.h"
#include "tests/gpu/planted_kernel.h"

namespace alphasparse {
namespace {

/// PTX of the planted kernel; NVRTC's passes have run on it.
std::string planted_ptx(const char* tool) {
  const Result<std::string> ptx = nvrtc()->compile_ptx(planted_source(tool), "sm_90");
  EXPECT_TRUE(ptx.ok()) << ptx.reason();
  return ptx ? *ptx : "";
}

bool has(const std::string& ptx, const char* words) { return ptx.find(words) != std::string::npos; }

TEST(PlantedFault, TheRaceIsCompiled) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  const std::string ptx = planted_ptx("racecheck");
  EXPECT_TRUE(has(ptx, "st.shared")) << ptx;
  EXPECT_TRUE(has(ptx, "ld.shared")) << ptx;
  EXPECT_FALSE(has(ptx, "bar.sync")) << ptx;
}

TEST(PlantedFault, TheReadBeyondTheEndIsCompiled) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  EXPECT_TRUE(has(planted_ptx("memcheck"), "+16777216]"));  // bytes beyond the thread's own element
}

}  // namespace
}  // namespace alphasparse
