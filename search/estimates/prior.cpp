#include "search/estimates/prior.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "generator/arrays/long_vectors.h"
#include "generator/facts/store.h"
#include "generator/layouts/cpu_costs.h"
#include "operators/designer.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/system/machine/cores.h"
#include "search/estimates/sample.h"

namespace alphasparse {

namespace {

constexpr std::int64_t miniature_nnz = 64'000;
constexpr std::int64_t miniature_panels = 8;
constexpr double cached_ns_a_byte = 0.0039;  // of the same least squares as the costs
constexpr double shared_ns_a_byte = 0.025;   // more where cores share the cache: 40 GB/s each...
constexpr double own_cache_bytes = 2 << 20;  // ...and a core has so much for itself
constexpr double memory_ns_a_byte = 0.1;     // assumed: 10 GB/s for a thread
constexpr std::int64_t usual_cache_bytes = 32 << 20;
constexpr double shared_row_ns =
    2;  // two threads that wrote the same lines lost 0.6 to 4.7 ns a row
constexpr int line_bytes = 64;
constexpr double same_time = 0.25;  // of a thread's work
constexpr double first_waits = 3;   // for the arrays before the columns, for columns, and for x

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
        x_bytes_(conditions.vectors * touched_x_bytes(whole, conditions.dtype)) {}

  /// In us.
  double expected(const Kernel& kernel, const std::vector<Store>& branches) const {
    LeastWork work = least_work(kernel, branches, x_bytes_);
    const int row_bytes = number_type(conditions_.dtype).bytes * conditions_.vectors;
    work.y_sectors = static_cast<double>(whole_.rows) * row_bytes / 32;
    for (double* const count : {&work.format_sectors, &work.loads, &work.waits, &work.atomics})
      *count *= times_;
    work.held_bytes = static_cast<std::int64_t>(
        static_cast<double>(kernel.format_bytes()) * times_ +
        static_cast<double>((std::int64_t{whole_.rows} + whole_.cols) * row_bytes));
    return conditions_.device.target == Target::cpu ? on_cpu(work, branches, kernel.pass_columns)
                                                    : gpu_us(work);
  }

 private:
  double on_cpu(const LeastWork& work, const std::vector<Store>& branches, int columns) const {
    const int threads = std::max(1, conditions_.device.threads);
    const int bytes = number_type(conditions_.dtype).bytes, value_bytes = bytes * columns;
    double cost_ns = 0;
    for (const Store& store : branches) {
      const Reads reads = layout_kind(store).reads(store);
      const TotalCost cost = cpu_cost(store, reads, value_bytes);
      cost_ns += cost.entry_ns * static_cast<double>(reads.worked) +
                 cost.part_ns * static_cast<double>(cpu_parts(store)) +
                 (threads > 1 ? shared_row_ns * static_cast<double>(shared_rows(store)) : 0);
    }
    const double passes = static_cast<double>(conditions_.vectors) / columns;
    const double ns =
        cost_ns * times_ * passes + read_ns(32 * (work.format_sectors + work.x_sectors));
    return 1e-3 * ns / threads;
  }

  /// Rows in lines of y that two threads write at about the same time, were there two. Rows that
  /// are sorted as a whole lie anywhere; a band that the threads share is the last of one and the
  /// first of the other. More threads are not counted: a miniature has too few rows for them.
  std::int64_t shared_rows(const Store& store) const {
    struct Writes {
      double first = 2, last = -2;  // as shares of a thread's work
    };
    struct Line {
      std::int32_t rows = 0;
      Writes by[2];
    };
    const std::vector<std::int32_t>& origins = store.ints({Level::matrix, Name::row_origin});
    const std::int64_t row_bytes = number_type(conditions_.dtype).bytes;
    const double half = static_cast<double>(origins.size()) / 2;
    std::vector<Line> lines(store.callers_rows() * row_bytes / line_bytes + 1);
    for (std::size_t i = 0; i < origins.size(); ++i) {
      const double position = static_cast<double>(i) / half;
      const int thread = position < 1 ? 0 : 1;
      Line& line = lines[origins[i] * row_bytes / line_bytes];
      ++line.rows;
      Writes& writes = line.by[thread];
      writes.first = std::min(writes.first, position - thread);
      writes.last = std::max(writes.last, position - thread);
    }
    std::int64_t shared = 0;
    for (const Line& line : lines) {
      const auto [a, b] = line.by;
      const bool together = a.first - b.last < same_time && b.first - a.last < same_time;
      shared += a.last >= 0 && b.last >= 0 && together ? line.rows : 0;
    }
    return shared;
  }

  /// The time that reading so many bytes adds to all threads together: hardly any where caches of
  /// their own hold them.
  double read_ns(double bytes) const {
    const std::int64_t known = conditions_.device.l2_bytes;
    const bool cached = conditions_.regime == CacheRegime::warm &&
                        bytes <= static_cast<double>(known > 0 ? known : usual_cache_bytes);
    const double own = own_cache_bytes * std::max(1, conditions_.device.threads);
    if (!cached) return bytes * memory_ns_a_byte;
    return bytes * cached_ns_a_byte + std::max(0.0, bytes - own) * shared_ns_a_byte;
  }

  /// x is taken to lie in L2, which the bound cannot know.
  double gpu_us(LeastWork work) const {
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
  const Matrix panels = is_small ? Matrix() : make_sample(matrix, miniature_nnz, miniature_panels);
  const Matrix& part = is_small ? matrix : panels;
  const Miniature miniature(matrix, part, conditions);
  const std::size_t workers = has_long_vectors(part) ? 1 : machine_threads();
  std::vector<Designer> designers(workers, Designer(part, conditions.device.target));
  std::vector<std::optional<double>> found(designs.size());
  parallel_for(designs.size(), workers, [&](std::size_t index, std::size_t worker) {
    if (deadline.over()) return;
    try {
      const auto built =
          designers[worker].build_whole(designs[index], {conditions.dtype, conditions.vectors});
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
