// fake_driver: the fake of a GPU's driver in this process, as NVIDIA's and as AMD's. It has a
// matrix, a kernel of two launches and its functions on the host, and a fixture that looks at every
// call.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compilers/nvrtc.h"
#include "runtime/gpu/device.h"
#include "tests/fakes/fake_gpu_state.h"

namespace alphasparse {

/// Four rows, one of them empty.
Matrix small_matrix();

/// CSR with an initialising launch ahead of the sums.
Kernel two_launches(const Matrix& matrix, Dtype dtype);

/// The parameters of a launch as the kernel sees them.
template <class Value>
struct Seen {
  struct Format {
    const int* row_first;
    const int* col;
    const Value* value;
  } format;
  const Value* x;
  struct Output {
    Value* y;
    Value alpha, beta;
  } output;

  explicit Seen(const std::vector<std::vector<std::byte>>& parameters) {
    auto take = [&, next = std::size_t{0}](auto& to) mutable {
      std::memcpy(&to, parameters.at(next++).data(), sizeof to);
    };
    take(format.row_first);
    take(format.col);
    take(format.value);
    take(x);
    take(output.y);
    take(output.alpha);
    take(output.beta);
  }
};

/// The two kernels of two_launches(), on the host, beside those of a session.
std::map<std::string, FakeKernel> host_kernels(const Kernel& kernel);

/// The kernels that a session runs beside an SpMV (templates/session), on the host.
std::map<std::string, FakeKernel> session_kernels();

/// An image that names its architecture, and the resources of the two kernels.
Result<CompiledKernel> compile_nothing(const std::string& source, const std::string& arch);

/// A maker's GPU and its fake. A test that runs for every row asks the table of the driver for the
/// names of its calls.
struct FakeMaker {
  const GpuDriverKind* kind;
  std::span<const std::pair<const char*, const char*>> libraries;  ///< variables, and the fakes
  const char* gpu;
  const char* other_gpu;
  const char* arch;
  const char* other_archs[2];  ///< whose code the GPU does not run
  const char* compiler;        ///< with its version
  const char* algorithm;       ///< of its library, for one vector
  const char* product;         ///< the call of it, in FakeGpuState::failures
  const char* refused;         ///< the library's text for 7, a status of no more than this call
  bool has_monitor;
  std::unique_ptr<Device> (*open_device)(int ordinal, CompileFunction compile);
  std::vector<DeviceListing> (*list_devices)();
  Result<GpuDriver> (*open_driver)();
  Result<CompiledKernel> (*compile)(const std::string& source, const std::string& arch);
};

extern const FakeMaker cuda_maker, hip_maker;

/// The fake, loaded and clean; at the end everything that was taken has been given back.
class FakeDriverTest : public testing::Test {
 protected:
  virtual const FakeMaker& maker() const = 0;
  void SetUp() override;
  void TearDown() override;

  const GpuDriverKind& kind() const { return *maker().kind; }

  /// The driver's table, with the names of its calls. It starts the driver, after which no fork of
  /// this process can.
  const GpuApi& api();

  /// "a faked error (cuMemAlloc CUDA_ERROR_INVALID_VALUE, 1)"
  std::string error_text(const char* call, int code);

  /// "cuda:0"
  std::string device_name(int ordinal) const {
    return kind().device + (":" + std::to_string(ordinal));
  }

  /// Forgets the calls that opening it takes.
  std::unique_ptr<Device> open() {
    std::unique_ptr<Device> device = maker().open_device(0, compile_nothing);
    fake_->calls.clear();
    return device;
  }

  /// Loads the kernel on `device`, with its host functions registered.
  Result<std::unique_ptr<LoadedKernel>> load(Device& device, const Kernel& kernel) {
    fake_->kernels = host_kernels(kernel);
    return device.load(kernel);
  }

  FakeGpuState* fake_ = nullptr;

 private:
  std::optional<GpuDriver> driver_;
};

/// Tests of every maker's GPU.
class FakeGpu : public FakeDriverTest, public testing::WithParamInterface<const FakeMaker*> {
 protected:
  const FakeMaker& maker() const override { return *GetParam(); }
};

/// Tests of NVIDIA's alone.
class FakeCudaGpu : public FakeDriverTest {
 protected:
  const FakeMaker& maker() const override { return cuda_maker; }
};

}  // namespace alphasparse
