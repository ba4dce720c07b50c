#include "runtime/cuda/kernel.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/compilers/compile_cached.h"
#include "runtime/cuda/module.h"
#include "runtime/cuda/spmv.h"

namespace alphasparse {
namespace {

constexpr std::int64_t blocks_max = 2147483647;  // of a grid's first dimension

/// Output { Value* y; Value alpha; Value beta; } as a kernel takes it by value.
using OutputBytes = std::array<std::byte, 24>;

OutputBytes pack_output(Dtype dtype, CudaPointer y, double alpha, double beta) {
  OutputBytes bytes = {};
  std::memcpy(bytes.data(), &y, sizeof y);
  const auto put = [&](std::size_t index, double value) {
    const float narrow = static_cast<float>(value);
    const bool is_f32 = dtype == Dtype::f32;
    const void* const from = is_f32 ? static_cast<const void*>(&narrow) : &value;
    const std::size_t size = is_f32 ? sizeof narrow : sizeof value;
    std::memcpy(bytes.data() + sizeof y + index * size, from, size);
  };
  put(0, alpha);
  put(1, beta);
  return bytes;
}

class CudaLoadedKernel : public CudaSpmv {
 public:
  CudaLoadedKernel(std::shared_ptr<CudaSession> session, const Kernel& kernel)
      : CudaSpmv(std::move(session), kernel), module_(this->session()) {}

  /// Everything that load() does once the source is compiled.
  Fault prepare(const CompiledKernel& compiled) {
    facts_ = launched_facts(kernel(), compiled);
    if (Fault fault = module_.load(compiled.cubin)) return fault;
    for (const Launch& launch : kernel().launches) {
      if (launch.blocks < 1 || launch.blocks > blocks_max) {
        return Failure{Status::launch_error, fmt::format("kernel {} asks for {} blocks, at most {}",
                                                         launch.kernel, launch.blocks, blocks_max)};
      }
      functions_.emplace_back();
      if (Fault fault = module_.find(functions_.back(), launch.kernel)) return fault;
    }
    return allocate();
  }

 private:
  Fault queue(double alpha, double beta, bool wait) override {
    const OutputBytes output = pack_output(kernel().dtype, y_address(), alpha, beta);
    for (std::size_t index = 0; index < functions_.size(); ++index) {
      if (Fault fault = queue_launch(index, output)) return fault;
      if (!wait) continue;
      if (Fault fault = session().wait("kernel " + kernel().launches[index].kernel)) return fault;
    }
    return std::nullopt;
  }

  Fault queue_launch(std::size_t index, OutputBytes output) {
    const Launch& launch = kernel().launches[index];
    CudaPointer x = x_address();
    void* parameters[] = {format().data(), &x, output.data()};
    const int code = session().api().launch(functions_[index], static_cast<unsigned>(launch.blocks),
                                            1, 1, static_cast<unsigned>(launch.threads), 1, 1, 0,
                                            session().stream(), parameters, nullptr);
    if (code == cuda_success) return std::nullopt;
    return session().check(code, "cuLaunchKernel",
                           fmt::format("launching {} with {} blocks of {} threads", launch.kernel,
                                       launch.blocks, launch.threads));
  }

  void add_facts_to(Timing& timing) const override { add_facts(facts_, timing); }

  LoadedModule module_;
  KernelFacts facts_;
  std::vector<CudaFunction> functions_;  // one a launch
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_cuda_kernel(std::shared_ptr<CudaSession> session,
                                                       const Kernel& kernel,
                                                       const CompiledKernel& compiled) {
  auto loaded = std::make_unique<CudaLoadedKernel>(std::move(session), kernel);
  if (Fault fault = loaded->prepare(compiled)) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
