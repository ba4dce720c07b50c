#include "runtime/matrices/text/matrix_market.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/file_kind.h"
#include "runtime/matrices/text/line_scanner.h"
#include "runtime/matrices/text/market_entries.h"
#include "runtime/matrices/text/market_header.h"
#include "runtime/system/files/regular_file.h"

namespace alphasparse {

Entries parse_matrix_market(std::string_view text, const std::string& name,
                            const ReadLimits& limits) {
  LineScanner scanner(without_mark(text), name);
  const MarketHeader header = parse_market_header(scanner);
  return MarketEntryReader(scanner, header, name, limits).read();
}

std::optional<Entries> read_long_matrix_market(const std::string& path, const ReadLimits& limits) {
  const Result<RegularFile> file = RegularFile::open(path);
  if (!file || file->size() < long_file_bytes) return std::nullopt;
  const Result<std::string> beginning = file->read(TextPieces::piece_bytes);
  if (!beginning || kind_of(*beginning) != FileKind::matrix_market) return std::nullopt;
  try {
    LineScanner scanner(without_mark(*beginning), path);
    const MarketHeader header = parse_market_header(scanner);
    const auto bytes_read = static_cast<std::int64_t>(beginning->size());
    return MarketEntryReader(scanner, header, path, limits)
        .read_file(*file, file->size() - bytes_read);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::int64_t memory_of(const ClaimedSize& size, bool mirrored) {
  // Offsets, elements of y while a kernel is verified, and the bytes that formats keep of a row. Of
  // columns nothing is kept; code that makes an x checks the memory then.
  constexpr std::int64_t row_bytes = 60;
  constexpr std::int64_t position_bytes = sizeof(std::int32_t) + sizeof(double);
  const std::int64_t entry_bytes = 4 + position_bytes + (mirrored ? 2 : 1) * position_bytes;
  return row_bytes * size.rows + entry_bytes * size.entries;
}

void check_sizes(std::int64_t rows, std::int64_t cols, const std::string& name) {
  if (rows == 0 || cols == 0)
    throw Error(fmt::format("{}: {}", name, nothing_to_multiply(rows, cols)));
  for (const std::int64_t size : {rows, cols}) {
    if (size < 0 || size > index_limit)
      throw Error(fmt::format("{}: {} rows or columns are outside 1..{}", name, size, index_limit));
  }
}

void check_memory(const ClaimedSize& size, const std::string& name, const ReadLimits& limits,
                  bool mirrored) {
  if (size.entries > limits.expanded_count) {
    throw Error(fmt::format("{}: {} entries are more than the limit {}", name, size.entries,
                            limits.expanded_count));
  }
  const std::int64_t bytes = memory_of(size, mirrored);
  if (bytes > limits.memory_bytes) {
    throw Error(
        fmt::format("{}: a matrix of {} x {} with {} entries takes {} of memory, {} are "
                    "available; use a machine with more, or raise its limit",
                    name, size.rows, size.cols, size.entries, byte_count_text(bytes),
                    byte_count_text(limits.memory_bytes)));
  }
}

std::optional<std::int64_t> entries_said(std::string_view beginning, const std::string& name,
                                         const ReadLimits& limits) {
  beginning = beginning.substr(0, beginning.rfind('\n') + 1);  // whole lines
  LineScanner scanner(beginning, name);
  if (!scanner.find_line()) return std::nullopt;
  LineScanner from_the_top(without_mark(beginning), name);
  const MarketHeader header = parse_market_header(from_the_top);
  LineScanner sizes = from_the_top;
  if (!sizes.find_line()) return std::nullopt;
  return MarketEntryReader(from_the_top, header, name, limits).check_sizes();
}

void check_size_line(std::string_view beginning, const std::string& name,
                     const ReadLimits& limits) {
  static_cast<void>(entries_said(beginning, name, limits));
}

Matrix parse_canonical(std::string bytes, const std::string& name, const ReadLimits& limits) {
  if (is_gzip(bytes)) bytes = gunzip(bytes, name, available_memory_bytes(), limits.deadline);
  Entries entries = parse_matrix_market(bytes, name, limits);
  std::string().swap(bytes);  // the matrix needs its room
  return canonical(std::move(entries));
}

Matrix read_matrix_market(const std::string& path) {
  try {
    if (std::optional<Entries> entries = read_long_matrix_market(path))
      return canonical(std::move(*entries));
    return parse_canonical(read_bytes(path), path);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: memory ran out while reading", path));
  }
}

}  // namespace alphasparse
