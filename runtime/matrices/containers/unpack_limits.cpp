#include "runtime/matrices/containers/unpack_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/result.h"
#include "runtime/matrices/file_kind.h"
#include "runtime/matrices/text/harwell_boeing.h"
#include "runtime/matrices/text/smtx.h"

namespace alphasparse {

namespace {

/// The entries and sizes that a text declares.
std::optional<std::int64_t> numbers_said(FileKind kind, std::string_view beginning,
                                         const std::string& name, const ReadLimits& limits) {
  switch (kind) {
    case FileKind::matrix_market:
      return entries_said(beginning, name, limits);
    case FileKind::harwell_boeing:
      return harwell_boeing_numbers(beginning);
    case FileKind::smtx:
      return smtx_numbers(beginning);
    default:
      return std::nullopt;
  }
}

bool is_text_kind(FileKind kind) { return kind <= FileKind::smtx || kind == FileKind::other_text; }

/// Whether nothing but blanks and comments stands in the last lines.
bool ends_in_nothing(std::string_view text) {
  constexpr std::size_t looked_at = 1 << 16;
  std::string_view end = text.substr(text.size() - std::min(text.size(), looked_at));
  bool is_comment = false, line_begins = false;
  for (const char c : end) {
    if (c == '\n') {
      line_begins = true;
      is_comment = false;
    } else if (c != ' ' && c != '\t' && c != '\r' && !is_comment) {
      if (c != '%' || !line_begins) return false;
      is_comment = true;
    }
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> text_bytes_most(std::string_view beginning, const std::string& name,
                                            const ReadLimits& limits) {
  const auto numbers =
      numbers_said(detect_kind(beginning.substr(0, kind_bytes)), beginning, name, limits);
  if (!numbers) return std::nullopt;
  return text_bytes_free + entry_bytes_most * *numbers;
}

void fail_too_long(const std::string& name, std::int64_t bytes) {
  throw Error(
      fmt::format("{}: goes on for {} bytes or more, which its size line does not account for; "
                  "fetch or write the file again",
                  name, bytes));
}

UnpackWatch unpack_watch(const std::string& name, const ReadLimits& limits) {
  return [name, limits, kind = std::optional<FileKind>(), seen = std::size_t{0},
          most = std::optional<std::int64_t>()](std::string_view so_far) mutable {
    if (!kind) {
      kind = detect_kind(so_far.substr(0, kind_bytes));
      if (*kind == FileKind::other)
        throw Error(fmt::format("{}: holds no matrix: it {}", name,
                                other_kind_text(so_far.substr(0, kind_bytes))));
    }
    if (!is_text_kind(*kind)) return;
    if (!most) most = text_bytes_most(so_far.substr(0, text_bytes_free), name, limits);
    const std::string_view fresh = so_far.substr(seen);
    seen = so_far.size();
    const auto size = static_cast<std::int64_t>(so_far.size());
    const bool is_empty = size > text_bytes_free && ends_in_nothing(so_far);
    if (fresh.find('\0') == fresh.npos && size <= most.value_or(text_bytes_free) && !is_empty)
      return;
    fail_too_long(name, size);
  };
}

}  // namespace alphasparse
