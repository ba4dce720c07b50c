#include "runtime/emulated/emulator/counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

Counter counter;

namespace {

/// Warps of a launch that one multiprocessor holds at once, as far as grid, threads and shared
/// memory tell; registers are not known here.
std::int64_t resident_warps(const JobCaches& caches, const JobLaunch& launch,
                            std::int64_t shared_bytes) {
  const std::int64_t warps = (launch.threads + lanes_per_warp - 1) / lanes_per_warp;
  std::int64_t blocks = std::min<std::int64_t>(caches.blocks_max, caches.warps_max / warps);
  const std::int64_t room = caches.shared_bytes > 0 ? caches.shared_bytes : caches.l1_bytes;
  if (shared_bytes > 0) blocks = std::min(blocks, room / (shared_bytes + 1024));
  const double of_whole = caches.whole_times * static_cast<double>(launch.blocks);
  const auto offered = static_cast<std::int64_t>(std::ceil(of_whole / caches.multiprocessors));
  return std::max<std::int64_t>(1, std::min(blocks, offered)) * warps;
}

/// Distinct sectors of one instruction, in the order in which its lanes name them.
struct Sectors {
  std::array<std::uint64_t, 2 * lanes_per_warp> sector;
  int count = 0;
  std::uint64_t greatest = 0;

  void add(std::uint64_t wanted) {
    if (count > 0 && wanted <= greatest) {
      for (int i = count - 1; i >= 0; --i) {
        if (sector[i] == wanted) return;
      }
    }
    greatest = std::max(greatest, wanted);
    sector[count++] = wanted;
  }

  int lines(SectorSize size) const {
    int lines = 0;
    for (int i = 0; i < count; ++i) {
      bool seen = false;
      for (int k = i - 1; k >= 0 && !seen; --k) seen = size.line(sector[k]) == size.line(sector[i]);
      lines += !seen;
    }
    return lines;
  }
};

/// The fields that are sums over blocks.
constexpr std::int64_t LaunchCounts::*summed[] = {&LaunchCounts::warps,
                                                  &LaunchCounts::basic_blocks,
                                                  &LaunchCounts::basic_block_lanes,
                                                  &LaunchCounts::memory_instructions,
                                                  &LaunchCounts::collectives,
                                                  &LaunchCounts::sectors,
                                                  &LaunchCounts::lines,
                                                  &LaunchCounts::l2_sectors,
                                                  &LaunchCounts::l2_scattered,
                                                  &LaunchCounts::dram_sectors,
                                                  &LaunchCounts::touched_sectors,
                                                  &LaunchCounts::shared_passes,
                                                  &LaunchCounts::shared_instructions,
                                                  &LaunchCounts::shared_reads,
                                                  &LaunchCounts::atomic_passes,
                                                  &LaunchCounts::atomic_lanes};
constexpr std::int64_t ArrayCounts::*array_summed[] = {
    &ArrayCounts::sectors,      &ArrayCounts::instructions, &ArrayCounts::l2_sectors,
    &ArrayCounts::dram_sectors, &ArrayCounts::reads,        &ArrayCounts::missed};

/// Adds the block's numbers to the sums and clears them.
template <class Record, class Fields>
void move_into(Record& of_block, const Fields& fields, double stands_for, double* sums) {
  for (const auto field : fields) {
    *sums++ += stands_for * static_cast<double>(of_block.*field);
    of_block.*field = 0;
  }
}

template <class Record, class Fields>
void put_sums(const double* sums, const Fields& fields, Record& record) {
  for (const auto field : fields) record.*field = std::llround(*sums++);
}

/// An instruction that misses L1 waits some six times as long as one that does not: which warp is
/// the longest hangs little on it.
constexpr double missed_weight = 5;

}  // namespace

double Counter::Waits::weight() const {
  double weight = static_cast<double>(collectives + shared_reads);
  for (const Reads& reads : of_region)
    weight += static_cast<double>(reads.all) + missed_weight * static_cast<double>(reads.missed);
  return weight;
}

void Counter::begin_launch(const Job& job, const JobLaunch& launch) {
  size_ = SectorSize(job.caches.sector_bytes);
  counts_ = LaunchCounts();
  touched_.clear();
  for (const Region& region : machine.memory.regions) {
    const bool global = region.space == Space::global;
    if (global) counts_.arrays.emplace_back().name = region.name;
    touched_.emplace_back(global ? size_.sector(region.bytes) + 1 : 0, false);
  }
  sums_.assign(std::size(summed), 0);
  array_sums_.assign(counts_.arrays.size() * std::size(array_summed), 0);
  longest_ = Waits();
  longest_begins_ = 0;
  atomic_hottest_ = 0;
  std::int64_t shared_bytes = 0;
  for (const SharedArray& array : machine.module.shared) {
    shared_bytes += static_cast<std::int64_t>(array.bytes);
  }
  const std::int64_t warps = resident_warps(job.caches, launch, shared_bytes);
  const std::int64_t blocks = warps * lanes_per_warp / std::max(lanes_per_warp, launch.threads);
  const std::int64_t taken = job.caches.shared_bytes > 0 ? 0 : blocks * shared_bytes;
  const std::int64_t l1_bytes = static_cast<std::int64_t>(
      job.caches.l1_share * static_cast<double>(job.caches.l1_bytes - taken));
  l1_.reset(l1_bytes / warps, (launch.threads + lanes_per_warp - 1) / lanes_per_warp, size_);
  counts_.resident_warps = warps;
  if (!l2_is_set_ || job.caches.l2_forgets) {
    l2_is_set_ = true;
    l2_.reset(machine.memory, job.caches);
  }
  atomics_on_line_.assign(machine.memory.regions.size(), {});
}

void Counter::begin_block(int warps, double stands_for) {
  l1_.begin_block();
  stands_for_ = stands_for;
  waits_.assign(warps, {});
  for (Waits& waits : waits_) waits.of_region.resize(machine.memory.regions.size());
}

void Counter::end_block(int warps) {
  ++counts_.blocks;
  counts_.warps += warps;
  for (const Waits& waits : waits_) {
    if (waits.weight() < longest_.weight()) continue;
    longest_ = waits;
    longest_begins_ = machine.block;  // of equal ones the last to begin
  }
  counts_.longest_block = std::max(counts_.longest_block, counts_.basic_blocks);
  move_into(counts_, summed, stands_for_, sums_.data());
  for (std::size_t i = 0; i < counts_.arrays.size(); ++i) {
    move_into(counts_.arrays[i], array_summed, stands_for_,
              &array_sums_[i * std::size(array_summed)]);
  }
}

LaunchCounts Counter::end_launch() {
  put_sums(sums_.data(), summed, counts_);
  std::size_t array = 0;
  for (const Region& region : machine.memory.regions) {
    if (region.space != Space::global) continue;
    ArrayCounts& counts = counts_.arrays[array];
    put_sums(&array_sums_[array++ * std::size(array_summed)], array_summed, counts);
    if (longest_.of_region.empty()) continue;
    counts.longest_reads = longest_.of_region[region.index].all;
    counts.longest_missed = longest_.of_region[region.index].missed;
  }
  counts_.longest_warp = longest_.memory_instructions;
  counts_.longest_collectives = longest_.collectives;
  counts_.longest_shared_reads = longest_.shared_reads;
  counts_.longest_basic_blocks = longest_.basic_blocks;
  counts_.longest_begins = longest_begins_;
  counts_.atomic_hottest = std::llround(atomic_hottest_);
  return counts_;
}

void Counter::enter_block(int warp, int lanes) {
  ++waits_[warp].basic_blocks;
  ++counts_.basic_blocks;
  counts_.basic_block_lanes += lanes;
}

void Counter::collective(int warp) {
  ++counts_.collectives;
  ++waits_[warp].collectives;
}

/// L2 takes the operations of an instruction line by line, one pass for as many as are on different
/// addresses of the line.
void Counter::count_atomics(const Access* const* accesses, int lanes) {
  const Region& region = machine.memory.regions[accesses[0]->region];
  std::vector<float>& passes = atomics_on_line_[region.index];
  if (passes.empty()) passes.resize((region.bytes >> line_shift) + 2);
  std::array<std::uint64_t, lanes_per_warp> address;
  for (int i = 0; i < lanes; ++i) address[i] = accesses[i]->address;
  std::sort(address.begin(), address.begin() + lanes);
  for (int from = 0; from < lanes;) {
    const std::uint64_t line = address[from] >> line_shift;
    int most = 0;
    while (from < lanes && address[from] >> line_shift == line) {
      const int first = from;
      while (from < lanes && address[from] == address[first]) ++from;
      most = std::max(most, from - first);
    }
    counts_.atomic_passes += most;
    float& line_sectors = passes[line - (region.low >> line_shift)];
    line_sectors += static_cast<float>(most * stands_for_);
    atomic_hottest_ = std::max<double>(atomic_hottest_, line_sectors);
  }
  counts_.atomic_lanes += lanes;
}

void Counter::touch_caches(int warp, const Region& region, AccessKind kind,
                           const std::uint64_t* sectors, int count) {
  ArrayCounts& array = counts_.arrays[region.index];
  bool missed = false;
  std::uint64_t line = ~0ull;
  int line_sectors = 0;
  const auto end_line = [&] {
    if (line_sectors < size_.line_sectors()) counts_.l2_scattered += line_sectors;
  };
  for (int i = 0; i < count; ++i) {
    if (kind == AccessKind::read && l1_.touch(warp, sectors[i])) continue;
    missed = true;
    ++counts_.l2_sectors;
    ++array.l2_sectors;
    if (size_.line(sectors[i]) != line) {
      end_line();
      line = size_.line(sectors[i]);
      line_sectors = 0;
    }
    ++line_sectors;
    const auto touched = touched_[region.index].begin() +
                         static_cast<std::ptrdiff_t>(sectors[i] - size_.sector(region.low));
    counts_.touched_sectors += !*touched;
    *touched = true;
    const int fetched = l2_.touch(region, sectors[i], machine.block);
    counts_.dram_sectors += fetched;
    array.dram_sectors += fetched;
  }
  end_line();
  if (kind != AccessKind::read) return;
  array.missed += missed;
  ++array.reads;
  ++waits_[warp].of_region[region.index].all;
  waits_[warp].of_region[region.index].missed += missed;
}

void Counter::global_access(int warp, const Access* const* accesses, int lanes) {
  const Access& first = *accesses[0];
  Sectors touched;
  std::uint64_t last = ~0ull;
  for (int i = 0; i < lanes; ++i) {
    const std::uint64_t sector = size_.sector(accesses[i]->address);
    const std::uint64_t end = size_.sector(accesses[i]->address + accesses[i]->bytes - 1);
    if (sector != last) touched.add(sector);
    if (end != sector) touched.add(end);
    last = sector;
  }
  ++counts_.memory_instructions;
  ++waits_[warp].memory_instructions;
  counts_.sectors += touched.count;
  counts_.lines += touched.lines(size_);
  ArrayCounts& array = counts_.arrays[first.region];
  array.sectors += touched.count;
  ++array.instructions;
  if (first.kind == AccessKind::atomic) count_atomics(accesses, lanes);
  touch_caches(warp, machine.memory.regions[first.region], first.kind, touched.sector.data(),
               touched.count);
}

/// 32 banks of 4 bytes; wider accesses go a half or a quarter of the warp at a time. Lanes that
/// name one word share it.
void Counter::shared_access(int warp, const Access* const* accesses, int lanes) {
  ++counts_.memory_instructions;
  ++counts_.shared_instructions;
  ++waits_[warp].memory_instructions;
  if (accesses[0]->kind == AccessKind::read) {
    ++counts_.shared_reads;
    ++waits_[warp].shared_reads;
  }
  const int words = std::max(1, accesses[0]->bytes / 4);
  const int lanes_a_pass = lanes_per_warp / words;
  for (int from = 0; from < lanes; from += lanes_a_pass) {
    std::array<std::uint64_t, lanes_per_warp> seen;
    std::array<int, lanes_per_warp> in_bank{};
    int distinct = 0, passes = 1;
    for (int i = from; i < std::min(lanes, from + lanes_a_pass); ++i) {
      for (int word = 0; word < words; ++word) {
        const std::uint64_t wanted = accesses[i]->address / 4 + word;
        const auto end = seen.begin() + distinct;
        if (std::find(seen.begin(), end, wanted) != end) continue;
        seen[distinct++] = wanted;
        passes = std::max(passes, ++in_bank[wanted % lanes_per_warp]);
      }
    }
    counts_.shared_passes += passes;
  }
}

}  // namespace alphasparse::emulator
