#include "runtime/emulated/emulator/observe.h"

#include "runtime/emulated/emulator/kernel_error.h"

namespace alphasparse::emulator {

namespace {

const char* space_name(const Region& region) {
  return region.space == Space::shared ? "shared " : "";
}

/// An index in units of the access: a shared array's element type is not known.
[[noreturn]] void out_of_bounds(const Region& region, std::uintptr_t address, unsigned bytes,
                                AccessKind kind) {
  Region scaled = region;
  if (region.space == Space::shared) scaled.element_bytes = static_cast<int>(bytes);
  raise_error("out-of-bounds %s: %s%s[%lld], array has %lld elements", access_name(kind),
              space_name(region), region.name.c_str(), scaled.to_index(address), scaled.elements());
}

}  // namespace

const Region& find_region(std::uintptr_t address, unsigned bytes, AccessKind kind,
                          std::uintptr_t counter) {
  const Region* region = machine.memory.find(address, bytes);
  if (!region) {
    const Region* near = machine.memory.nearest(address);
    if (near) out_of_bounds(*near, address, bytes, kind);
    raise_error("%s of %u bytes at %p, which belongs to no array", access_name(kind), bytes,
                reinterpret_cast<void*>(address));
  }
  if (kind != AccessKind::read && !region->writable) {
    raise_error("%s to a read-only array: %s[%lld]", access_name(kind), region->name.c_str(),
                region->to_index(address));
  }
  machine.region_of_site[counter >> 1 & 255] = region;
  return *region;
}

void misaligned(std::uintptr_t address, unsigned bytes, AccessKind kind) {
  const Region* region = machine.memory.find(address, bytes);
  raise_error("misaligned %s: %u bytes at %s%s[%lld]", access_name(kind), bytes,
              space_name(*region), region->name.c_str(), region->to_index(address));
}

}  // namespace alphasparse::emulator
