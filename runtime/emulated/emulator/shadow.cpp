#include "runtime/emulated/emulator/shadow.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "runtime/emulated/emulator/kernel_error.h"
#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

Intervals intervals;

void Intervals::begin_launch() {
  launch_first_ = next_;
  starts_.clear();
}

void Intervals::begin_block(std::int64_t block) {
  block_first_ = after_barrier_ = next_;
  starts_.push_back({next_, block});
}

std::uint32_t Intervals::next() {
  if (next_ == UINT32_MAX) endless("more barriers than the emulator counts");
  return next_++;
}

std::int64_t Intervals::find_block(std::uint32_t interval) const {
  const auto after = std::upper_bound(
      starts_.begin(), starts_.end(), interval,
      [](std::uint32_t wanted, const Start& start) { return wanted < start.interval; });
  return std::prev(after)->block;
}

void watch(Region& region, bool initialised) {
  static std::vector<std::unique_ptr<Shadow>> all;
  Shadow& shadow = *all.emplace_back(std::make_unique<Shadow>());
  shadow.granule_shift = std::countr_zero(static_cast<unsigned>(region.element_bytes));
  shadow.initialised = initialised;
  shadow.cells.resize((region.bytes >> shadow.granule_shift) + 1);
  region.shadow = &shadow;
}

namespace {

/// The running lane, as marks see it.
struct Self {
  std::uint32_t who = machine.thread() + 1;
  std::uint32_t interval = machine.warp().interval;
  int warp = machine.warp_index;

  bool is(const Mark& mark) const {
    return (mark.who & ~Mark::atomic_bit) == who && mark.interval >= intervals.block_first();
  }

  /// The access behind `mark` happened before the next access of this lane.
  bool follows(const Mark& mark) const {
    if (mark.interval < intervals.block_first()) return false;  // of another block
    if (mark.interval < intervals.after_barrier() || is(mark)) return true;
    return mark.thread() / lanes_per_warp == warp && mark.interval < interval;
  }
};

[[noreturn]] void report(const Region& region, std::uintptr_t address, AccessKind kind,
                         const Mark& other, const char* other_did) {
  raise_error(
      "race: %s of %s[%lld] and %s of it by block %lld thread %d, with no barrier between them",
      access_name(kind), region.name.c_str(), region.to_index(address), other_did,
      static_cast<long long>(intervals.find_block(other.interval)), other.thread());
}

/// Which of two readers a third one displaces: none where the two already differ as much as can be.
void remember_reader(Cell& cell, const Self& self, std::uint32_t first_live, Mark mark) {
  const auto free = [&](const Mark& kept) {
    return kept.who == 0 || kept.interval < first_live || self.follows(kept);
  };
  if (free(cell.reader)) {
    cell.reader = mark;
    return;
  }
  const bool first_is_near = cell.reader.interval >= intervals.block_first();
  const bool other_is_near = cell.other_reader.interval >= intervals.block_first();
  const auto find_warp = [](const Mark& kept) { return kept.thread() / lanes_per_warp; };
  if (free(cell.other_reader) || (!first_is_near && !other_is_near) ||
      (first_is_near && other_is_near && find_warp(cell.reader) == find_warp(cell.other_reader) &&
       find_warp(mark) != find_warp(cell.reader))) {
    cell.other_reader = mark;
  }
}

void check_cell(const Region& region, Cell& cell, std::uintptr_t address, AccessKind kind,
                bool initialised) {
  const Self self;
  const std::uint32_t first_live =
      region.space == Space::shared ? intervals.block_first() : intervals.launch_first();
  const auto live = [&](const Mark& mark) { return mark.who != 0 && mark.interval >= first_live; };
  const bool written = live(cell.writer);
  const bool written_before = region.space == Space::global && cell.writer.who != 0 &&
                              cell.writer.interval >= intervals.case_first();
  if (!written && !written_before && !initialised && kind != AccessKind::write) {
    raise_error("uninitialised %s: %s[%lld], which no thread has written", access_name(kind),
                region.name.c_str(), region.to_index(address));
  }
  const bool atomic = kind == AccessKind::atomic;
  if (written && !(atomic && cell.writer.is_atomic()) && !self.follows(cell.writer)) {
    report(region, address, kind, cell.writer, cell.writer.is_atomic() ? "atomic" : "write");
  }
  for (const Mark& reader : {cell.reader, cell.other_reader}) {
    if (!live(reader) || self.follows(reader)) continue;
    const bool both_read = kind == AccessKind::read && !reader.is_atomic();
    if (both_read || (atomic && reader.is_atomic())) continue;
    report(region, address, kind, reader, reader.is_atomic() ? "atomic" : "read");
  }
  const Mark mark{self.interval, self.who | (atomic ? Mark::atomic_bit : 0)};
  if (kind != AccessKind::write) remember_reader(cell, self, first_live, mark);
  if (kind != AccessKind::read) cell.writer = mark;
}

/// From now on one cell for so many bytes, a power of two: a thread accesses parts of a granule.
void refine(Shadow& shadow, unsigned bytes) {
  const int shift = std::countr_zero(bytes), finer = shadow.granule_shift - shift;
  std::vector<Cell> fine;
  fine.reserve(shadow.cells.size() << finer);
  for (const Cell& cell : shadow.cells) fine.insert(fine.end(), 1 << finer, cell);
  shadow.cells = std::move(fine);
  shadow.granule_shift = shift;
}

}  // namespace

void check_order(const Region& region, std::uintptr_t address, unsigned bytes, AccessKind kind) {
  Shadow& shadow = *region.shadow;
  if (bytes < 1u << shadow.granule_shift) refine(shadow, bytes);
  const std::size_t first = (address - region.low) >> shadow.granule_shift;
  const std::size_t last = (address - region.low + bytes - 1) >> shadow.granule_shift;
  for (std::size_t cell = first; cell <= last; ++cell) {
    check_cell(region, shadow.cells[cell], region.low + (cell << shadow.granule_shift), kind,
               shadow.initialised);
  }
}

}  // namespace alphasparse::emulator
