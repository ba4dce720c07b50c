// access: one memory access of one lane, or its entry into a basic block.
#pragma once
#include <cstdint>

namespace alphasparse::emulator {

enum class AccessKind : std::uint8_t { read, write, atomic, enter_block };

inline const char* access_name(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "atomic";
}

struct Access {
  std::uint64_t address;
  std::uint32_t site;    ///< program counter, from the module's start
  std::uint16_t region;  ///< index of Memory::regions
  std::uint8_t bytes;
  AccessKind kind;
};

static_assert(sizeof(Access) == 16);

}  // namespace alphasparse::emulator
