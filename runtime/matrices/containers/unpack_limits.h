// unpack_limits: how far a packed file is unpacked. A few bytes may become many: text that cannot
// be a matrix, or is far longer than its own size line says, is refused before it fills the memory.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "runtime/matrices/containers/archive.h"
#include "runtime/matrices/text/matrix_market.h"

namespace alphasparse {

/// Text beyond the entries: comments, titles, blanks.
constexpr std::int64_t text_bytes_free = std::int64_t{16} << 20;
/// The longest line of an entry that is counted on.
constexpr std::int64_t entry_bytes_most = 128;

/// How many bytes a text may have that begins so; nothing where its size line is not in it yet, or
/// it is no text of a matrix.
std::optional<std::int64_t> text_bytes_most(std::string_view beginning, const std::string& name,
                                            const ReadLimits& limits);

/// Throws the Error (exit 2) of a text that is longer: it has so many bytes already.
[[noreturn]] void fail_too_long(const std::string& name, std::int64_t bytes);

/// Looks at the unpacked part of `name`. Throws Error (exit 2) in one line.
UnpackWatch unpack_watch(const std::string& name, const ReadLimits& limits);

}  // namespace alphasparse
