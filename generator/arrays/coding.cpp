#include "generator/arrays/coding.h"

#include <algorithm>

#include "base/result.h"

namespace alphasparse {

namespace {

using MakeCoding = std::optional<CodedArray> (*)(const std::string&, const Integers&);

struct KnownCoding {
  CodingChoice choice;
  MakeCoding make;
};

/// The codings from which `fewest` chooses. If two have as many bytes the first is taken.
constexpr KnownCoding codings[] = {
    {CodingChoice::narrow, narrow_coding},
    {CodingChoice::packed, packed_coding},
    {CodingChoice::runs, run_coding},
};

/// An entry of another array that must be decoded costs more than it looks: narrow may have an
/// eighth more bytes.
std::optional<CodedArray> part_coding(const std::string& name, const Integers& entries,
                                      bool all_models) {
  auto packed = packed_coding(name, entries), narrow = narrow_coding(name, entries);
  if (!packed || !narrow) return packed ? packed : narrow;
  const std::int64_t most = coded_bytes(*packed, all_models) / 8 * 9;
  return coded_bytes(*narrow, all_models) <= most ? narrow : packed;
}

std::int64_t part_bytes(const CodedPart& part, bool all_models) {
  const std::int64_t bytes =
      static_cast<std::int64_t>(part.entries.size()) * element_bytes(part.type);
  if (part.type != ElementType::i32) return bytes;
  if (all_models ? fit_model(part.entries, 0) : fit_linear(part.entries)) return 0;
  if (!part.is_packable) return bytes;
  const auto coded = part_coding(part.name, part.entries, all_models);
  return coded ? std::min(bytes, coded_bytes(*coded, all_models)) : bytes;
}

}  // namespace

std::int64_t coded_bytes(const CodedArray& coded, bool all_models) {
  std::int64_t bytes = 0;
  for (const CodedPart& part : coded.parts) bytes += part_bytes(part, all_models);
  return bytes;
}

std::optional<CodedArray> best_coding(const std::string& name, const Integers& entries,
                                      CodingChoice choice, bool all_models, int lanes) {
  std::optional<CodedArray> best;
  std::int64_t fewest = 4 * static_cast<std::int64_t>(entries.size());
  const auto consider = [&](std::optional<CodedArray> coded) {
    if (!coded) return;
    const std::int64_t bytes = coded_bytes(*coded, all_models);
    if (bytes >= fewest) return;
    fewest = bytes;
    best = std::move(coded);
  };
  if (choice == CodingChoice::bytes) consider(byte_coding(name, entries, lanes));
  if (choice == CodingChoice::part) consider(part_coding(name, entries, all_models));
  for (const KnownCoding& coding : codings) {
    if (choice == CodingChoice::fewest || choice == coding.choice) {
      consider(coding.make(name, entries));
    }
  }
  return best;
}

std::optional<CodedArray> take_best_coding(const std::string& name, Integers& entries,
                                           CodingChoice choice, bool all_models, int lanes) {
  // Two bytes an entry, and lines: that is always fewer than 32 bits.
  if (choice == CodingChoice::narrow) return take_narrow_coding(name, entries);
  auto coded = best_coding(name, entries, choice, all_models, lanes);
  if (coded) Integers().swap(entries);
  return coded;
}

void join_header(CodedArray& coded) {
  CodedPart first = std::move(coded.parts[0]), second = std::move(coded.parts[1]);
  CHECK(first.entries.size() == second.entries.size());
  const std::string pair[] = {first.name, second.name};
  CodedPart both{coded.header, ElementType::i32, {}, first.doc + "; " + second.doc};
  if (first.type == ElementType::u32) both.type = ElementType::u32;
  for (std::size_t i = 0; i < first.entries.size(); ++i) {
    both.entries.insert(both.entries.end(), {first.entries[i], second.entries[i]});
  }
  coded.parts.erase(coded.parts.begin());
  coded.parts.front() = std::move(both);
  replace_parts(coded.entry, [&](Expression part) {
    const auto* const found = std::find(pair, pair + 2, part.array);
    if (part.kind != Expression::Kind::entry || found == pair + 2) return part;
    return read_entry(coded.header, constant(2) * part.parts[0] + constant(found - pair));
  });
}

std::vector<std::int32_t> find_slopes(const Integers& entries) {
  std::vector<std::int32_t> slopes{0, 1};
  if (entries.size() < 2) return slopes;
  const std::int64_t span = std::int64_t{entries.back()} - entries.front();
  const std::int64_t mean = span / static_cast<std::int64_t>(entries.size() - 1);
  if (mean > 1 && mean < (1 << 20)) slopes.push_back(static_cast<std::int32_t>(mean));
  return slopes;
}

}  // namespace alphasparse
