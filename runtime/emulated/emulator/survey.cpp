#include "runtime/emulated/emulator/survey.h"

#include <algorithm>
#include <numeric>

#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

Survey survey;

std::vector<DrawnBlock> drawn_blocks(const std::vector<double>& costs, double count,
                                     std::int64_t longest) {
  // A quarter of the mean beside its own cost: a cheap block never stands for very many.
  const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  const double mean = sum / static_cast<double>(costs.size());
  const double step = 1.25 * sum / std::max(1.0, count);
  std::vector<DrawnBlock> drawn;
  double next = step / 2, before = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double size = costs[i] + mean / 4;
    const auto block = static_cast<std::int64_t>(i);
    const bool always = size >= step;
    if (always) {
      drawn.push_back({block, 1});
    } else {
      before += size;
      const bool is_drawn = before > next;
      if (is_drawn) next += step;
      if (is_drawn || block == longest) drawn.push_back({block, is_drawn ? step / size : 0});
    }
  }
  if (drawn.empty()) drawn.push_back({0, static_cast<double>(costs.size())});
  return drawn;
}

void Survey::begin_launch(const Job& job) {
  size_ = SectorSize(job.caches.sector_bytes);
  if (!l2_is_set_ || job.caches.l2_forgets) {
    l2_is_set_ = true;
    l2_.reset(machine.memory, job.caches, part);
  }
  fetched_.assign(machine.memory.regions.size(), 0);
  touched_.clear();
  for (const Region& region : machine.memory.regions) {
    const bool global = region.space == Space::global;
    touched_.emplace_back(global ? size_.sector(region.bytes) + 1 : 0, false);
  }
  touched_sectors_ = 0;
  costs_.assign(machine.blocks, 1);
  accesses_.fill(0);
  longest_ = longest_accesses_ = 0;
}

void Survey::meet(const Region& region, std::uint64_t sector) {
  fetched_[region.index] += l2_.touch(region, sector, machine.block);
  const auto touched = touched_[region.index].begin() +
                       static_cast<std::ptrdiff_t>(sector - size_.sector(region.low));
  touched_sectors_ += !*touched;
  *touched = true;
}

void Survey::end_block(std::int64_t block, std::int64_t basic_blocks) {
  costs_[block] = 1 + static_cast<double>(basic_blocks);
  const std::int64_t most = *std::max_element(accesses_.begin(), accesses_.end());
  if (most > longest_accesses_) {
    longest_accesses_ = most;
    longest_ = block;
  }
  accesses_.fill(0);
}

std::vector<DrawnBlock> Survey::draw(std::int64_t stride) const {
  return drawn_blocks(costs_, static_cast<double>(costs_.size()) / static_cast<double>(stride),
                      longest_);
}

void Survey::put_into(LaunchCounts& counts) const {
  counts.dram_sectors = 0;
  std::size_t array = 0;
  for (const Region& region : machine.memory.regions) {
    if (region.space != Space::global) continue;
    counts.arrays[array].dram_sectors = part * fetched_[region.index];
    counts.dram_sectors += counts.arrays[array++].dram_sectors;
  }
  counts.touched_sectors = part * touched_sectors_;
}

}  // namespace alphasparse::emulator
