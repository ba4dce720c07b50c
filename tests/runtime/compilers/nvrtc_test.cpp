// nvrtc_test: the compiler's log is read right, and - where NVRTC is - that sources compile, fail
// and report as promised.
#include "runtime/compilers/nvrtc.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/system/machine/toolkit_paths.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {
namespace {

constexpr const char* small_source =
    "extern \"C\" __global__ void twice(float* y) { y[threadIdx.x] *= 2; }\n"
    "extern \"C\" __global__ void staged(float* y) {\n"
    "  __shared__ float part[64];\n"
    "  part[threadIdx.x] = y[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  y[threadIdx.x] = part[63 - threadIdx.x];\n"
    "}\n";

class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  }
  const Nvrtc& compiler() const { return *nvrtc(); }
};

TEST(PtxasLog, OfCuda13) {
  const std::vector<KernelFacts> facts = parse_ptxas_log(
      "kernel.cu(13): warning #177-D: variable \"unused\" was declared but never referenced\n\n"
      "ptxas info    : 4 bytes gmem\n"
      "ptxas info    : Compiling entry function 'spmv' for 'sm_90'\n"
      "ptxas info    : Function properties for spmv\n"
      "ptxas         .     304 bytes stack frame, 344 bytes spill stores, 348 bytes spill loads\n"
      "ptxas info    : Used 64 registers, used 1 barriers, 4096 bytes smem\n"
      "ptxas info    : Compile time = 20.589 ms\n"
      "ptxas info    : Compiling entry function 'spmv_init' for 'sm_90'\n"
      "ptxas info    : Function properties for spmv_init\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 0 barriers\n"
      "ptxas info    : Compile time = 1.689 ms\n");
  const std::vector<KernelFacts> expected = {{"spmv", 64, 344, 348, 304, 4096, -1},
                                             {"spmv_init", 10, 0, 0, 0, 0, -1}};
  EXPECT_EQ(facts, expected);
}

TEST(PtxasLog, OfCuda12WithConstants) {
  const std::vector<KernelFacts> facts = parse_ptxas_log(
      "ptxas info    : 0 bytes gmem, 8 bytes cmem[4]\n"
      "ptxas info    : Compiling entry function 'spmv' for 'sm_80'\n"
      "ptxas info    : Function properties for spmv\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, 392 bytes cmem[0], 16 bytes cmem[2]\n");
  const std::vector<KernelFacts> expected = {{"spmv", 24, 0, 0, 0, 0, 408}};
  EXPECT_EQ(facts, expected);
}

TEST(PtxasLog, LeavesFunctionsThatWereNotInlinedOut) {
  const std::vector<KernelFacts> facts = parse_ptxas_log(
      "ptxas info    : Compiling entry function 'spmv' for 'sm_90'\n"
      "ptxas info    : Function properties for spmv\n"
      "ptxas         .     8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers\n"
      "ptxas info    : Function properties for _Z1gPfi\n"
      "ptxas         .     32 bytes stack frame, 28 bytes spill stores, 28 bytes spill loads\n");
  ASSERT_EQ(facts.size(), 1U);
  EXPECT_EQ(facts[0].stack_bytes, 8);
  EXPECT_EQ(facts[0].spill_store_bytes, 0);
}

TEST(PtxasLog, NothingInNothing) { EXPECT_TRUE(parse_ptxas_log("").empty()); }

/// Files of that name start that this process has mapped.
bool is_mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/" + name) != std::string::npos) return true;
  }
  return false;
}

// NVRTC asks the loader for its builtins by their bare name. Where NVRTC lies in a folder that the
// loader does not search, that finds nothing.
TEST(NvrtcByPath, HasTheBuiltinsOfItsFolder) {
  std::string file;
  for (const std::string& place :
       toolkit_paths("ALPHASPARSE_LIBNVRTC_NONE", {"libnvrtc.so.13", "libnvrtc.so.12"})) {
    if (file.empty() && place.starts_with("/") && std::filesystem::exists(place)) file = place;
  }
  if (file.empty()) GTEST_SKIP() << "skipped: no NVRTC lies in a known folder";
  ASSERT_FALSE(is_mapped("libnvrtc-builtins.so"));
  const Result<Nvrtc> opened = Nvrtc::open({file});
  ASSERT_TRUE(opened.ok()) << opened.reason();
  EXPECT_TRUE(is_mapped("libnvrtc-builtins.so")) << file << ": before anything is compiled";
  const Result<CompiledKernel> compiled = opened->compile_nothing("sm_80");
  EXPECT_TRUE(compiled.ok()) << compiled.reason();
}

TEST(NvrtcMissing, SaysWhereItLookedAndWhatToInstall) {
  const Result<Nvrtc> missing = Nvrtc::open({"libnvrtc-of-nobody.so", "/nowhere/libnvrtc.so"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.failure().status, Status::pruned) << "there is none at all";
  for (const char* part : {"libnvrtc-of-nobody.so", "/nowhere/libnvrtc.so", "install"}) {
    EXPECT_NE(missing.reason().find(part), std::string::npos) << missing.reason();
  }
  EXPECT_EQ(missing.reason().find('\n'), std::string::npos);
}

TEST(NvrtcMissing, AnotherLibraryIsNotTakenForIt) {
  const Result<Nvrtc> other = Nvrtc::open({"libm.so.6"});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.reason().find("libm.so.6 lacks"), std::string::npos) << other.reason();
}

TEST(NvrtcMissing, AFileThatDoesNotLoadIsNamedWithTheReason) {
  const Result<Nvrtc> text = Nvrtc::open({ALPHASPARSE_SOURCE_DIR "/CMakeLists.txt"});
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.reason().find("invalid ELF header"), std::string::npos) << text.reason();
  EXPECT_NE(text.failure().status, Status::pruned) << "one is there";
}

TEST(NvrtcPlaces, NamesComeBeforeFolders) {
  const std::vector<std::string> places = Nvrtc::paths();
  ASSERT_GT(places.size(), 6U);
  EXPECT_EQ(places[0], "libnvrtc.so.13");
  EXPECT_EQ(places[1], "libnvrtc.so");
  EXPECT_EQ(places[2], "libnvrtc.so.12");
  EXPECT_EQ(places[3].front(), '/');
}

TEST(NvrtcPlaces, AreOneWhereTheEnvironmentNamesIt) {
  setenv("ALPHASPARSE_LIBNVRTC", "/nowhere/libnvrtc.so", 1);
  EXPECT_EQ(Nvrtc::paths(), std::vector<std::string>{"/nowhere/libnvrtc.so"});
  const Result<Nvrtc> missing = Nvrtc::open();
  unsetenv("ALPHASPARSE_LIBNVRTC");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.reason().find("looked for /nowhere/libnvrtc.so;"), std::string::npos)
      << missing.reason();
}

TEST_F(Compiler, GivesCubinAndFactsOfEveryKernel) {
  for (const char* arch : {"sm_80", "sm_90"}) {
    ASSERT_FALSE(compiler().lacks(arch));
    const Result<CompiledKernel> compiled = compiler().compile(small_source, arch);
    ASSERT_TRUE(compiled.ok()) << compiled.reason();
    ASSERT_GT(compiled->cubin.size(), 4U);
    EXPECT_EQ(std::memcmp(compiled->cubin.data(), "\177ELF", 4), 0);
    EXPECT_EQ(compiled->kernels.size(), 2U);
    const KernelFacts* const twice = compiled->find("twice");
    ASSERT_NE(twice, nullptr);
    EXPECT_GT(twice->registers, 0);
    EXPECT_EQ(twice->spill_store_bytes, 0);
    EXPECT_EQ(twice->shared_bytes, 0);
    const KernelFacts* const staged = compiled->find("staged");
    ASSERT_NE(staged, nullptr);
    EXPECT_EQ(staged->shared_bytes, 256);
    EXPECT_EQ(compiled->find("nobody"), nullptr);
  }
  EXPECT_TRUE(compiler().lacks("sm_12"));
  EXPECT_TRUE(compiler().lacks("90"));
}

TEST_F(Compiler, TakesTheKernelsThatTheEmulatorRuns) {
  const Matrix matrix = large_stencil(20);
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    std::vector<Kernel> kernels = {csr5_kernel(matrix, dtype)};
    for (const char* file :
         {"csr_scalar.cu", "csr_vector.cu", "csr_stream.cu", "csr_init_add.cu"}) {
      kernels.push_back(csr_kernel(file, matrix, dtype, 256, 1));
    }
    for (const Kernel& kernel : kernels) {
      const Result<CompiledKernel> compiled = compiler().compile(kernel.source, "sm_90");
      ASSERT_TRUE(compiled.ok()) << kernel.design << ": " << compiled.reason();
      for (const Launch& launch : kernel.launches) {
        EXPECT_NE(compiled->find(launch.kernel), nullptr) << kernel.design << " " << launch.kernel;
      }
    }
  }
}

TEST_F(Compiler, SeesSpills) {
  const Result<CompiledKernel> compiled = compiler().compile(
      "extern \"C\" __global__ void __launch_bounds__(1024) wide(float* a) {\n"
      "  float v[200];\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 200; i++) v[i] = a[i * 7];\n"
      "  __syncthreads();\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 200; i++) a[i * 3] = v[199 - i] * v[i];\n"
      "}\n",
      "sm_90");
  ASSERT_TRUE(compiled.ok()) << compiled.reason();
  EXPECT_EQ(compiled->kernels.at(0).registers, 64);
  EXPECT_GT(compiled->kernels.at(0).spill_store_bytes, 0);
  EXPECT_GT(compiled->kernels.at(0).spill_load_bytes, 0);
}

TEST_F(Compiler, NamesTheLineOfTheFirstError) {
  const Result<CompiledKernel> compiled = compiler().compile(
      "extern \"C\" __global__ void k(float* a) {\n  int error;\n  b[0] = 1;\n  c[0] = 1;\n}\n",
      "sm_90");
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.failure().status, Status::compile_error);
  EXPECT_NE(compiled.reason().find("sm_90: line 3: identifier \"b\" is undefined"),
            std::string::npos)
      << compiled.reason();
}

TEST_F(Compiler, ExplainsSharedMemoryThatDoesNotFit) {
  const Result<CompiledKernel> compiled = compiler().compile(
      "extern \"C\" __global__ void big(float* a) {\n  __shared__ float s[20000];\n"
      "  s[threadIdx.x] = a[0];\n  __syncthreads();\n  a[1] = s[3];\n}\n",
      "sm_90");
  ASSERT_FALSE(compiled.ok());
  EXPECT_NE(compiled.reason().find("shared"), std::string::npos) << compiled.reason();
}

TEST_F(Compiler, RefusesAnUnknownArchitectureAndOption) {
  const auto refusal = [&](const std::string& arch, const std::vector<std::string>& options) {
    try {
      (void)compiler().compile(small_source, arch, options);
      return std::string();
    } catch (const Error& fault) {
      EXPECT_EQ(fault.code(), ExitCode::no_device);
      return std::string(fault.what());
    }
  };
  EXPECT_NE(refusal("sm_12", {}).find("gpu-architecture"), std::string::npos);
  EXPECT_NE(refusal("sm_90", {"--nonsense"}).find("--nonsense"), std::string::npos);
}

TEST_F(Compiler, GivesPtx) {
  const Result<std::string> ptx = compiler().compile_ptx(small_source, "sm_90");
  ASSERT_TRUE(ptx.ok()) << ptx.reason();
  EXPECT_NE(ptx->find(".target sm_90"), std::string::npos);
  EXPECT_NE(ptx->find(".entry twice"), std::string::npos);
  EXPECT_EQ(ptx->find('\0'), std::string::npos);
  const Result<std::string> wrong = compiler().compile_ptx("int f() { return a; }", "sm_90");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.reason().find("compute_90: line 1:"), std::string::npos) << wrong.reason();
}

TEST_F(Compiler, WorksInSeveralThreads) {
  const Result<CompiledKernel> alone = compiler().compile(small_source, "sm_90");
  ASSERT_TRUE(alone.ok());
  std::vector<std::vector<KernelFacts>> facts(4);
  std::vector<std::thread> threads;
  for (std::vector<KernelFacts>& mine : facts) {
    threads.emplace_back([&] {
      const Result<CompiledKernel> compiled = compiler().compile(small_source, "sm_90");
      if (compiled.ok()) mine = compiled->kernels;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<KernelFacts>& mine : facts) EXPECT_EQ(mine, alone->kernels);
}

}  // namespace
}  // namespace alphasparse
