#include "runtime/gpu/memory_copy.h"

#include <utility>

#include "runtime/gpu/spmv.h"

namespace alphasparse {
namespace {

class MemoryCopy : public GpuSpmv {
 public:
  MemoryCopy(std::shared_ptr<GpuSession> session, const Kernel& kernel)
      : GpuSpmv(std::move(session), kernel) {}
  Fault prepare() {
    CHECK(kernel().rows == kernel().cols);
    return allocate();
  }

 private:
  Fault queue(const Scaling&, const RowDistances&, bool wait) override {
    const std::size_t bytes = static_cast<std::size_t>(kernel().cols) *
                              static_cast<std::size_t>(number_type(kernel().dtype).bytes);
    if (Fault fault = session().copy(y_address(), x_address(), bytes, "copying x to y"))
      return fault;
    return wait ? session().wait("copying x to y") : std::nullopt;
  }
  void add_facts_to(Timing&) const override {}
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_memory_copy(std::shared_ptr<GpuSession> session,
                                                       const Kernel& kernel) {
  auto loaded = std::make_unique<MemoryCopy>(std::move(session), kernel);
  if (Fault fault = loaded->prepare()) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
