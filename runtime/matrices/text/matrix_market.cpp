#include "runtime/matrices/text/matrix_market.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/file_kind.h"
#include "runtime/matrices/text/line_scanner.h"
#include "runtime/matrices/text/matrix_market_entries.h"
#include "runtime/matrices/text/matrix_market_header.h"
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
