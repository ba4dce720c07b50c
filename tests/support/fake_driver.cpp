#include "tests/support/fake_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/driver.h"
#include "runtime/hip/device.h"
#include "runtime/hip/driver.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {

Kernel two_launches(const Matrix& matrix, Dtype dtype) {
  Kernel kernel = csr_kernel("csr_init_add.cu", matrix, dtype, 64, 1);
  kernel.launches.insert(kernel.launches.begin(), {"spmv_init", (matrix.rows + 31) / 32, 32});
  return kernel;
}

Matrix small_matrix() {
  return from_rows(3, {{{0, 1}, {2, 2}}, {}, {{1, 3}}, {{0, 4}, {1, 5}, {2, 6}}});
}

namespace {

template <class Value>
std::map<std::string, FakeKernel> host_kernels(int rows) {
  const std::vector<std::size_t> sizes = {8, 8, 8, 8, 8, sizeof(Value), sizeof(Value)};
  FakeKernel init = {sizes, {}, {}};
  init.execute = [rows](unsigned, unsigned, const auto& parameters) {
    const Seen<Value> seen(parameters);
    for (int row = 0; row < rows; ++row) {
      Value& y = seen.output.y[row];
      y = seen.output.beta == 0 ? Value(0) : seen.output.beta * y;
    }
  };
  FakeKernel spmv = {sizes, {}, {}};
  spmv.execute = [rows](unsigned, unsigned, const auto& parameters) {
    const Seen<Value> seen(parameters);
    for (int row = 0; row < rows; ++row) {
      Value sum = 0;
      for (int at = seen.format.row_first[row]; at < seen.format.row_first[row + 1]; ++at) {
        sum += seen.format.value[at] * seen.x[seen.format.col[at]];
      }
      seen.output.y[row] += seen.output.alpha * sum;
    }
  };
  std::map<std::string, FakeKernel> kernels = session_kernels();
  kernels["spmv_init"] = init;
  kernels["spmv"] = spmv;
  return kernels;
}

}  // namespace

namespace {

/// permute_f32 or permute_f64 of the session.
template <class Value>
FakeKernel permute() {
  FakeKernel kernel = {{8, 8, 8, 8, 4}, {}, {}};
  kernel.execute = [](unsigned blocks, unsigned threads, const auto& parameters) {
    Value* to = nullptr;
    const int* source = nullptr;
    const signed char* integers = nullptr;
    long long count = 0;
    int parts = 0;
    std::memcpy(&to, parameters[0].data(), 8);
    std::memcpy(&source, parameters[1].data(), 8);
    std::memcpy(&integers, parameters[2].data(), 8);
    std::memcpy(&count, parameters[3].data(), 8);
    std::memcpy(&parts, parameters[4].data(), 4);
    ASSERT_GE(static_cast<long long>(blocks) * threads, count);
    for (long long at = 0; at < count; ++at) {
      const long long value = source[at / parts];
      to[at] = value < 0 ? Value(0) : static_cast<Value>(integers[parts * value + at % parts]);
    }
  };
  return kernel;
}

FakeKernel sum_bytes() {
  FakeKernel kernel = {{8, 8, 8}, {}, {}};
  kernel.execute = [](unsigned, unsigned, const auto& parameters) {
    const unsigned char* from = nullptr;
    long long bytes = 0;
    unsigned long long* sum = nullptr;
    std::memcpy(&from, parameters[0].data(), 8);
    std::memcpy(&bytes, parameters[1].data(), 8);
    std::memcpy(&sum, parameters[2].data(), 8);
    for (long long at = 0; at < bytes / 4; ++at) {
      unsigned word = 0;
      std::memcpy(&word, from + 4 * at, sizeof word);
      *sum += word * (2ULL * at + 1);
    }
    for (long long at = 0; at < bytes % 4; ++at) {
      *sum += from[bytes / 4 * 4 + at] * (2ULL * (bytes / 4 + at) + 1);
    }
  };
  return kernel;
}

}  // namespace

std::map<std::string, FakeKernel> session_kernels() {
  return {{"read_all", {{8, 8}, {}, [] { return 500.0; }}},
          {"discard_all", {{8}, {}, [] { return 10.0; }}},
          {"permute_f32", permute<float>()},
          {"permute_f64", permute<double>()},
          {"sum_bytes", sum_bytes()}};
}

std::map<std::string, FakeKernel> host_kernels(const Kernel& kernel) {
  return kernel.dtype == Dtype::f32 ? host_kernels<float>(kernel.rows)
                                    : host_kernels<double>(kernel.rows);
}

Result<CompiledKernel> compile_nothing(const std::string&, const std::string& arch) {
  CompiledKernel compiled;
  const std::string image = "image for " + arch;
  compiled.cubin.resize(image.size() + 1);
  std::memcpy(compiled.cubin.data(), image.c_str(), image.size() + 1);
  compiled.kernels = {{"spmv_init", 10, 0, 0, 0, 0, -1}, {"spmv", 32, 4, 8, 16, 0, -1}};
  return compiled;
}

namespace {

constexpr std::pair<const char*, const char*> cuda_libraries[] = {
    {"ALPHASPARSE_LIBCUDA", FAKE_CUDA},
    {"ALPHASPARSE_LIBCUSPARSE", FAKE_CUDA},
    {"ALPHASPARSE_LIBNVML", FAKE_CUDA},
    {"ALPHASPARSE_LIBNVRTC", FAKE_NVRTC}};

constexpr std::pair<const char*, const char*> hip_libraries[] = {
    {"ALPHASPARSE_LIBAMDHIP64", FAKE_HIP},
    {"ALPHASPARSE_LIBROCSPARSE", FAKE_ROCSPARSE},
    {"ALPHASPARSE_LIBHIPRTC", FAKE_HIPRTC}};

Result<CompiledKernel> compile_with_nvrtc(const std::string& source, const std::string& arch) {
  return nvrtc()->compile(source, arch);
}

}  // namespace

const FakeMaker cuda_maker = {.kind = &cuda_driver_kind,
                              .libraries = cuda_libraries,
                              .gpu = "Fake GPU",
                              .other_gpu = "Other fake GPU",
                              .arch = "sm_90",
                              .other_archs = {"sm_80", "sm_100"},
                              .compiler = "NVRTC 99.0",
                              .algorithm = "cusparse-csr-2",
                              .product = "cusparseSpMV",
                              .refused = "a faked error",
                              .has_monitor = true,
                              .open_device = open_cuda_device,
                              .list_devices = list_cuda_devices,
                              .open_driver = open_cuda_driver,
                              .compile = compile_with_nvrtc};

const FakeMaker hip_maker = {.kind = &hip_driver_kind,
                             .libraries = hip_libraries,
                             .gpu = "Fake MI250X",
                             .other_gpu = "Other fake MI250X",
                             .arch = "gfx90a:sramecc+:xnack-",
                             .other_archs = {"gfx90a:sramecc+:xnack+", "gfx942:sramecc+:xnack-"},
                             .compiler = "hiprtc 99.0, libfake_hiprtc.so",
                             .algorithm = "rocsparse-csr-adaptive",
                             .product = "rocsparse_spmv",
                             .refused = "invalid_value",
                             .has_monitor = false,
                             .open_device = open_hip_device,
                             .list_devices = list_hip_devices,
                             .open_driver = open_hip_driver,
                             .compile = compile_anew_by_hiprtc};

void FakeDriverTest::SetUp() {
  for (const auto& [variable, file] : maker().libraries) setenv(variable, file, 1);
  void* const library = dlopen(std::getenv(kind().variable), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  reinterpret_cast<void (*)()>(dlsym(library, "fake_gpu_reset"))();
  fake_ = reinterpret_cast<FakeGpuState* (*)()>(dlsym(library, "fake_gpu"))();
  fake_->kernels = session_kernels();
}

const GpuApi& FakeDriverTest::api() {
  if (!driver_) {
    Result<GpuDriver> driver = maker().open_driver();
    CHECK(driver.ok());
    driver_.emplace(std::move(*driver));
  }
  return driver_->api();
}

std::string FakeDriverTest::error_text(const char* call, int code) {
  const char* name = nullptr;
  api().error_name(code, &name);
  return fmt::format("a faked error ({} {}, {})", call, name, code);
}

void FakeDriverTest::TearDown() {
  for (const auto& [variable, file] : maker().libraries) unsetenv(variable);
  EXPECT_EQ(fake_->broken_rules, std::vector<std::string>());
  EXPECT_TRUE(fake_->allocations.empty());
  EXPECT_EQ(fake_->contexts, 0);
  EXPECT_EQ(fake_->modules, 0);
  EXPECT_EQ(fake_->events, 0);
  EXPECT_EQ(fake_->streams, 0);
  EXPECT_EQ(fake_->graphs, 0);
}

}  // namespace alphasparse
