#include "runtime/gpu/memory_copy.h"

#include <utility>

#include "runtime/gpu/spmv.h"

namespace alphasparse {
namespace {

class MemoryCopy : public GpuSpmv {
 public:
  MemoryCopy(std::shared_ptr<GpuSession> session, const Kernel& kernel)
      : GpuSpmv(std::move(session), kernel) {}
  MaybeFailure prepare() {
    CHECK(kernel().rows == kernel().cols);
    return allocate();
  }

 private:
  MaybeFailure queue(const Scaling&, const RowDistances&, bool wait) override {
    const std::size_t bytes = static_cast<std::size_t>(kernel().cols) *
                              static_cast<std::size_t>(number_type(kernel().dtype).bytes);
    if (auto failure = session().copy(y_address(), x_address(), bytes, "copying x to y"))
      return failure;
    return wait ? session().wait("copying x to y") : std::nullopt;
  }
  void add_facts_to(Timing&) const override {}
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_memory_copy(std::shared_ptr<GpuSession> session,
                                                       const Kernel& kernel) {
  auto loaded = std::make_unique<MemoryCopy>(std::move(session), kernel);
  if (auto failure = loaded->prepare()) return *failure;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
