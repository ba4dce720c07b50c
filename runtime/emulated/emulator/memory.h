// memory: the arrays of a kernel at fixed addresses, a gap that nobody may touch after each, and
// the block's shared memory: everything that a kernel may read or write.
//
// Addresses are the same in every run, and so are the caches that are modelled from them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace alphasparse::emulator {

struct Shadow;

/// Where a region lives decides the accesses that a kernel may make, and their cost.
enum class Space { global, shared, constants };

/// A range of addresses that a kernel knows by a name.
struct Region {
  std::string name;
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
  int element_bytes = 4;
  Space space = Space::global;
  bool writable = false;
  int index = 0;             ///< in Memory::regions
  Shadow* shadow = nullptr;  ///< its writers and readers; writable regions in mode check only

  long long to_index(std::uintptr_t address) const {
    const auto distance = static_cast<std::int64_t>(address - low);
    return distance < 0 ? -((-distance + element_bytes - 1) / element_bytes)
                        : distance / element_bytes;
  }
  long long elements() const { return static_cast<long long>(bytes / element_bytes); }
};

/// All regions of a job. They are made once, and stay where they are.
class Memory {
 public:
  std::deque<Region> regions;

  /// Reserves addresses for an array, the next after a gap. Its bytes come with map().
  Region& add_array(const std::string& name, int element_bytes, std::int64_t count, bool writable);

  /// A range that exists already: shared arrays, the module's constants.
  Region& add_range(const std::string& name, std::uintptr_t low, std::size_t bytes, Space space);

  /// Puts `file` from `offset` on at the region's addresses. Writable regions write through.
  void map(const Region& region, int file, std::int64_t offset) const;

  /// Puts new pages there, which processes that are forked from now on share.
  void map_scratch(const Region& region) const;

  /// The region that holds all of [address, address + bytes), or null.
  const Region* find(std::uintptr_t address, std::size_t bytes) const;

  /// The array with the gap that holds `address`, or the shared array nearest to it; null where it
  /// is far from all.
  const Region* nearest(std::uintptr_t address) const;

 private:
  std::uintptr_t next_ = 0x200000000000;
};

}  // namespace alphasparse::emulator
