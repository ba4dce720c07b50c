// large_blocks: memory for large arrays, on large pages. A block that is given back waits for the
// next array.
//
// The system clears every page that it hands out. Of a candidate of 20 million non-zeros that was
// two fifths of the host's work: each array is made, used once, and freed.
//
// All memory that waits is used before more is taken from the system: so arrays and waiting blocks
// never take more than arrays alone have taken before. An array may need a part of a block: the
// rest waits on. Or it needs several: their pages are moved behind one another. No more than an
// eighth of the memory that this process may use waits (memory.h). Where a limit of its addresses
// (ulimit -v) leaves none for an array, all blocks that wait go back first.
#pragma once
#include <cstddef>

namespace alphasparse {

/// Arrays from so many bytes on are worth a block; smaller ones would leave much of a page idle.
inline constexpr std::size_t large_block_least = std::size_t{4} << 20;

/// A block of at least so many bytes with any contents. Null where the system has no more: then no
/// block waits.
void* take_large_block(std::size_t bytes) noexcept;

/// Gives a block back. False where the address is none of a block that was taken.
bool give_large_block_back(void* block) noexcept;

/// Bytes of the blocks that wait in this process.
std::size_t waiting_block_bytes() noexcept;

/// Gives all blocks that wait to the system.
void release_waiting_blocks() noexcept;

}  // namespace alphasparse
