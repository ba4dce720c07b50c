#include "runtime/emulated/emulator/merge.h"

#include <array>
#include <bit>
#include <cstdint>

#include "runtime/emulated/emulator/counts.h"
#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

namespace {

constexpr std::size_t trace_step = trace_records + 12;  // 12 records: three cache lines aside
Access traces[lanes_per_warp * trace_step];

constexpr std::uint32_t no_site = UINT32_MAX;

/// The next record of each lane of a warp.
struct Heads {
  std::array<const Access*, lanes_per_warp> next{};
  std::array<const Access*, lanes_per_warp> end{};
  alignas(64) std::array<std::uint32_t, lanes_per_warp> site;

  explicit Heads(const Warp& warp) {
    site.fill(no_site);
    for (std::uint32_t left = warp.lanes; left != 0;) {
      const int lane = take_lowest(left);
      next[lane] = warp.trace_begin[lane];
      end[lane] = warp.trace_end[lane];
      refresh(lane);
    }
  }

  void refresh(int lane) { site[lane] = next[lane] == end[lane] ? no_site : next[lane]->site; }

  std::uint32_t lowest_site() const {
    std::uint32_t least = no_site;
    for (const std::uint32_t each : site) least = each < least ? each : least;
    return least;
  }

  std::uint32_t lanes_at(std::uint32_t wanted) const {
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      lanes |= static_cast<std::uint32_t>(site[lane] == wanted) << lane;
    }
    return lanes;
  }

  /// Moves `lanes` on by one record; the lanes among them that have none left.
  std::uint32_t advance(std::uint32_t lanes) {
    std::uint32_t dry = 0;
    while (lanes != 0) {
      const int lane = take_lowest(lanes);
      ++next[lane];
      refresh(lane);
      if (site[lane] == no_site) dry |= 1u << lane;
    }
    return dry;
  }
};

/// One instruction of the warp, executed by `lanes`.
void count_instruction(const Heads& heads, std::uint32_t lanes) {
  const Access& first = *heads.next[std::countr_zero(lanes)];
  if (first.kind == AccessKind::enter_block) {
    counter.enter_block(machine.warp_index, std::popcount(lanes));
    return;
  }
  while (lanes != 0) {  // once, but where lanes access several arrays
    std::array<const Access*, lanes_per_warp> accesses;
    int count = 0;
    const std::uint16_t region = heads.next[std::countr_zero(lanes)]->region;
    for (std::uint32_t left = lanes; left != 0;) {
      const int lane = take_lowest(left);
      if (heads.next[lane]->region != region) continue;
      accesses[count++] = heads.next[lane];
      lanes &= ~(1u << lane);
    }
    if (machine.memory.regions[region].space == Space::shared) {
      counter.shared_access(machine.warp_index, accesses.data(), count);
    } else {
      counter.global_access(machine.warp_index, accesses.data(), count);
    }
  }
}

}  // namespace

Access* trace_of_lane(int lane) { return traces + lane * trace_step; }

void merge_warp() {
  Warp& warp = machine.warp();
  Heads heads(warp);
  std::uint32_t dry = 0;
  while ((dry & warp.paused) == 0) {
    const std::uint32_t site = heads.lowest_site();
    if (site == no_site) break;
    const std::uint32_t lanes = heads.lanes_at(site);
    count_instruction(heads, lanes);
    dry = heads.advance(lanes);
  }
  for (std::uint32_t left = warp.lanes; left != 0;) {
    const int lane = take_lowest(left);
    warp.trace_begin[lane] = heads.next[lane];
    if (heads.next[lane] != heads.end[lane]) continue;
    warp.trace_begin[lane] = warp.trace_end[lane] = trace_of_lane(lane);
    if ((warp.paused >> lane & 1) == 0) continue;
    warp.paused &= ~(1u << lane);
    warp.runnable |= 1u << lane;
  }
}

}  // namespace alphasparse::emulator
