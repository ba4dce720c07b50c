#include "generator/coding.h"

#include <algorithm>

namespace alphasparse {

namespace {

using MakeCoding = std::optional<CodedArray> (*)(const std::string&, const Integers&);

struct KnownCoding {
  CodingChoice choice;
  MakeCoding make;
};

/// What `fewest` chooses from; of two with as many bytes the first is taken.
constexpr KnownCoding codings[] = {
    {CodingChoice::narrow, narrow_coding},
    {CodingChoice::packed, packed_coding},
    {CodingChoice::runs, run_coding},
};

std::int64_t part_bytes(const CodedPart& part, bool all_models) {
  const std::int64_t bytes =
      static_cast<std::int64_t>(part.entries.size()) * element_bytes(part.type);
  if (part.type != ElementType::i32) return bytes;
  if (all_models ? fit_model(part.entries, 0) : fit_linear(part.entries)) return 0;
  if (!part.is_packable) return bytes;
  const auto packed = packed_coding(part.name, part.entries);
  return packed ? std::min(bytes, coded_bytes(*packed, all_models)) : bytes;
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
  for (const KnownCoding& coding : codings) {
    if (choice == CodingChoice::fewest || choice == coding.choice) {
      consider(coding.make(name, entries));
    }
  }
  return best;
}

std::vector<std::int32_t> slopes_of(const Integers& entries) {
  std::vector<std::int32_t> slopes{0, 1};
  if (entries.size() < 2) return slopes;
  const std::int64_t span = std::int64_t{entries.back()} - entries.front();
  const std::int64_t mean = span / static_cast<std::int64_t>(entries.size() - 1);
  if (mean > 1 && mean < (1 << 20)) slopes.push_back(static_cast<std::int32_t>(mean));
  return slopes;
}

}  // namespace alphasparse
