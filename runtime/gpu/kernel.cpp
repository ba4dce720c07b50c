#include "runtime/gpu/kernel.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/compilers/compile_cached.h"
#include "runtime/gpu/module.h"
#include "runtime/gpu/spmv.h"

namespace alphasparse {
namespace {

constexpr std::int64_t blocks_max = 2147483647;  // of a grid's first dimension

class GpuLoadedKernel : public GpuSpmv {
 public:
  GpuLoadedKernel(std::shared_ptr<GpuSession> session, const Kernel& kernel)
      : GpuSpmv(std::move(session), kernel), module_(this->session()) {}

  ~GpuLoadedKernel() override {
    session().api().set_context(session().context());
    forget_samples();
  }

  /// Everything that load() does once the source is compiled.
  MaybeFailure prepare(const CompiledKernel& compiled) {
    facts_ = launched_facts(kernel(), compiled);
    if (auto failure = module_.load(compiled.cubin)) return failure;
    for (const Launch& launch : kernel().launches) {
      if (launch.blocks < 1 || launch.blocks > blocks_max) {
        return Failure{Status::launch_error, fmt::format("kernel {} asks for {} blocks, at most {}",
                                                         launch.kernel, launch.blocks, blocks_max)};
      }
      functions_.emplace_back();
      if (auto failure = module_.find(functions_.back(), launch.kernel)) return failure;
    }
    if (facts_.registers < 0) ask_registers();
    return allocate();
  }

 private:
  /// The most registers of a launch, of the driver where no compiler has told.
  void ask_registers() {
    for (const GpuFunction function : functions_) {
      int registers = -1;
      const auto& ask = session().api().function_attribute;
      if (ask(&registers, gpu_function_registers, function) == gpu_success)
        facts_.registers = std::max(facts_.registers, registers);
    }
  }

  MaybeFailure queue(const Scaling& scaling, const RowDistances& distances, bool wait) override {
    GpuPointer x = 0, y = 0;
    long long ldx = distances.x, ldy = distances.y;
    NumberBytes scalars[] = {number_bytes(kernel().dtype, scaling.alpha),
                             number_bytes(kernel().dtype, scaling.beta)};
    std::vector<void*> parameters;
    for (GpuPointer& pointer : format()) parameters.push_back(&pointer);
    if (kernel().vectors == 1) {
      parameters.insert(parameters.end(), {&x, &y});
    } else {
      parameters.insert(parameters.end(), {&x, &ldx, &y, &ldy});
    }
    parameters.insert(parameters.end(), {scalars[0].data(), scalars[1].data()});
    for (std::size_t index = 0; index < functions_.size(); ++index) {
      const auto offset = static_cast<GpuPointer>(kernel().launches[index].first_column) *
                          static_cast<GpuPointer>(number_type(kernel().dtype).bytes);
      x = x_address() + offset;
      y = y_address() + offset;
      if (auto failure = queue_launch(index, parameters)) return failure;
      if (!wait) continue;
      if (auto failure = session().wait("kernel " + kernel().launches[index].kernel))
        return failure;
    }
    return std::nullopt;
  }

  MaybeFailure queue_launch(std::size_t index, std::vector<void*>& parameters) {
    const Launch& launch = kernel().launches[index];
    const auto& call = session().api().launch;
    const int code = call(functions_[index], static_cast<unsigned>(launch.blocks), 1, 1,
                          static_cast<unsigned>(launch.threads), 1, 1, 0, session().stream(),
                          parameters.data(), nullptr);
    if (code == gpu_success) return std::nullopt;
    return session().checked_room(
        session().check(code, call.name,
                        fmt::format("launching {} with {} blocks of {} threads", launch.kernel,
                                    launch.blocks, launch.threads)));
  }

  void add_facts_to(Timing& timing) const override { add_facts(facts_, timing); }

  LoadedModule module_;
  KernelFacts facts_;
  std::vector<GpuFunction> functions_;  // one a launch
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_gpu_kernel(std::shared_ptr<GpuSession> session,
                                                      const Kernel& kernel,
                                                      const CompiledKernel& compiled) {
  auto loaded = std::make_unique<GpuLoadedKernel>(std::move(session), kernel);
  if (auto failure = loaded->prepare(compiled)) return *failure;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
