#include "runtime/emulated/emulator/memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/kernel_error.h"

namespace alphasparse::emulator {

namespace {

constexpr std::size_t gap_bytes = 1 << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_bytes - 1) & ~(page_bytes - 1); }

std::uintptr_t find_distance(const Region& region, std::uintptr_t address) {
  if (address < region.low) return region.low - address;
  return address - region.low < region.bytes ? 0 : address - region.low - region.bytes;
}

}  // namespace

Region& Memory::add_array(const std::string& name, int element_bytes, std::int64_t count,
                          bool writable) {
  Region& region = regions.emplace_back();
  region.name = name;
  region.low = next_;
  region.bytes = static_cast<std::size_t>(count) * element_bytes;
  region.element_bytes = element_bytes;
  region.writable = writable;
  region.index = static_cast<int>(regions.size()) - 1;
  next_ += whole_pages(region.bytes) + gap_bytes;
  return region;
}

Region& Memory::add_range(const std::string& name, std::uintptr_t low, std::size_t bytes,
                          Space space) {
  Region& region = regions.emplace_back();
  region.name = name;
  region.low = low;
  region.bytes = bytes;
  region.space = space;
  region.writable = space == Space::shared;
  region.index = static_cast<int>(regions.size()) - 1;
  return region;
}

void Memory::map(const Region& region, int file, std::int64_t offset) const {
  if (region.bytes == 0) return;
  const int protection = region.writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const void* got = mmap(reinterpret_cast<void*>(region.low), whole_pages(region.bytes), protection,
                         MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, offset);
  if (got == MAP_FAILED) fail("cannot map array %s: %s", region.name.c_str(), strerror(errno));
}

void Memory::map_scratch(const Region& region) const {
  if (region.bytes == 0) return;
  void* got = mmap(reinterpret_cast<void*>(region.low), whole_pages(region.bytes),
                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (got == MAP_FAILED) fail("cannot map array %s: %s", region.name.c_str(), strerror(errno));
}

const Region* Memory::find(std::uintptr_t address, std::size_t bytes) const {
  for (const Region& region : regions) {
    const std::uintptr_t offset = address - region.low;
    if (offset < region.bytes && offset + bytes <= region.bytes) return &region;
  }
  return nullptr;
}

const Region* Memory::nearest(std::uintptr_t address) const {
  const Region* best = nullptr;
  std::uintptr_t least = gap_bytes / 2;
  for (const Region& region : regions) {
    if (region.space == Space::constants || find_distance(region, address) >= least) continue;
    least = find_distance(region, address);
    best = &region;
  }
  return best;
}

}  // namespace alphasparse::emulator
