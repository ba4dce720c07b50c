// format_struct: adds names to a format. Behind each name stands a model, another array's entries,
// a coding or an array.
#include "generator/arrays/format_struct.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/ranges.h"
#include "base/result.h"
#include "generator/arrays/stored_values.h"

namespace alphasparse {

namespace {

std::vector<std::byte> to_bytes(const void* entries, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(entries);
  return {first, first + bytes};
}

/// The least and the greatest of the entries as numbers of type T; of none 0.
template <class T, class Entry>
std::pair<T, T> extremes(const std::vector<Entry>& entries) {
  const auto of_range = [&](std::int64_t first, std::int64_t end) {
    auto least = static_cast<T>(entries[first]), most = least;
    for (std::int64_t i = first; i < end; ++i) {
      least = std::min(least, static_cast<T>(entries[i]));
      most = std::max(most, static_cast<T>(entries[i]));
    }
    return std::pair(least, most);
  };
  const auto parts = parts_of_ranges(static_cast<std::int64_t>(entries.size()), of_range);
  if (parts.empty()) return {};
  std::pair<T, T> all = parts.front();
  for (const auto& [least, most] : parts) {
    all = {std::min(all.first, least), std::max(all.second, most)};
  }
  return all;
}

/// Each entry has as many bytes as T, which must suffice.
template <class T>
std::vector<std::byte> narrowed(const Integers& entries) {
  std::vector<std::byte> bytes(entries.size() * sizeof(T));
  for_ranges(static_cast<std::int64_t>(entries.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      const auto entry = static_cast<T>(entries[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &entry, sizeof(T));
    }
  });
  return bytes;
}

/// An array of i32, or of u8 or u16 where the entries fit.
Array integer_array(const std::string& name, ElementType type, const Integers& entries,
                    const std::string& doc) {
  Array array;
  array.name = name;
  array.type = type;
  array.count = static_cast<std::int64_t>(entries.size());
  if (type == ElementType::u8) {
    array.bytes = narrowed<std::uint8_t>(entries);
  } else if (type == ElementType::u16) {
    array.bytes = narrowed<std::uint16_t>(entries);
  } else {
    array.bytes = to_bytes(entries.data(), entries.size() * sizeof(entries[0]));
  }
  array.doc = doc;
  return array;
}

/// Words as such, or the integers of the same bits.
template <class Number>
Array u32_array(const std::string& name, const std::vector<Number>& words, const std::string& doc) {
  static_assert(sizeof(Number) == sizeof(std::uint32_t));
  Array array;
  array.name = name;
  array.type = ElementType::u32;
  array.count = static_cast<std::int64_t>(words.size());
  array.bytes = to_bytes(words.data(), words.size() * sizeof(Number));
  array.doc = doc;
  return array;
}

/// Codes are whole bytes where structure is, or where the lanes of a gang load them, else as small
/// as can be.
CodingChoice coding_of_codes(const CompactFacts& passes, int gang) {
  const bool whole_bytes = passes.structure == CodingChoice::narrow || gang > 0;
  return whole_bytes ? CodingChoice::narrow : CodingChoice::fewest;
}

/// The model that stands for the entries, if there is one.
std::optional<Fit> fit(const Integers& entries, bool is_columns, const CompactFacts& passes) {
  if (is_columns && passes.columns == CodingChoice::full) return std::nullopt;
  if (passes.models) return fit_model(entries, passes.exceptions);
  return is_columns ? std::nullopt : fit_linear(entries);
}

/// Whether the part of a coding becomes an array, and not a model.
bool is_stored(const CodedPart& part, const CompactFacts& passes) {
  if (part.type == ElementType::u32) return true;
  return passes.models ? !fit_model(part.entries, 0) : !fit_linear(part.entries);
}

IntegersKey make_key(const Integers& integers) {
  const XXH128_hash_t hash =
      XXH3_128bits(integers.data(), integers.size() * sizeof(Integers::value_type));
  return {static_cast<std::int64_t>(integers.size()), hash.low64, hash.high64};
}

/// Whether these are the integers that the member loads or decodes; `key` is theirs.
bool holds(const FormatMember& member, const Integers& entries, const IntegersKey& key) {
  if (const auto* const computed = member.as<ComputedEntry>()) return computed->key == key;
  const auto* const stored = member.as<StoredArray>();
  if (!stored) return false;
  if (stored->key) return stored->key == key;
  const Array& array = stored->array;
  const std::size_t bytes = entries.size() * sizeof(entries[0]);
  return array.type == ElementType::i32 && entries.size() >= 3 && array.bytes.size() == bytes &&
         std::memcmp(array.bytes.data(), entries.data(), bytes) == 0;
}

}  // namespace

bool FormatStruct::has(const std::string& name) const {
  return std::any_of(members_.begin(), members_.end(),
                     [&](const FormatMember& member) { return member.name == name; });
}

void FormatStruct::declare(FormatMember member) {
  CHECK(!has(member.name));
  members_.push_back(std::move(member));
}

void FormatStruct::add_array(const std::string& type, Array array, bool in_pairs) {
  FormatMember member{array.name, type, array.doc, StoredArray{}, array.count};
  member.in_pairs = in_pairs;
  member.source = StoredArray{std::move(array)};
  declare(std::move(member));
}

/// The member with the same entries, which then stands for another one.
std::optional<std::string> FormatStruct::find_twin(const Integers& entries,
                                                   const IntegersKey& key) const {
  for (const FormatMember& member : members_) {
    if (holds(member, entries, key)) return member.name;
  }
  return std::nullopt;
}

void FormatStruct::add(const std::string& name, std::vector<std::int32_t> entries,
                       const std::string& doc, bool is_columns) {
  if (!has(name)) add_integers(name, std::move(entries), doc, is_columns, passes_);
}

void FormatStruct::add_integers(const std::string& name, Integers entries, const std::string& doc,
                                bool is_columns, const CompactFacts& passes) {
  FormatMember member;
  member.name = name;
  member.type = "int";
  member.doc = doc;
  member.count = static_cast<std::int64_t>(entries.size());
  if (auto model = fit(entries, is_columns, passes)) {
    member.source = ComputedEntry{std::move(model->entry), std::move(model->how)};
    return declare(std::move(member));
  }
  const IntegersKey key = make_key(entries);
  if (auto twin = find_twin(entries, key)) {
    member.source = Alias{std::move(*twin)};
    return declare(std::move(member));
  }
  CodingChoice choice = is_columns ? passes.columns : passes.structure;
  if (choice == CodingChoice::deltas) choice = CodingChoice::fewest;  // these are the deltas
  auto coded = take_best_coding(name, entries, choice, passes.models, gang_ > 0 ? gang_ : 32);
  if (!coded) {
    member.source = StoredArray{integer_array(name, ElementType::i32, entries, doc)};
    return declare(std::move(member));
  }
  if (!coded->parts.empty() &&
      coded->entry ==
          read_entry(coded->parts.front().name, the_index())) {  // the same in a narrower type
    const CodedPart& first = coded->parts.front();
    Array narrow = integer_array(name, first.type, first.entries, doc);
    member.source = StoredArray{std::move(narrow), key};
    return declare(std::move(member));
  }
  const bool joins = !coded->header.empty() && is_stored(coded->parts[0], passes) &&
                     is_stored(coded->parts[1], passes);
  if (joins) join_header(*coded);
  member.source = ComputedEntry{coded->entry, coded->how, key};
  declare(std::move(member));
  add_parts(std::move(*coded), passes);
}

/// Some parts of an array may be computed or packed again, but no deeper than that. A condition in
/// each of their reads would cost more than it saves.
void FormatStruct::add_parts(CodedArray coded, CompactFacts passes) {
  passes.exceptions = 0;
  for (CodedPart& part : coded.parts) {
    const bool in_pairs = part.name == coded.header;
    if (part.type == ElementType::u32) {
      add_array("unsigned", u32_array(part.name, part.entries, part.doc), in_pairs);
      continue;
    }
    if (part.type == ElementType::i32 && !in_pairs) {
      passes.structure = part.is_packable ? CodingChoice::part : CodingChoice::full;
      add_integers(part.name, std::move(part.entries), part.doc, false, passes);
      continue;
    }
    add_array("int", integer_array(part.name, part.type, part.entries, part.doc), in_pairs);
  }
}

void FormatStruct::add_u32(const std::string& name, const std::vector<std::uint32_t>& words,
                           const std::string& doc) {
  add_array("unsigned", u32_array(name, words, doc));
}

void FormatStruct::add_field(const std::string& name, const std::string& return_type,
                             const Code& body, const std::string& doc) {
  declare({name, return_type, doc, BitField{body}});
}

/// Bytes of the arrays that were added since there were so many members.
std::int64_t FormatStruct::bytes_since(std::size_t first_member) const {
  std::int64_t bytes = 0;
  for (std::size_t i = first_member; i < members_.size(); ++i) {
    const auto* const stored = members_[i].as<StoredArray>();
    if (stored) bytes += stored->array.stored_bytes();
  }
  return bytes;
}

/// Where codes and dictionary are smaller than the values.
bool FormatStruct::add_coded(const CanonicalValues& canonical,
                             const std::vector<std::int32_t>& value_source) {
  std::optional<Dictionary> dictionary = make_dictionary(canonical, value_source, dtype_);
  if (!dictionary) return false;
  const bool single = stores_single(ValueChoice::single, dtype_, canonical, dictionary->source);
  const NumberType& type = number_type(canonical.stored_as(dtype_));
  const std::int64_t value_bytes = element_bytes(single ? type.narrow : type.element);
  const auto stored = static_cast<std::int64_t>(value_source.size());
  const auto count = static_cast<std::int64_t>(dictionary->source.size());
  std::vector<std::int32_t> value_code(canonical.size(), -1);
  for_ranges(stored, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {  // every value is stored once
      if (value_source[i] >= 0) value_code[value_source[i]] = dictionary->code[i];
    }
  });
  const std::size_t members = members_.size();
  CompactFacts passes = passes_;
  passes.structure = coding_of_codes(passes_, gang_);
  add_integers("value_code", std::move(dictionary->code), "code of each stored entry's value",
               false, passes);
  if (bytes_since(members) + count * value_bytes >= stored * value_bytes) {
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(members), members_.end());
    return false;
  }
  const bool has_pads = dictionary->source.back() < 0;  // their code is the last one
  Array values = value_array(ValueChoice::single, dtype_, canonical, std::move(dictionary->source));
  values.name = "value_dictionary";
  values.doc = fmt::format("the distinct values{}{}", has_pads ? "; 0 for pads" : "",
                           precision_note(values, dtype_));
  values.value_code = std::move(value_code);
  add_array(operands_.value_type(), std::move(values));
  const Expression entry = read_entry("value_dictionary", read_entry("value_code", the_index()));
  declare({"value", operands_.value_type(), "value of each stored entry",
           ComputedEntry{entry, "a dictionary"}, stored});
  return true;
}

void FormatStruct::add_values(const CanonicalValues& canonical,
                              std::vector<std::int32_t> value_source) {
  const bool coded = passes_.values == ValueChoice::coded && !value_source.empty();
  if (coded && add_coded(canonical, value_source)) return;
  add_array(operands_.value_type(),
            unmade_value_array(passes_.values, dtype_, canonical, std::move(value_source)));
}

void FormatStruct::add_workspace(const std::string& name, std::int64_t count,
                                 const std::string& doc) {
  workspaces_.push_back(
      {name, number_type(dtype_).element, count * operands_.pass_columns, doc, 0});
}

}  // namespace alphasparse
