// ctest label: emulator
// fake_gpu: the fake of a GPU itself - its compiler's messages, right results of kernels, faults
// that are seen, and faults on command. It stands for the GPU in the tests of the measured path
// (cli_gpu_test.cpp).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/cuda/driver.h"
#include "runtime/device/verify.h"
#include "runtime/worker/device.h"
#include "templates/templates.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/design_check.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

class FakeCompiler : public FakeGpuTest {
 protected:
  void SetUp() override {
    FakeGpuTest::SetUp();
    auto opened = Nvrtc::open();
    ASSERT_TRUE(opened.ok()) << opened.reason();
    compiler_.emplace(std::move(*opened));
  }

  Result<CompiledKernel> compile(const std::string& source) {
    return compiler_->compile(source, "sm_90");
  }

  std::optional<Nvrtc> compiler_;
};

TEST_F(FakeCompiler, TellsOfEveryKernelAndGivesAnImage) {
  EXPECT_EQ(compiler_->version(), fmt::format("{}.0", fake_nvrtc_major));
  EXPECT_FALSE(compiler_->lacks("sm_90"));
  EXPECT_TRUE(compiler_->lacks("sm_35"));
  const auto compiled = compile(
      "extern \"C\" __global__ void one(float* y) { y[threadIdx.x] = 1; }\n"
      "extern \"C\" __global__ void __launch_bounds__(64)\n    two(double* y, int n) {\n"
      "  y[0] = n;\n}\n");
  ASSERT_TRUE(compiled.ok()) << compiled.reason();
  const std::vector<KernelFacts> expected = {{"one", fake_registers, 0, 0, 0, 0, -1},
                                             {"two", fake_registers, 0, 0, 0, 0, -1}};
  EXPECT_EQ(compiled->kernels, expected);
  ASSERT_GT(compiled->cubin.size(), 4U);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(compiled->cubin.data()), 4), "\177ELF");
}

TEST_F(FakeCompiler, LacksNothingWhereItTellsNoArchitectures) {
  const std::filesystem::path file = folder / fake_nvrtc_silent;
  std::filesystem::copy_file(compiler_->file(), file);
  const Result<Nvrtc> silent = Nvrtc::open({file.string()});
  ASSERT_TRUE(silent.ok()) << silent.reason();
  EXPECT_FALSE(silent->lacks("sm_90"));
  EXPECT_FALSE(silent->lacks("sm_35"));
}

TEST_F(FakeCompiler, NamesTheLineOfAnError) {
  const auto compiled = compile("\n\nextern \"C\" __global__ void k(int* y) { y[0] = there; }\n");
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.failure().status, Status::compile_error);
  EXPECT_TRUE(compiled.reason().starts_with("NVRTC 99.0 for sm_90: line 3: ")) << compiled.reason();
  EXPECT_NE(compiled.reason().find("there"), std::string::npos) << compiled.reason();
}

// The first load finds an address that its type's size does not divide.
TEST_F(FakeCompiler, AMisalignedWideLoadLosesTheContext) {
  const auto compiled = compile(
      "extern \"C\" __global__ void wide(float* y, const float* x, int first) {\n"
      "  const float4 four = *(const float4*)(x + first);\n"
      "  y[0] = four.x + four.w;\n}\n");
  ASSERT_TRUE(compiled.ok()) << compiled.reason();
  for (const auto& [first, expected] : {std::pair{4, 0}, {1, 716}}) {
    const auto driver = open_cuda_driver();
    ASSERT_TRUE(driver.ok()) << driver.reason();
    const GpuApi& api = driver->api();
    GpuContext context = nullptr;
    GpuModule module = nullptr;
    GpuFunction function = nullptr;
    GpuPointer x = 0, y = 0;
    int device = -1;
    ASSERT_EQ(api.device(&device, 0), 0);
    ASSERT_EQ(api.retain_context(&context, device), 0);
    ASSERT_EQ(api.set_context(context), 0);
    ASSERT_EQ(api.load_module(&module, compiled->cubin.data()), 0);
    ASSERT_EQ(api.find_function(&function, module, "wide"), 0);
    ASSERT_EQ(api.allocate(&x, 64), 0);
    ASSERT_EQ(api.allocate(&y, 64), 0);
    int at = first;
    void* parameters[] = {&y, &x, &at};
    ASSERT_EQ(api.launch(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), 0);
    EXPECT_EQ(api.wait_for_stream(nullptr), expected);
    api.free(x);
    api.free(y);
    api.unload_module(module);
    api.release_context(device);
  }
}

std::unique_ptr<Device> open_in_worker(const FakeMaker& maker, const WorkerLimits& limits = {}) {
  return open_worker_device([&] { return maker.open_device(0, {}); }, limits);
}

class FakeCudaDevice : public FakeGpuTest {
 protected:
  static std::unique_ptr<Device> open() { return open_in_worker(cuda_maker); }
};

class FakeDevice : public FakeGpuTest, public testing::WithParamInterface<const FakeMaker*> {
 protected:
  FakeDevice() : FakeGpuTest(*GetParam()) {}

  static const FakeMaker& maker() { return *GetParam(); }
  static std::unique_ptr<Device> open(const WorkerLimits& limits = {}) {
    return open_in_worker(maker(), limits);
  }
};

INSTANTIATE_TEST_SUITE_P(, FakeDevice, testing::Values(&cuda_maker, &hip_maker),
                         [](const auto& info) { return info.param->kind->device; });

TEST_P(FakeDevice, IsAGpuThatSaysItIsADouble) {
  const DeviceInfo info = open()->info();
  EXPECT_EQ(info.gpu, maker().gpu);
  EXPECT_EQ(info.kind, TimeKind::measured);
  EXPECT_EQ(info.version,
            fmt::format("driver of {} 99.0, {}", maker().kind->name, maker().compiler));
}

// A compiler of a later CUDA than the driver's, or one with images that it refuses, is replaced by
// the next.
TEST_F(FakeCudaDevice, CompilesWithAnNvrtcThatTheDriverTakes) {
  const std::string own = std::getenv("ALPHASPARSE_LIBNVRTC");
  const auto copy = [&](const char* name) {
    std::filesystem::copy_file(own, folder / name);
    return (folder / name).string();
  };
  const std::string newer = copy(fake_nvrtc_newer), refused = copy(fake_nvrtc_refused);
  setenv("ALPHASPARSE_LIBNVRTC", (newer + ":" + refused + ":" + own).c_str(), 1);
  const std::unique_ptr<Device> device = open();
  EXPECT_EQ(device->info().version, "driver of CUDA 99.0, NVRTC 99.0");
  const Matrix matrix = with_integer_values(battery_matrix("stencil_23"));
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EXPECT_EQ(kernel_problem(*device, kernel, matrix, false), "");

  setenv("ALPHASPARSE_LIBNVRTC", (newer + ":" + refused).c_str(), 1);
  try {
    open();
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("newer.so) is newer than the driver, of CUDA 99.0"), std::string::npos)
        << text;
    EXPECT_NE(text.find("refused.so): loading the compiled kernel: "), std::string::npos) << text;
  }
}

// The compiler knows 80, 86, 89, 90 and 100: of a family the newest before, else PTX.
TEST_F(FakeCudaDevice, AGpuThatIsNewerThanTheCompilerRunsTheNewestThatItKnows) {
  const Matrix matrix = with_integer_values(battery_matrix("stencil_23"));
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  for (const auto& [arch, target] : {std::pair{"103", "sm_100"}, {"121", "compute_100"}}) {
    setenv("FAKE_GPU_ARCH", arch, 1);
    const std::unique_ptr<Device> device = open();
    EXPECT_EQ(device->info().arch, std::string("sm_") + arch);
    EXPECT_EQ(device->info().compiler, std::string("NVRTC 99.0 for ") + target);
    EXPECT_EQ(kernel_problem(*device, kernel, matrix, false), "");
  }
  setenv("FAKE_GPU_ARCH", "75", 1);
  EXPECT_THROW(open(), Error);
  unsetenv("FAKE_GPU_ARCH");
}

// As where a cache or a compiler gives an image of another GPU.
TEST_P(FakeDevice, TakesNoImageOfAnotherArchitecture) {
  const Matrix matrix = with_integer_values(battery_matrix("stencil_23"));
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  const auto reason_of_image_for = [&](const std::string& arch) {
    bool is_open = false;  // the session's own code is for the GPU
    const auto compile = [&](const std::string& source, const std::string& own) {
      return maker().compile(source, std::exchange(is_open, true) ? arch : own);
    };
    const auto device = open_worker_device([&] { return maker().open_device(0, compile); });
    const auto loaded = device->load(kernel);
    return loaded ? "" : loaded.reason();
  };
  EXPECT_EQ(reason_of_image_for(maker().arch), "");
  for (const char* const other : maker().other_archs) {
    const std::string reason = reason_of_image_for(other);
    EXPECT_TRUE(reason.starts_with("loading the compiled kernel: a faked error (")) << reason;
    EXPECT_NE(reason.find(", 209); "), std::string::npos) << reason;
  }
}

TEST_P(FakeDevice, NamedDesignsAreRight) {
  const std::unique_ptr<Device> device = open();
  const Matrix matrix = battery_matrix("power_law");
  ASSERT_GT(matrix.nnz(), 0);
  for (const NamedDesign& named : named_designs(Target::gpu)) {
    const std::string problem =
        design_problem(*device, matrix, std::string(named.line), Dtype::f64, false);
    EXPECT_TRUE(problem.empty() || problem.starts_with("refused: ")) << named.name << problem;
  }
}

TEST_P(FakeDevice, TimesAreThoseOfTheDoubleAndFactsThoseOfItsCompiler) {
  const std::unique_ptr<Device> device = open();
  const Matrix matrix = battery_matrix("stencil_23");
  const auto kernel = Designer(matrix).build(resolve_design("csr-scalar"), Dtype::f32);
  ASSERT_TRUE(kernel.ok());
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
    const auto timing = (*loaded)->time(rounded_case(*kernel, 1), regime);
    ASSERT_TRUE(timing.ok()) << timing.reason();
    EXPECT_GE(timing->time_us, 1);
    EXPECT_EQ(timing->registers, fake_registers);
    const bool are_told = maker().kind == &cuda_driver_kind;  // by the compiler
    EXPECT_EQ(timing->spill_bytes, are_told ? 0 : Timing().spill_bytes);
  }
}

// The gathers of the roofline: neighbouring threads read at places that have nothing to do with
// each other, else caches and pages would serve them better than an SpMV's.
TEST_P(FakeDevice, GathersAreScattered) {
  constexpr int threads = 1024, bits = 12;
  Kernel kernel;
  kernel.design = "gather";
  kernel.rows = threads;
  kernel.cols = (1 << bits) * 8;
  kernel.launches = {{"gather", threads / 256, 256}};
  kernel.source = fmt::format("constexpr int GATHERS = 1, SECTOR_BITS = {};\n", bits) +
                  std::string(template_text("fragments/prelude.cuh")) +
                  std::string(template_text("roofline/gather.cuh"));
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  SpmvCase input;
  std::vector<double> sectors(kernel.cols);
  for (std::size_t i = 0; i < sectors.size(); ++i) sectors[i] = static_cast<double>(i / 8);
  input.x = to_bytes(sectors, Dtype::f32);
  input.y = to_bytes(std::vector<double>(threads), Dtype::f32);
  const auto outcomes = (*loaded)->run(std::vector<SpmvCase>{input});
  ASSERT_TRUE(outcomes.ok()) << outcomes.reason();
  const std::vector<double> read = to_numbers(outcomes->front().y, Dtype::f32);
  std::set<double> places(read.begin(), read.end()), steps;
  for (int i = 1; i < threads; ++i) steps.insert(read[i] - read[i - 1]);
  EXPECT_GT(places.size(), 850U) << "of a thousand random ones of 4096, some 900 differ";
  EXPECT_GT(steps.size(), 850U);
}

TEST_P(FakeDevice, AWrongKernelIsWrong) {
  const std::unique_ptr<Device> device = open();
  const Matrix matrix = with_integer_values(battery_matrix("stencil_23"));
  Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EXPECT_EQ(kernel_problem(*device, kernel, matrix, false), "");
  kernel.launches.back().blocks -= 1;
  EXPECT_NE(kernel_problem(*device, kernel, matrix, false), "");
}

/// The outcome of csr-scalar under a script: its first fault.
std::string fate(Device& device, const Matrix& matrix) {
  const auto kernel = Designer(matrix).build(resolve_design("csr-scalar"), Dtype::f32);
  const auto text = [](const Failure& failure) {
    return fmt::format("{}: {}", status_name(failure.status), failure.reason);
  };
  const auto loaded = device.load(*kernel);
  if (!loaded) return "load " + text(loaded.failure());
  const auto before = verify(*kernel, **loaded, matrix);
  if (!before) return "verify " + text(before.failure());
  const auto timing = (*loaded)->time(rounded_case(*kernel, 1), CacheRegime::warm);
  if (!timing) return "time " + text(timing.failure());
  const auto after = verify(*kernel, **loaded, matrix);
  return after ? "right" : "after timing " + text(after.failure());
}

TEST_P(FakeDevice, GoesWrongAsItIsTold) {
  const Matrix matrix = battery_matrix("stencil_23");
  const std::string compile_error =
      fmt::format("load compile_error: {} for {}: line 1: ", maker().compiler, maker().arch);
  for (const auto& [fault, expected] : {
           // first: compiled kernels are in the cache
           std::pair{"compile_error:rows=1", compile_error.c_str()},
           std::pair{"", "right"},
           std::pair{"crash:no such words", "right"},
           std::pair{"out_of_memory:thread_rows rows=1", "load out_of_memory: "},
           std::pair{"short_memory:rows=1", "load crash: copying array "},
           std::pair{"pending_error:rows=1", "right"},
           std::pair{"hang:csr;crash:rows=1",
                     "verify crash: the device's worker was ended by signal "},
           std::pair{"illegal_address:rows=1", "verify crash: case exact 1: kernel spmv: "},
           std::pair{"hang:rows=1", "verify timeout: no answer within 0.5 s; "},
           std::pair{"wrong:rows=1", "verify wrong_result: "},
           std::pair{"wrong_later:rows=1", "after timing wrong_result: "},
       }) {
    script(fault);
    const bool hangs = std::string(fault).starts_with("hang:rows");
    const std::unique_ptr<Device> device = open({60, hangs ? 0.5 : 60});
    const std::string found = fate(*device, matrix);
    EXPECT_TRUE(found.starts_with(expected)) << fault << ": " << found;
    script("");
  }
}

class FakeRocm5 : public FakeGpuTest {
 protected:
  FakeRocm5() : FakeGpuTest(hip_maker) {}
};

// ROCm 5 has the compiler in the driver's library, tells properties in one layout, and ends the
// process at an access to nobody's memory.
TEST_F(FakeRocm5, RunsKernelsToo) {
  for (const char* const variable : {"ALPHASPARSE_LIBAMDHIP64", "ALPHASPARSE_LIBHIPRTC"})
    setenv(variable, FAKE_HIP_5, 1);
  const Matrix matrix = battery_matrix("stencil_23");
  const std::unique_ptr<Device> device = open_in_worker(hip_maker);
  EXPECT_EQ(device->info().arch, hip_maker.arch);
  EXPECT_EQ(device->info().version, "driver of HIP 99.0, hiprtc 9.0, libfake_hip_5.so");
  EXPECT_EQ(fate(*device, matrix), "right");
  script("illegal_address:rows=1");
  const std::string found = fate(*open_in_worker(hip_maker), matrix);
  EXPECT_TRUE(found.starts_with("verify crash: the device's worker was ended by signal 6"))
      << found;
}

// A process that is traced stays until its tracer has looked, as one does that a driver holds.
TEST_P(FakeDevice, AWorkerThatDoesNotEndIsLeft) {
  std::atomic<bool> is_over = false;
  std::atomic<pid_t> traced = -1;
  std::thread tracer([&] {
    pid_t found = -1;
    while (found < 0 && !is_over) {
      for (const pid_t process : processes_with(""))
        if (process_name(process) == fake_hang_name && is_descendant(process)) found = process;
      usleep(2000);
    }
    if (found < 0 || ptrace(PTRACE_SEIZE, found, nullptr, nullptr) != 0) return;
    traced = found;
    while (!is_over) usleep(2000);
    waitpid(found, nullptr, __WALL);
  });
  const Matrix matrix = battery_matrix("stencil_23");
  const std::filesystem::path hangs = folder / "hangs";
  set_contents(hangs, "");
  setenv("FAKE_GPU_HANGS_WHILE", hangs.c_str(), 1);
  script("hang:rows=1");
  {
    WorkerLimits limits{60, 3};
    limits.end_seconds_max = 0.2;
    const std::unique_ptr<Device> device = open(limits);
    const std::string found = fate(*device, matrix);
    std::filesystem::remove(hangs);
    if (traced > 0) {
      EXPECT_EQ(found, fmt::format("verify timeout: no answer within 3 s; the device's worker, "
                                   "process {}, was left: it has not ended within 0.2 s of SIGKILL",
                                   traced.load()));
      EXPECT_EQ(fate(*device, matrix), "right") << "in a new worker";
    }
  }
  is_over = true;
  tracer.join();
  if (traced < 0) GTEST_SKIP() << "skipped: no process may be traced here";
}

// The next kernel finds the error that an earlier kernel has left behind, which ends the worker:
// one is lost.
TEST_P(FakeDevice, AnErrorThatIsPendingLosesTheNextKernelAlone) {
  const Matrix matrix = battery_matrix("stencil_23");
  script("pending_error:rows=1");
  const std::unique_ptr<Device> device = open();
  EXPECT_EQ(fate(*device, matrix), "right");
  const std::string found = fate(*device, matrix);
  EXPECT_TRUE(found.starts_with("load crash: entering the context: a faked error (")) << found;
  EXPECT_TRUE(found.ends_with(
      fmt::format(", 700); this process has lost its {} context", maker().kind->name)))
      << found;
  EXPECT_EQ(fate(*device, matrix), "right") << "in a new worker";
}

// The process' view of its memory is not to be trusted then.
TEST_P(FakeDevice, ACopyPastItsMemoryEndsTheWorker) {
  const Matrix matrix = battery_matrix("stencil_23");
  const auto build = [&](const char* name) {
    return Designer(matrix).build(resolve_design(name), Dtype::f32).value();
  };
  const Kernel scalar = build("csr-scalar"), vector = build("csr-vector");
  script("short_memory:rows=1");
  const std::unique_ptr<Device> device = open();
  const auto before = device->load(vector);
  ASSERT_TRUE(before.ok()) << before.reason();
  const auto lost = device->load(scalar);
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.failure().status, Status::crash);
  EXPECT_TRUE(lost.reason().starts_with("copying array value: a faked error (")) << lost.reason();
  EXPECT_TRUE(
      lost.reason().ends_with(", 1); the copy does not fit the memory that was taken for it"))
      << lost.reason();
  const auto gone = verify(vector, **before, matrix);
  ASSERT_FALSE(gone.ok()) << "the worker is still there";
  EXPECT_EQ(gone.reason(), "the device's worker that had loaded the kernel has ended");
  const auto after = device->load(vector);
  ASSERT_TRUE(after.ok()) << after.reason();
  EXPECT_TRUE(verify(vector, **after, matrix).ok());
}

}  // namespace
}  // namespace alphasparse
