#include "generator/format_struct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "generator/result.h"
#include "generator/stored_values.h"

namespace alphasparse {

namespace {

template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& entries) {
  std::vector<std::byte> bytes(entries.size() * sizeof(T));
  if (!entries.empty()) std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

/// An array of i32, or of u8 or u16 where the entries fit.
Array integer_array(const std::string& name, ElementType type, const Integers& entries,
                    const FormatStruct::Claim& claim) {
  Array array;
  array.name = name;
  array.type = type;
  array.count = static_cast<std::int64_t>(entries.size());
  if (type == ElementType::u8) {
    array.bytes = to_bytes(std::vector<std::uint8_t>(entries.begin(), entries.end()));
  } else if (type == ElementType::u16) {
    array.bytes = to_bytes(std::vector<std::uint16_t>(entries.begin(), entries.end()));
  } else {
    array.bytes = to_bytes(entries);
  }
  array.doc = claim.doc;
  array.least = claim.least;
  array.most = claim.most;
  array.ascending = claim.ascending;
  return array;
}

/// Codes are whole bytes where structure is, else as small as can be.
CodingChoice coding_of_codes(const CompactFacts& passes) {
  return passes.structure == CodingChoice::narrow ? CodingChoice::narrow : CodingChoice::fewest;
}

}  // namespace

std::string FormatStruct::vector_type(const Array& array, int width) {
  return fmt::format("{}{}", element_cuda_name(array.type), width);
}

FormatStruct::Member& FormatStruct::find(const std::string& name) {
  return const_cast<Member&>(std::as_const(*this).find(name));
}

const FormatStruct::Member& FormatStruct::find(const std::string& name) const {
  for (const Member& member : members_) {
    if (member.name == name) return member.same_as.empty() ? member : find(member.same_as);
  }
  CHECK(!"a format member that was never added");
  return members_.front();
}

FormatStruct::Member& FormatStruct::declare(const std::string& name) {
  for (const Member& member : members_) CHECK(member.name != name);
  Member& member = members_.emplace_back();
  member.name = name;
  member.array.count = -1;
  return member;
}

FormatStruct::Member& FormatStruct::declare_integers(const std::string& name,
                                                     const std::string& doc, std::size_t count) {
  Member& member = declare(name);
  member.return_type = "int";
  member.argument = "int i";
  member.doc = doc;
  member.count = static_cast<std::int64_t>(count);
  return member;
}

bool FormatStruct::is_kept(const Member& member) {
  // Without any pointer the struct would be empty, which differs in size between C++ and a
  // parameter list.
  return member.used || member.used_by_lanes || member.name == "value" ||
         member.name == "value_dictionary" || member.name == "column";
}

/// The model that stands for the entries, if there is one.
std::optional<Fit> FormatStruct::fit(const Integers& entries, const Claim& claim) const {
  if (claim.is_columns && passes_.columns == CodingChoice::full) return std::nullopt;
  if (passes_.models) return fit_model(entries, passes_.exceptions);
  return claim.is_columns ? std::nullopt : fit_linear(entries);
}

/// Whether another member that is stored has the same entries; then it stands for this one.
bool FormatStruct::has_twin(const std::string& name, const Integers& entries) {
  const std::size_t bytes = entries.size() * sizeof(entries[0]);
  for (const Member& other : members_) {
    const bool stored = other.is_stored() && other.array.type == ElementType::i32 &&
                        entries.size() >= 3 && other.array.bytes.size() == bytes &&
                        std::memcmp(other.array.bytes.data(), entries.data(), bytes) == 0;
    const bool coded = !other.coded_entries.empty() && other.coded_entries == entries;
    if (other.name == name || (!stored && !coded)) continue;
    find(name).same_as = other.name;
    return true;
  }
  return false;
}

void FormatStruct::add(const std::string& name, std::vector<std::int32_t> entries,
                       const Claim& claim) {
  for (const Member& member : members_) {
    if (member.name == name) return;
  }
  Member& member = declare_integers(name, claim.doc, entries.size());
  member.range = {claim.least, claim.most, claim.ascending};
  if (auto model = fit(entries, claim)) {
    member.entry = std::move(model->entry);
    member.how = std::move(model->how);
    return;
  }
  if (has_twin(name, entries)) return;
  CodingChoice choice = claim.is_columns ? passes_.columns : passes_.structure;
  if (choice == CodingChoice::deltas) choice = CodingChoice::fewest;  // these are the deltas
  if (auto coded = best_coding(name, entries, choice, passes_.models)) {
    const CodedPart& first = coded->parts.front();
    member.coded_entries = std::move(entries);
    if (coded->entry == entry_of(first.name, the_index())) {  // the same in a narrower type
      member.array = integer_array(name, first.type, first.entries, claim);
      return;
    }
    member.entry = coded->entry;
    member.how = coded->how;
    add_parts(std::move(*coded));
    return;
  }
  member.array = integer_array(name, ElementType::i32, entries, claim);
}

/// Of the parts of an array some may be computed or packed again, but no deeper than that; and a
/// condition in each of their reads would cost more than it saves.
void FormatStruct::add_parts(CodedArray coded) {
  const CompactFacts passes = passes_;
  passes_.exceptions = 0;
  for (CodedPart& part : coded.parts) {
    if (part.type == ElementType::u32) {
      add_words(part.name, {part.entries.begin(), part.entries.end()}, part.doc);
      continue;
    }
    const auto [least, most] = std::minmax_element(part.entries.begin(), part.entries.end());
    const bool ascending = std::is_sorted(part.entries.begin(), part.entries.end());
    const Claim claim{part.doc, *least, *most, ascending};
    if (part.type == ElementType::i32) {
      passes_.structure = part.is_packable ? CodingChoice::packed : CodingChoice::full;
      add(part.name, part.entries, claim);
      continue;
    }
    Member& member = declare_integers(part.name, part.doc, part.entries.size());
    member.array = integer_array(part.name, part.type, part.entries, claim);
  }
  passes_ = passes;
}

void FormatStruct::add_words(const std::string& name, std::vector<std::uint32_t> words,
                             const std::string& doc) {
  Member& member = declare(name);
  member.return_type = "unsigned";
  member.argument = "int i";
  member.doc = doc;
  member.array.name = name;
  member.array.type = ElementType::u32;
  member.array.count = static_cast<std::int64_t>(words.size());
  member.array.bytes = to_bytes(words);
  member.array.doc = doc;
  if (!words.empty()) {
    member.array.least = *std::min_element(words.begin(), words.end());
    member.array.most = *std::max_element(words.begin(), words.end());
  }
}

void FormatStruct::add_field(const std::string& name, const std::string& return_type,
                             const std::string& body, const std::string& doc) {
  Member& member = declare(name);
  member.return_type = return_type;
  member.argument = "unsigned word";
  member.body = body;
  member.doc = doc;
}

/// Where codes and dictionary are smaller than the values.
bool FormatStruct::add_coded(const std::vector<double>& canonical,
                             const std::vector<std::int32_t>& value_source) {
  std::optional<Dictionary> dictionary = make_dictionary(canonical, value_source, dtype_);
  if (!dictionary) return false;
  const bool single = stores_single(ValueChoice::single, dtype_, canonical, dictionary->source);
  const std::int64_t value_bytes = dtype_bytes(single ? Dtype::f32 : dtype_);
  const auto stored = static_cast<std::int64_t>(value_source.size());
  const auto count = static_cast<std::int64_t>(dictionary->source.size());
  std::vector<std::int32_t> value_code(canonical.size(), -1);
  for (std::size_t i = 0; i < value_source.size(); ++i) {
    if (value_source[i] >= 0) value_code[value_source[i]] = dictionary->code[i];
  }
  const CompactFacts passes = passes_;
  const std::size_t members = members_.size();
  passes_.structure = coding_of_codes(passes);
  add("value_code", std::move(dictionary->code),
      {"code of each stored entry's value", 0, count - 1, false});
  std::int64_t code_bytes = 0;
  for (std::size_t i = members; i < members_.size(); ++i) {
    code_bytes += static_cast<std::int64_t>(members_[i].array.bytes.size());
  }
  if (code_bytes + count * value_bytes >= stored * value_bytes) {
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(members), members_.end());
    passes_ = passes;
    return false;
  }
  passes_ = {};
  passes_.values = ValueChoice::single;
  add_values(canonical, std::move(dictionary->source));
  passes_ = passes;
  Member& values = members_.back();
  values.name = values.array.name = "value_dictionary";
  values.doc = values.array.doc =
      "the distinct values; 0 for pads" + precision_note(values.array, dtype_);
  values.array.value_code = std::move(value_code);
  Member& member = declare("value");
  member.return_type = "Value";
  member.argument = "int i";
  member.count = stored;
  member.entry = entry_of("value_dictionary", entry_of("value_code", the_index()));
  member.how = "a dictionary";
  member.doc = "value of each stored entry";
  return true;
}

void FormatStruct::add_values(const std::vector<double>& canonical,
                              std::vector<std::int32_t> value_source) {
  const bool coded = passes_.values == ValueChoice::coded && !value_source.empty();
  if (coded && add_coded(canonical, value_source)) return;
  Member& member = declare("value");
  member.return_type = "Value";
  member.argument = "int i";
  member.array = value_array(passes_.values, dtype_, canonical, std::move(value_source));
  member.doc = member.array.doc;
}

void FormatStruct::add_workspace(const std::string& name, std::int64_t count,
                                 const std::string& doc) {
  workspaces_.push_back({name, value_element_type(dtype_), count, doc, 0});
}

std::string FormatStruct::read(const std::string& name, const std::string& index) {
  const std::string text = call(name, index);
  return find(name).used ? "f." + text : text;
}

std::string FormatStruct::read_lanes(const std::string& name, const std::string& index) {
  Member& member = find(name);
  if (member.entry && *member.entry == the_index()) return index;
  if (member.entry && member.entry->kind == Expression::Kind::number) {
    return fmt::format("each({}, [](int) {{ return {}; }})", index, text_of(*member.entry));
  }
  if (member.entry) call(name, index);
  member.used_by_lanes = true;
  return fmt::format("f.{}({})", member.name, index);
}

/// With what is known of the arrays that it reads: constants and identities need no call.
Expression FormatStruct::resolved(const Expression& entry) const {
  Expression result = entry;
  for (Expression& part : result.parts) part = resolved(part);
  using Kind = Expression::Kind;
  if (entry.kind == Kind::sum) return result.parts[0] + result.parts[1];
  if (entry.kind == Kind::product) return result.parts[0] * result.parts[1];
  if (entry.kind != Kind::entry) return result;
  const Member& member = find(entry.array);
  if (member.entry && *member.entry == the_index()) return result.parts[0];
  if (member.entry && member.entry->kind == Kind::number) return *member.entry;
  return result;
}

/// The text inside the struct: a constant, the index itself, or a call of the member's function,
/// which is written where it is called first.
std::string FormatStruct::call(const std::string& name, const std::string& index) {
  Member& member = find(name);  // nothing below adds another one
  if (member.entry && *member.entry == the_index()) return index;
  if (member.entry && member.entry->kind == Expression::Kind::number) return text_of(*member.entry);
  if (!member.used && member.entry) member.body = body_of(*member.entry);
  member.used = true;
  return fmt::format("{}({})", member.name, index);
}

std::string FormatStruct::body_of(const Expression& entry) {
  const Expression known = resolved(entry);
  for_each(known, [&](const Expression& part) {
    if (part.kind != Expression::Kind::bits) return;
    Member& words = find(part.array);
    words.used = words.is_loaded_inside = true;
  });
  return text_of(known, [&](const std::string& array, const std::string& index) {
    return call(array, index);
  });
}

VectorRead FormatStruct::read_vector(const std::string& name, int width, const std::string& index) {
  Member& member = find(name);
  CHECK(member.is_stored() && width * element_bytes(member.array.type) <= 16);
  if (std::find(member.widths.begin(), member.widths.end(), width) == member.widths.end()) {
    member.widths.push_back(width);
  }
  return {vector_type(member.array, width), fmt::format("f.{}{}({})", member.name, width, index)};
}

void FormatStruct::stream(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    Member& member = find(name);
    member.streamed = true;
    if (!member.entry) continue;
    for_each(*member.entry, [&](const Expression& part) {
      if (part.kind != Expression::Kind::entry) return;
      Member& read = find(part.array);
      const bool once = read.array.type == ElementType::u8 || read.array.type == ElementType::u16;
      if (!read.is_stored() || once) stream({part.array});
    });
  }
}

std::string FormatStruct::field(const std::string& name, const std::string& word) {
  find(name).used = true;
  return fmt::format("f.{}({})", name, word);
}

std::string FormatStruct::field_of_lanes(const std::string& name, const std::string& word) {
  find(name).used_by_lanes = true;
  return fmt::format("f.{}({})", name, word);
}

std::vector<std::string_view> FormatStruct::fragments() const {
  std::set<std::string_view> names;
  for (const Nested& nested : nested_) {
    for (const std::string_view name : nested.format->fragments()) names.insert(name);
  }
  for (const Member& member : members_) {
    if (!member.used || !member.entry) continue;
    for_each(*member.entry, [&](const Expression& part) {
      if (part.kind == Expression::Kind::bits) names.insert("packed_bits");
      if (part.kind == Expression::Kind::run) names.insert("run_number");
    });
  }
  return {names.begin(), names.end()};
}

bool FormatStruct::is_identity(const std::string& name) const {
  const Member& member = find(name);
  return member.entry && *member.entry == the_index();
}

std::int64_t FormatStruct::bytes() const {
  std::int64_t bytes = 0;
  for (const Nested& nested : nested_) bytes += nested.format->bytes();
  for (const Member& member : members_) {
    if (member.is_stored() && is_kept(member))
      bytes += static_cast<std::int64_t>(member.array.bytes.size());
  }
  return bytes;
}

std::int64_t FormatStruct::pointers() const {
  std::int64_t count = static_cast<std::int64_t>(workspaces_.size());
  for (const Nested& nested : nested_) count += nested.format->pointers();
  for (const Member& member : members_) count += member.is_stored() && is_kept(member);
  return count;
}

std::vector<Workspace> FormatStruct::workspaces() const {
  std::vector<Workspace> all;
  std::int64_t before = 0;
  for (const Nested& nested : nested_) {
    for (Workspace& scratch : nested.format->workspaces()) {
      scratch.name = nested.member + "." + scratch.name;
      scratch.pointer += before;
      all.push_back(std::move(scratch));
    }
    before += nested.format->pointers();
  }
  std::int64_t pointer = pointers() - static_cast<std::int64_t>(workspaces_.size());
  for (Workspace scratch : workspaces_) {
    scratch.pointer = pointer++;
    all.push_back(std::move(scratch));
  }
  return all;
}

std::vector<ComputedArray> FormatStruct::computed_arrays() const {
  std::vector<ComputedArray> computed;
  for (const Nested& nested : nested_) {
    for (ComputedArray& array : nested.format->computed_arrays()) {
      array.name = nested.member + "." + array.name;
      rename_arrays(array.entry, nested.member + ".");
      computed.push_back(std::move(array));
    }
  }
  for (const Member& member : members_) {
    const auto range = is_read(member) ? member.range : std::nullopt;
    if (!member.same_as.empty()) {
      computed.push_back({member.name, entry_of(member.same_as, the_index()), same_entries,
                          member.count, member.doc, range});
    } else if (member.entry) {
      computed.push_back(
          {member.name, resolved(*member.entry), member.how, member.count, member.doc, range});
    }
  }
  return computed;
}

std::vector<StepWalk> FormatStruct::step_walks() const {
  std::vector<StepWalk> walks;
  for (const Nested& nested : nested_) {
    for (StepWalk& walk : nested.format->step_walks()) {
      const std::string prefix = nested.member + ".";
      walk.name.insert(0, prefix);
      for (Expression* const part :
           {&walk.first, &walk.step, &walk.first_thread, &walk.first_position}) {
        rename_arrays(*part, prefix);
      }
      walks.push_back(std::move(walk));
    }
  }
  for (StepWalk walk : steps_) {
    for (Expression* const part :
         {&walk.first, &walk.step, &walk.first_thread, &walk.first_position}) {
      *part = resolved(*part);
    }
    walks.push_back(std::move(walk));
  }
  return walks;
}

/// Whether kernels call it, under its own name or another.
bool FormatStruct::is_read(const Member& member) const {
  const Member& read = find(member.name);
  return read.used || read.used_by_lanes;
}

bool FormatStruct::has(const std::string& name) const {
  return std::any_of(members_.begin(), members_.end(),
                     [&](const Member& member) { return member.name == name; });
}

std::vector<Array> FormatStruct::take_arrays() {
  std::vector<Array> arrays;
  for (const Nested& nested : nested_) {
    for (Array& array : nested.format->take_arrays()) {
      array.name = nested.member + "." + array.name;
      arrays.push_back(std::move(array));
    }
  }
  for (Member& member : members_) {
    if (member.is_stored() && is_kept(member)) arrays.push_back(std::move(member.array));
  }
  return arrays;
}

}  // namespace alphasparse
