// fake_driver: the rules of the fakes of the makers' drivers, by the table of functions that the
// product calls.
#include "runtime/gpu/driver.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/fake_gpu_state.h"
#include "tests/support/fake_driver.h"

namespace alphasparse {
namespace {

constexpr int invalid_device = 101;
constexpr int invalid_handle = 400;
constexpr int not_ready = 600;
constexpr int capture_unsupported = 900;
constexpr int capture_invalidated = 901;

/// The table of a driver, on the first of its two devices.
class FakeDriverRules : public FakeDriverTest,
                        public testing::WithParamInterface<const FakeMaker*> {
 protected:
  const FakeMaker& maker() const override { return *GetParam(); }

  void SetUp() override {
    FakeDriverTest::SetUp();
    fake_->devices = 2;
    fake_->kernels["k"] = {};
    fake_->kernels["k"].threads_max = 64;
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
      ASSERT_EQ(api().device(&devices_[ordinal], ordinal), 0);
      ASSERT_EQ(api().retain_context(&contexts_[ordinal], devices_[ordinal]), 0);
    }
    ASSERT_EQ(api().set_context(contexts_[0]), 0);
    ASSERT_EQ(api().create_stream(&stream_, gpu_stream_non_blocking), 0);
  }

  void TearDown() override {
    api().destroy_stream(stream_);
    for (const int device : devices_) api().release_context(device);
    FakeDriverTest::TearDown();
  }

  /// The code of loading an image for this.
  int load(const std::string& arch) {
    GpuModule module = nullptr;
    const int code = api().load_module(&module, ("image for " + arch).c_str());
    if (code == gpu_success) api().unload_module(module);
    return code;
  }

  /// The code of launching kernel k, which runs.
  int launch(unsigned blocks, unsigned threads) {
    GpuModule module = nullptr;
    GpuFunction function = nullptr;
    EXPECT_EQ(api().load_module(&module, "an image"), 0);
    EXPECT_EQ(api().find_function(&function, module, "k"), 0);
    const int code =
        api().launch(function, blocks, 1, 1, threads, 1, 1, 0, stream_, nullptr, nullptr);
    EXPECT_EQ(api().wait_for_stream(stream_), 0);
    EXPECT_EQ(api().unload_module(module), 0);
    return code;
  }

  /// Takes the notes on broken rules.
  std::vector<std::string> broken() { return std::exchange(fake_->broken_rules, {}); }

  GpuStream stream_ = nullptr;
  int devices_[2] = {};
  GpuContext contexts_[2] = {};
};

INSTANTIATE_TEST_SUITE_P(, FakeDriverRules, testing::Values(&cuda_maker, &hip_maker),
                         [](const auto& info) { return info.param->kind->device; });

TEST_P(FakeDriverRules, AnImageRunsOnItsOwnArchitecture) {
  EXPECT_EQ(load(maker().arch), gpu_success);
  for (const char* const other : maker().other_archs)
    EXPECT_EQ(load(other), gpu_error_no_binary_for_gpu) << other;
  const FakeMaker& other_maker = &maker() == &cuda_maker ? hip_maker : cuda_maker;
  EXPECT_EQ(load(other_maker.arch), gpu_error_no_binary_for_gpu);
}

TEST_P(FakeDriverRules, ALaunchKeepsToItsLimits) {
  EXPECT_EQ(launch(1, 64), gpu_success);
  EXPECT_EQ(launch(2147483647, 1), gpu_success);
  EXPECT_EQ(launch(2147483648, 1), gpu_error_invalid_value);
  EXPECT_EQ(launch(0, 64), gpu_error_invalid_value);
  EXPECT_EQ(launch(1, 1025), gpu_error_invalid_value);
  const bool is_hip = &maker() == &hip_maker;
  EXPECT_EQ(launch(1, 65), is_hip ? gpu_error_launch_failed : gpu_error_invalid_value)
      << "beyond the kernel's launch bounds";
  EXPECT_EQ(launch((1 << 26) - 1, 64), gpu_success);
  EXPECT_EQ(launch(1 << 26, 64), is_hip ? gpu_error_invalid_value : gpu_success)
      << "HIP has fewer than 2^32 threads";
  fake_->kernels["k"] = {{}, {}, {}, 1024, 128};
  EXPECT_EQ(launch(1, 512), gpu_success);
  EXPECT_EQ(launch(1, 544), gpu_error_launch_out_of_resources);
}

TEST_P(FakeDriverRules, AStreamIsOfItsDevice) {
  ASSERT_EQ(api().set_context(contexts_[1]), 0);
  EXPECT_EQ(launch(1, 64), invalid_handle);
  ASSERT_EQ(api().set_context(contexts_[0]), 0);
  EXPECT_EQ(launch(1, 64), gpu_success);
  ASSERT_EQ(api().push_context(contexts_[1]), 0);
  EXPECT_EQ(launch(1, 64), invalid_handle);
  GpuContext popped = nullptr;
  ASSERT_EQ(api().pop_context(&popped), 0);
  EXPECT_EQ(launch(1, 64), gpu_success);
  GpuStream odd = nullptr;
  EXPECT_EQ(api().create_stream(&odd, 7), gpu_error_invalid_value);
}

TEST_P(FakeDriverRules, ADeviceThatIsNotThereIsRefused) {
  int device = 0;
  EXPECT_EQ(api().device(&device, 2), invalid_device);
}

TEST_P(FakeDriverRules, AWaitSpoilsACapture) {
  GpuGraphNodes nodes = nullptr;
  ASSERT_EQ(api().begin_capture(stream_, gpu_capture_relaxed), 0);
  EXPECT_EQ(api().wait_for_stream(stream_), capture_unsupported);
  EXPECT_EQ(api().end_capture(stream_, &nodes), capture_invalidated);
  EXPECT_EQ(nodes, nullptr);
  EXPECT_EQ(broken(), std::vector{std::string(api().wait_for_stream.name) + " in a capture"});
  ASSERT_EQ(api().begin_capture(stream_, gpu_capture_relaxed), 0);
  EXPECT_EQ(api().end_capture(stream_, &nodes), 0);
  EXPECT_EQ(api().destroy_graph_nodes(nodes), 0);
}

TEST_P(FakeDriverRules, TimeLiesBetweenEventsThatWereReached) {
  GpuEvent first = nullptr, last = nullptr;
  float ms = -1;
  ASSERT_EQ(api().create_event(&first, gpu_event_default), 0);
  ASSERT_EQ(api().create_event(&last, gpu_event_default), 0);
  EXPECT_EQ(api().elapsed_ms(&ms, first, last), invalid_handle);
  fake_->kernels["k"].time_us = [] { return 2500.0; };
  ASSERT_EQ(api().record_event(first, stream_), 0);
  EXPECT_EQ(launch(1, 1), 0);
  ASSERT_EQ(api().record_event(last, stream_), 0);
  EXPECT_EQ(api().elapsed_ms(&ms, first, last), not_ready);
  ASSERT_EQ(api().wait_for_event(last), 0);
  EXPECT_EQ(api().elapsed_ms(&ms, first, last), 0);
  EXPECT_EQ(ms, 2.5F);
  for (GpuEvent event : {first, last}) EXPECT_EQ(api().destroy_event(event), 0);
}

TEST_P(FakeDriverRules, CopiesStayInTheirMemory) {
  GpuPointer memory = 0;
  ASSERT_EQ(api().allocate(&memory, 100), 0);
  EXPECT_EQ(memory % 256, 0U);
  std::vector<char> host(101, 7);
  EXPECT_EQ(api().copy_to_device(memory, host.data(), 101, stream_), gpu_error_invalid_value);
  EXPECT_EQ(api().copy_to_device(memory, host.data(), 100, stream_), 0);
  host.assign(101, 0);
  EXPECT_EQ(api().copy_to_host(host.data(), memory + 1, 100, stream_), gpu_error_invalid_value);
  EXPECT_EQ(api().copy_to_host(host.data(), memory, 100, stream_), 0);
  EXPECT_EQ(host[0], 0) << "it is queued";
  EXPECT_EQ(api().wait_for_stream(stream_), 0);
  EXPECT_EQ(host[99], 7);
  EXPECT_EQ(host[100], 0);
  // One byte of each two lines of 10.
  EXPECT_EQ(api().fill(memory, 1, 100, stream_), 0);
  EXPECT_EQ(api().copy_rectangle({memory, 10, memory + 50, 10, 1, 2}, stream_), 0);
  EXPECT_NE(api().copy_rectangle({memory, 1, memory + 50, 10, 2, 2}, stream_), 0);
  EXPECT_NE(api().copy_rectangle({memory, 10, memory + 50, 10, 1, 6}, stream_), 0);
  EXPECT_EQ(api().free(memory), 0) << "it waits for the queue";
  EXPECT_TRUE(fake_->queue.empty());
  EXPECT_EQ(api().free(memory + 1), gpu_error_invalid_value);
}

TEST_P(FakeDriverRules, AModuleOutlivesTheGraphsOfItsKernels) {
  GpuModule module = nullptr;
  GpuFunction function = nullptr;
  GpuGraphNodes nodes = nullptr;
  GpuGraphExec graph = nullptr;
  ASSERT_EQ(api().load_module(&module, "an image"), 0);
  ASSERT_EQ(api().find_function(&function, module, "k"), 0);
  ASSERT_EQ(api().begin_capture(stream_, gpu_capture_relaxed), 0);
  ASSERT_EQ(api().launch(function, 1, 1, 1, 64, 1, 1, 0, stream_, nullptr, nullptr), 0);
  ASSERT_EQ(api().end_capture(stream_, &nodes), 0);
  EXPECT_EQ(broken(), std::vector<std::string>{"first launch of k in a capture"});
  ASSERT_EQ(api().make_graph(&graph, nodes, 0), 0);
  ASSERT_EQ(api().launch_graph(graph, stream_), 0);
  ASSERT_EQ(api().unload_module(module), 0);
  const std::string name = api().unload_module.name;
  EXPECT_EQ(broken(), (std::vector{name + " while its kernels are queued",
                                   name + " while a graph has its kernels"}));
  fake_->queue.clear();
  api().destroy_graph(graph);
  api().destroy_graph_nodes(nodes);
}

TEST_P(FakeDriverRules, AForkOfAProcessThatUsesTheDriverCannot) {
  const pid_t child = fork();
  if (child == 0) _exit(api().init(0) == gpu_error_not_initialized ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(api().init(0), gpu_success) << "the process itself can";
}

TEST_P(FakeDriverRules, AnErrorThatStaysIsTheAnswerOfAllCalls) {
  fake_->lost = gpu_error_illegal_address;
  GpuPointer memory = 0;
  EXPECT_EQ(api().allocate(&memory, 1), gpu_error_illegal_address);
  EXPECT_EQ(api().wait_for_stream(stream_), gpu_error_illegal_address);
  fake_->lost = 0;
}

/// The rules of HIP's runtime that CUDA's driver lacks.
class FakeHip : public FakeDriverTest {
 protected:
  const FakeMaker& maker() const override { return hip_maker; }

  /// A function of a library.
  template <class Function>
  static void find(Function*& function, const char* symbol) {
    void* const library = dlopen(std::getenv(hip_maker.kind->variable), RTLD_NOW | RTLD_LOCAL);
    function = reinterpret_cast<Function*>(dlsym(library, symbol));
    ASSERT_NE(function, nullptr) << symbol;
  }
};

TEST_F(FakeHip, AThreadBeginsOnTheFirstDevice) {
  int (*device_of_thread)(int*) = nullptr;
  int (*select)(int) = nullptr;
  find(device_of_thread, "hipGetDevice");
  find(select, "hipSetDevice");
  fake_->devices = 2;
  int device = -1;
  GpuPointer memory = 0;
  EXPECT_EQ(device_of_thread(&device), 0);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(api().allocate(&memory, 4), 0);
  EXPECT_EQ(api().free(memory), 0);
  EXPECT_EQ(select(2), invalid_device);
  EXPECT_EQ(select(1), 0);
  EXPECT_EQ(device_of_thread(&device), 0);
  EXPECT_EQ(device, 1);
}

TEST_F(FakeHip, NoBytesAreNoError) {
  GpuPointer memory = 1;
  EXPECT_EQ(api().allocate(&memory, 0), 0);
  EXPECT_EQ(memory, 0U);
  EXPECT_EQ(api().free(memory), 0);
}

TEST_F(FakeHip, CodeRunsWithTheFeaturesThatItNames) {
  GpuModule module = nullptr;
  for (const auto& [arch, code] : {std::pair{"gfx90a", 0},
                                   {"gfx90a:xnack-", 0},
                                   {"gfx90a:sramecc+", 0},
                                   {"gfx90a:xnack+", gpu_error_no_binary_for_gpu},
                                   {"gfx90", gpu_error_no_binary_for_gpu},
                                   {"gfx942", gpu_error_no_binary_for_gpu}}) {
    EXPECT_EQ(api().load_module(&module, (std::string("image for ") + arch).c_str()), code) << arch;
    if (code == 0) api().unload_module(module);
  }
  std::string arch;
  setenv("FAKE_GPU_ARCH", "gfx942:sramecc+:xnack-", 1);
  EXPECT_EQ(api().arch(&arch, 0), 0);
  EXPECT_EQ(arch, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(api().load_module(&module, "image for gfx942"), 0);
  api().unload_module(module);
  unsetenv("FAKE_GPU_ARCH");
}

TEST_F(FakeHip, AVariableHidesDevices) {
  fake_->devices = 3;
  for (const auto& [list, count] :
       {std::pair{"0,1,2", 3}, {"2,0", 2}, {"1,7,0", 1}, {"-1", 0}, {"", 0}}) {
    setenv("HIP_VISIBLE_DEVICES", list, 1);
    int seen = -1;
    EXPECT_EQ(api().device_count(&seen), count > 0 ? gpu_success : gpu_error_no_device) << list;
    EXPECT_EQ(seen, count) << list;
    EXPECT_EQ(api().init(0), count > 0 ? gpu_success : gpu_error_no_device) << list;
  }
  char name[100];
  setenv("HIP_VISIBLE_DEVICES", "2,0", 1);
  EXPECT_EQ(api().device_name(name, sizeof name, 0), 0);
  EXPECT_STREQ(name, hip_maker.other_gpu);
  EXPECT_EQ(api().device_name(name, sizeof name, 1), 0);
  EXPECT_STREQ(name, hip_maker.gpu);
  unsetenv("HIP_VISIBLE_DEVICES");
}

}  // namespace
}  // namespace alphasparse
