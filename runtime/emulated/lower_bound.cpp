#include "runtime/emulated/lower_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "generator/arrays/fragment.h"
#include "generator/facts/layout.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

constexpr std::int64_t bytes_a_sector = 32;
constexpr std::int64_t threads_a_warp = 32;

double to_sectors(std::int64_t bytes) {
  return static_cast<double>((bytes + bytes_a_sector - 1) / bytes_a_sector);
}

/// Without the branch that an array belongs to: "branch_2.column_bits" is column_bits.
std::string_view plain_name(const Array& array) {
  const std::string_view name = array.name;
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// Whether threads find entries by an array, coded or not, as the layouts say: then all of it is
/// read, its ends aside. An array that says where sums go is not always read.
bool finds_entries(std::string_view name, const std::vector<Reads>& branches) {
  return std::any_of(branches.begin(), branches.end(), [&](const Reads& reads) {
    return std::any_of(reads.arrays.begin(), reads.arrays.end(),
                       [&](std::string_view each) { return name.starts_with(each); });
  });
}

std::int64_t named(const Kernel& kernel, std::string_view name) {
  return std::count_if(kernel.arrays.begin(), kernel.arrays.end(),
                       [&](const Array& array) { return plain_name(array) == name; });
}

/// Bytes of a value that threads load; 0 where one of `branches` may load none.
double least_value_bytes(const Kernel& kernel, std::int64_t branches) {
  if (named(kernel, "value") != branches) return 0;
  double least = 16;
  for (const Array& array : kernel.arrays) {
    if (plain_name(array) != "value") continue;
    if (array.is_dictionary()) return 0;
    least = std::min<double>(least, element_bytes(array.type));
  }
  return least;
}

/// Of the entries that are read, those that may be no more than a column, which says that there is
/// no value: gaps of a diagonal, pads of empty rows.
std::int64_t columns_alone(const Store& store, std::int64_t read) {
  const LevelFacts* const threads = store.level(Level::thread);
  const auto& columns = store.ints({Level::matrix, Name::nz_col});
  const auto gaps = std::count_if(columns.begin(), columns.end(), [](auto col) { return col < 0; });
  const bool has_empty = threads && threads->nz_min == 0;
  return gaps + (has_empty ? std::max<std::int64_t>(0, read - store.nnz()) : 0);
}

/// Whether every thread adds the sum of its part of a row to y by itself.
bool threads_add_alone(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads || (threads->tiling != Tiling::cols && threads->tiling != Tiling::nnz)) return false;
  if (store.epilogue != "global_atomic") return false;
  return std::all_of(store.chain().begin(), store.chain().end(), [](const FragmentStep& step) {
    return step.fragment->scope == Worker::thread;
  });
}

/// Parts of rows that threads have.
std::int64_t parts_with_entries(const Store& store) {
  const auto& first = store.ints({Level::thread, Name::first_nz});
  std::int64_t parts = 0;
  for (std::size_t part = 0; part + 1 < first.size(); ++part)
    parts += first[part] < first[part + 1];
  return parts;
}

/// Atomic additions of the threads of one branch.
std::int64_t sum_atomics(const Kernel& kernel, const Store& store, bool alone) {
  if (store.mirrored()) return std::max<std::int64_t>(0, store.nnz() - store.rows());
  // A port with one writer for each row stores; of several branches one alone may be atomic.
  if (!alone || !kernel.adds_in_any_order || !threads_add_alone(store)) return 0;
  return parts_with_entries(store);
}

std::string megabytes(double sectors) {
  return fmt::format("{:.3g} MB", sectors * static_cast<double>(bytes_a_sector) / 1e6);
}

}  // namespace

std::int64_t touched_x_bytes(const Matrix& matrix, Dtype dtype) {
  const std::int64_t columns = bytes_a_sector / number_type(dtype).bytes;
  std::vector<bool> touched(static_cast<std::size_t>(matrix.cols / columns + 1));
  for (const std::int32_t col : matrix.col) touched[static_cast<std::size_t>(col / columns)] = true;
  return bytes_a_sector * std::count(touched.begin(), touched.end(), true);
}

LeastWork least_work(const Kernel& kernel, const std::vector<Store>& branches,
                     std::int64_t x_bytes) {
  LeastWork work;
  work.x_sectors = to_sectors(x_bytes);
  work.y_sectors =
      to_sectors(std::int64_t{kernel.rows} * number_type(kernel.dtype).bytes * kernel.vectors);
  work.launches = static_cast<std::int64_t>(kernel.launches.size());
  work.held_bytes = held_bytes(kernel);
  int terms = 1;  // with loads in flight together, at most
  for (const Launch& launch : kernel.launches) {
    terms = std::max(terms, launch.in_flight.terms);
    work.blocks = std::max(work.blocks, launch.blocks);
  }
  // Loads that every branch has for each entry, beside x.
  const auto of_all = static_cast<std::int64_t>(branches.size());
  const int arrays = (named(kernel, "value") == of_all) + (named(kernel, "column") == of_all);
  std::int64_t unread = 0, unread_values = 0;
  const double value_bytes = least_value_bytes(kernel, of_all);
  std::vector<Reads> all_reads;
  for (const Store& store : branches) {
    const Reads& reads = all_reads.emplace_back(layout_kind(store).reads(store));
    const std::int64_t read = reads.least;
    unread += reads.stored - read;
    unread_values += columns_alone(store, read);
    const double of_x = 1.0 / reads.rows;  // the rows of a band share them
    const double loads = of_x + static_cast<double>(arrays) / store.vector;
    work.loads += loads * static_cast<double>(read) / threads_a_warp;
    work.waits += of_x * static_cast<double>(read) / threads_a_warp / terms;
    work.basic_blocks += of_x * static_cast<double>(read) / threads_a_warp / store.vector;
    const std::int64_t longest = reads.longest;
    work.longest_entries = std::max(work.longest_entries, longest);
    const auto entries = static_cast<double>(longest);
    work.longest_basic_blocks =
        std::max(work.longest_basic_blocks, std::floor(of_x * entries / store.vector));
    // A dense block's values are in flight together, so that they wait no more often than its x.
    const double value_loads = value_bytes > 0 ? entries / store.vector : 0;
    const double beside = std::min(value_loads, std::floor(of_x * entries));
    const double waited = value_loads > 0 ? beside / value_loads : 1;
    const double fresh = std::floor(entries * value_bytes / bytes_a_sector * waited);
    const Waits waits = {(std::floor(of_x * entries) + std::max(0.0, beside - fresh)) / terms,
                         std::min(beside, fresh) / terms, 0};
    if (waits.l1 + waits.l2 > work.longest_waits.l1 + work.longest_waits.l2)
      work.longest_waits = waits;
    work.atomics += static_cast<double>(sum_atomics(kernel, store, of_all == 1));
  }
  for (const Array& array : kernel.arrays) {
    if (finds_entries(plain_name(array), all_reads) && !array.is_dictionary())
      work.format_sectors += std::max(0.0, to_sectors(array.count * element_bytes(array.type)) - 1);
  }
  // Coded pads take at most the bytes that they would take without a coding.
  const std::int64_t value = kernel.value_type().bytes;
  const std::int64_t unread_bytes = unread * (value + 4) + unread_values * value;
  work.format_sectors = std::max(0.0, work.format_sectors - to_sectors(unread_bytes));
  return work;
}

LowerBound modelled_bound(const GpuModel& gpu, const LeastWork& least, CacheRegime regime) {
  const double sectors = least.format_sectors + least.x_sectors + least.y_sectors;
  // The GPU's own sectors that hold as much.
  const double its_sectors = static_cast<double>(bytes_a_sector) / gpu.sector_bytes;
  std::array<LaunchWork, 5> works;
  for (LaunchWork& work : works) {
    work.busy = gpu.multiprocessors;
    work.is_near = is_near(gpu, least.held_bytes, regime);
  }
  works[0].l2_whole = sectors * its_sectors;
  // Where not all of it lies in L2, data in a loop has left L2 before it is needed again.
  if (regime == CacheRegime::cold || gpu.l2_forgets || !holds_all(gpu, least.held_bytes))
    works[0].dram_sectors = sectors * its_sectors;
  works[1].lsu_cycles = least.loads / l1_lines_a_cycle;
  double& queued = least.waits_in_l2 ? works[1].each.l2 : works[1].each.l1;
  queued = least.waits / (gpu.warps_max * gpu.multiprocessors);
  works[1].each_basic_blocks = least.basic_blocks / (gpu.warps_max * gpu.multiprocessors);
  works[2].longest = least.longest_waits;
  works[2].longest.l2 *= its_sectors;
  works[2].longest.l1 += least.longest_waits.l2 - works[2].longest.l2;
  works[2].longest_basic_blocks = least.longest_basic_blocks;
  works[4].blocks = static_cast<double>(least.blocks);
  works[3].atomic_passes = least.atomics / threads_a_warp;
  const std::array<std::string, 5> causes = {
      fmt::format("its {}", megabytes(sectors)), fmt::format("its {:.0f} loads", least.loads),
      fmt::format("a thread's {} entries", least.longest_entries),
      fmt::format("its {:.0f} atomic additions", least.atomics),
      fmt::format("its {} blocks", least.blocks)};
  LowerBound bound;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const double time_us = launch_time_us(gpu, works[i], gpu.constants);
    if (time_us <= bound.time_us) continue;
    bound = {time_us, causes[i]};
  }
  const auto more_launches = static_cast<double>(least.launches - 1);
  bound.time_us += more_launches * gpu.launch_us * gpu.constants.launch_scale;
  if (more_launches > 0)
    bound.cause = fmt::format("{} launches and {}", least.launches, bound.cause);
  return bound;
}

LowerBound measured_bound(const DeviceInfo& device, const LeastWork& work, CacheRegime regime) {
  if (device.dram_gb_per_s <= 0 || device.l2_bytes <= 0) return {};
  // y may stay in L2, and in a loop as much as it holds of all the rest.
  const double kept = regime == CacheRegime::warm ? static_cast<double>(device.l2_bytes) /
                                                        static_cast<double>(bytes_a_sector)
                                                  : 0;
  const double sectors = std::max(0.0, work.format_sectors + work.x_sectors - kept);
  const double time_us =
      sectors * static_cast<double>(bytes_a_sector) / (device.dram_gb_per_s * 1e3);
  return {time_us, fmt::format("its {} from memory", megabytes(sectors))};
}

LowerBound measured_bound(const std::vector<ReadRate>& rates, const LeastWork& work) {
  constexpr double headroom = 1.25;
  const double sectors = work.format_sectors + work.x_sectors;
  const double bytes = sectors * static_cast<double>(bytes_a_sector);
  LowerBound bound;
  for (const ReadRate& rate : rates) {
    if (bytes < static_cast<double>(rate.bytes) || rate.gb_per_s <= 0) continue;
    const double gb_per_s = headroom * rate.gb_per_s;
    const double time_us = bytes / (gb_per_s * 1e3);
    if (time_us <= bound.time_us) continue;
    bound = {time_us, fmt::format("its {} at {:.0f} GB/s", megabytes(sectors), gb_per_s)};
  }
  return bound;
}

bool is_hopeless(double bound_us, double best_us, TimeKind kind) {
  constexpr double modelled_margin = 1.02, measured_margin = 1.25;
  const double margin = kind == TimeKind::modelled ? modelled_margin : measured_margin;
  return bound_us > 0 && best_us > 0 && bound_us > margin * best_us;
}

}  // namespace alphasparse
