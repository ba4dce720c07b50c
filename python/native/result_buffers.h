// result_buffers: memory for results, reused when no array refers to it any more.
//
// A fresh vector costs a page fault for each 4 KiB, which takes longer than many a product. The
// memory of a result comes back when its array and all views of it are gone: each of them holds the
// capsule that gives it back.
#pragma once
#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>

namespace alphasparse {

/// The limit of all memory that is kept for later results.
inline constexpr std::size_t kept_bytes_most = std::size_t{64} << 20;

/// A vector of `count` numbers of NumPy's type 'f', 'd', 'F' or 'D', with any values. The caller
/// holds the interpreter, which guards the kept memory. The interpreter is held as well when an
/// array goes, and when a process forks.
pybind11::array new_result(char type, std::int64_t count);

/// The bytes that are kept now.
std::size_t kept_bytes();

}  // namespace alphasparse
