#include "search/estimates/prior.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "generator/arrays/long_vectors.h"
#include "operators/designer.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/system/machine/cores.h"
#include "search/estimates/cpu_costs.h"
#include "search/estimates/sample.h"

namespace alphasparse {

namespace {

constexpr std::int64_t miniature_nnz = 64'000;
constexpr std::int64_t miniature_panels = 8;
constexpr double first_waits = 3;  // for the arrays before the columns, for columns, and for x

/// The model of the GPU, of one of the same architecture, or of any.
const GpuModel& gpu_like(const DeviceInfo& device) {
  const auto found = [&](const auto& is_like) {
    const auto model = std::find_if(gpu_models().begin(), gpu_models().end(), is_like);
    return model == gpu_models().end() ? nullptr : &*model;
  };
  if (const auto* const same =
          found([&](const GpuModel& gpu) { return gpu.full_name == device.gpu; }))
    return *same;
  const auto* const near = found([&](const GpuModel& gpu) { return gpu.arch == device.arch; });
  return near ? *near : gpu_models().front();
}

/// A part of the matrix that designs are built on in its place.
class Miniature {
 public:
  Miniature(const Matrix& whole, const Matrix& part, const PriorConditions& conditions)
      : conditions_(conditions),
        whole_(whole),
        times_(static_cast<double>(whole.nnz()) / static_cast<double>(part.nnz())),
        x_bytes_(touched_x_bytes(whole, conditions.dtype)) {}

  /// In us.
  double expected(const Kernel& kernel, const std::vector<Store>& branches) const {
    LeastWork work = least_work(kernel, branches, x_bytes_);
    work.y_sectors = static_cast<double>(whole_.rows) * dtype_bytes(conditions_.dtype) / 32;
    for (double* const count : {&work.format_sectors, &work.loads, &work.waits, &work.atomics})
      *count *= times_;
    work.held_bytes =
        static_cast<std::int64_t>(static_cast<double>(kernel.format_bytes()) * times_ +
                                  static_cast<double>((std::int64_t{whole_.rows} + whole_.cols) *
                                                      dtype_bytes(conditions_.dtype)));
    return conditions_.device.target == Target::cpu ? on_cpu(work, branches) : on_gpu(work);
  }

 private:
  double on_cpu(const LeastWork& work, const std::vector<Store>& branches) const {
    const CpuCost cost = cpu_cost(branches);
    const DeviceInfo& device = conditions_.device;
    const double ns = (cost.entries_ns + cost.units_ns) * times_ +
                      cpu_read_ns(32 * (work.format_sectors + work.x_sectors), device.l2_bytes);
    return 1e-3 * ns / std::max(1, device.threads);
  }

  /// x is taken to lie in L2, which the bound cannot know.
  double on_gpu(LeastWork work) const {
    const GpuModel& gpu = gpu_like(conditions_.device);
    Waits& longest = work.longest_waits;
    longest.l2 += std::exchange(longest.l1, 0) + first_waits;
    work.waits_in_l2 = true;
    return modelled_bound(gpu, work, conditions_.regime).time_us;
  }

  const PriorConditions& conditions_;
  const Matrix& whole_;
  double times_;  ///< as many non-zeros in the whole
  std::int64_t x_bytes_;
};

}  // namespace

std::map<CanonicalDesign, double> expected_times(const Matrix& matrix, const Designs& designs,
                                                 const PriorConditions& conditions,
                                                 const Deadline& deadline) {
  std::map<CanonicalDesign, double> times;
  if (matrix.nnz() == 0) return times;
  const bool is_small = matrix.nnz() <= 2 * miniature_nnz;
  const Matrix panels = is_small ? Matrix() : sample_of(matrix, miniature_nnz, miniature_panels);
  const Matrix& part = is_small ? matrix : panels;
  const Miniature miniature(matrix, part, conditions);
  const std::size_t workers = has_long_vectors(part) ? 1 : machine_threads();
  std::vector<Designer> designers(workers, Designer(part, conditions.device.target));
  std::vector<std::optional<double>> found(designs.size());
  parallel_for(designs.size(), workers, [&](std::size_t index, std::size_t worker) {
    if (deadline.over()) return;
    try {
      const auto built = designers[worker].build_whole(designs[index], conditions.dtype);
      if (built) found[index] = miniature.expected(built->kernel, built->branches);
    } catch (const std::bad_alloc&) {  // then it is not known
    }
  });
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (found[i]) times.emplace(designs[i], *found[i]);
  }
  return times;
}

}  // namespace alphasparse
