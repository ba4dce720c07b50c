// observe: the checks and counts at every memory access of a kernel, before it is carried out.
#pragma once
#include <cstdint>

#include "runtime/emulated/emulator/access.h"
#include "runtime/emulated/emulator/machine.h"
#include "runtime/emulated/emulator/shadow.h"
#include "runtime/emulated/emulator/survey.h"

namespace alphasparse::emulator {

/// The region of an access that the site's last one does not explain; ends in fault() where there
/// is none, or where it must not be written.
const Region& find_region(std::uintptr_t address, unsigned bytes, AccessKind kind,
                          std::uintptr_t counter);

/// Adds to the running lane's trace; pauses the lane where that is full.
inline void record(const Access& access) {
  if (machine.trace_next == machine.trace_stop) {
    machine.warp().paused |= 1u << machine.lane;
    leave_lane();
  }
  *machine.trace_next++ = access;
}

[[noreturn]] void misaligned(std::uintptr_t address, unsigned bytes, AccessKind kind);

/// `counter` is the return address of the hook: which instruction accesses.
template <AccessKind kind, bool must_be_aligned>
[[gnu::always_inline]] inline void observe(std::uintptr_t address, unsigned bytes,
                                           std::uintptr_t counter) {
  if (address - machine.stacks.low() < machine.stacks.bytes()) return;  // a lane's own variable
  if (machine.mode == Mode::plain) return;
  const Region* region = machine.region_of_site[counter >> 1 & 255];
  const std::uintptr_t offset = address - region->low;
  const bool inside = offset < region->bytes && offset + bytes <= region->bytes;
  if (!inside || (kind != AccessKind::read && !region->writable)) [[unlikely]] {
    region = &find_region(address, bytes, kind, counter);
  }
  if (must_be_aligned && (address & (bytes - 1)) != 0) [[unlikely]]
    misaligned(address, bytes, kind);
  if (machine.mode == Mode::count) {
    if (region->space == Space::constants) return;
    record({address, static_cast<std::uint32_t>(counter - machine.module.base),
            static_cast<std::uint16_t>(region->index), static_cast<std::uint8_t>(bytes), kind});
  } else if (machine.mode == Mode::survey) {
    survey.access(*region, address, bytes, machine.thread());
  } else if (region->shadow) {
    check_order(*region, address, bytes, kind);
  }
}

}  // namespace alphasparse::emulator
