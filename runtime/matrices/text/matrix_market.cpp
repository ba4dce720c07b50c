#include "runtime/matrices/text/matrix_market.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/containers/byte_source.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/containers/unpack_limits.h"
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

namespace {

enum class Reading { by_cores, by_lines };

struct LongRead {
  bool is_long = false;            ///< a long Matrix Market file of entries
  std::optional<Entries> entries;  ///< none: not long, or faulty and read by all cores
};

LongRead read_long(const std::string& path, const ReadLimits& limits, Reading reading) {
  const Result<RegularFile> file = RegularFile::open(path);
  if (!file || file->size() < long_gzip_bytes) return {};
  const LongBytes bytes = load_bytes(*file, path, limits);
  if (!bytes.is_gzip && file->size() < long_file_bytes) return {};
  std::string beginning(TextPieces::piece_bytes, '\0');
  std::optional<LineScanner> scanner;
  std::optional<MarketEntryReader> reader;
  std::optional<std::int64_t> bytes_most;
  try {
    beginning.resize(bytes.source->read(beginning.data(), beginning.size()));
    if (detect_kind(beginning) != FileKind::matrix_market) return {};
    scanner.emplace(without_mark(beginning), path);
    reader.emplace(*scanner, parse_market_header(*scanner), path, limits);
    if (!reader->read_sizes_of_long()) return {};
    bytes_most = text_bytes_most(beginning, path, limits);
  } catch (const Error&) {
    // The header or the size line is faulty, or goes on behind the beginning. Or the beginning
    // cannot be read. A reader of the whole text tells which.
    return {};
  }
  PiecesOfFile text(*bytes.source, scanner->rest(), bytes_most.value(), path);
  if (reading == Reading::by_cores) return {true, reader->read_by_cores(text)};
  return {true, reader->read_by_lines(text)};
}

}  // namespace

std::optional<Entries> read_long_matrix_market(const std::string& path, const ReadLimits& limits) {
  LongRead read = read_long(path, limits, Reading::by_cores);
  if (read.is_long && !read.entries) read = read_long(path, limits, Reading::by_lines);
  return std::move(read.entries);
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
