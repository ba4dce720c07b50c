// fake_driver: the fake of NVIDIA's driver in this process. It has a matrix, a kernel of two
// launches and its functions on the host, and a fixture that looks at every call.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/compilers/nvrtc.h"
#include "runtime/cuda/device.h"
#include "tests/fakes/fake_cuda.h"

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

/// The fake, loaded and clean; at the end everything that was taken has been given back.
class FakeGpu : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Forgets the calls that opening it takes.
  std::unique_ptr<Device> open() {
    std::unique_ptr<Device> device = open_cuda_device(0, compile_nothing);
    fake_->calls.clear();
    return device;
  }

  /// Loads the kernel on `device`, with its host functions registered.
  Result<std::unique_ptr<LoadedKernel>> load(Device& device, const Kernel& kernel) {
    fake_->kernels = host_kernels(kernel);
    return device.load(kernel);
  }

  FakeCuda* fake_ = nullptr;
};

}  // namespace alphasparse
