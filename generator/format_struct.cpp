#include "generator/format_struct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "generator/packed.h"
#include "generator/result.h"
#include "generator/slots.h"
#include "generator/stored_values.h"

namespace alphasparse {

namespace {

template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& entries) {
  std::vector<std::byte> bytes(entries.size() * sizeof(T));
  if (!entries.empty()) std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

/// The C++ type as the kernel spells it: values are `Value`, unless they are narrower.
std::string pointer_type(const Array& array, Dtype dtype) {
  return array.is_value() && !array.is_single(dtype) ? "Value" : element_cuda_name(array.type);
}

std::string vector_type(const Array& array, int width) {
  return fmt::format("{}{}", element_cuda_name(array.type), width);
}

/// The member of one array; its documentation stands behind it where there is room, else above.
std::string pointer_text(const Array& array, Dtype dtype) {
  const std::string member =
      fmt::format("  const {}* {}_;", pointer_type(array, dtype), array.name);
  const std::string doc = fmt::format("// [{}] {}", array.count, array.doc);
  if (member.size() + 2 + doc.size() <= 100) return member + "  " + doc + "\n";
  return "  " + doc + "\n" + member + "\n";
}

/// An inline member function, on one line where there is room.
std::string function_text(const std::string& signature, const std::string& body) {
  const std::string head = fmt::format("  __device__ __forceinline__ {} const {{", signature);
  if (head.size() + body.size() + 11 <= 100) return fmt::format("{} return {}; }}\n", head, body);
  return fmt::format("{}\n{}  }}\n", head, wrapped(2, fmt::format("return {};", body)));
}

}  // namespace

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

bool FormatStruct::is_kept(const Member& member) {
  // Without any pointer the struct would be empty, which differs in size between C++ and a
  // parameter list.
  return member.used || member.name == "value" || member.name == "value_dictionary" ||
         member.name == "column";
}

void FormatStruct::add(const std::string& name, std::vector<std::int32_t> entries,
                       const Claim& claim) {
  for (const Member& member : members_) {
    if (member.name == name) return;
  }
  Member& member = declare(name);
  member.return_type = "int";
  member.argument = "int i";
  member.doc = claim.doc;
  const auto model = name == "column" ? std::nullopt : fit_linear(entries);
  if (model) {
    member.is_identity = model->is_identity();
    member.model = *model;
    member.body = model_text(*model, "i");
    return;
  }
  const std::vector<std::byte> bytes = to_bytes(entries);
  for (Member& other : members_) {
    if (&other == &member || !other.is_stored() || other.array.bytes != bytes) continue;
    if (other.array.type != ElementType::i32 || entries.size() < 3) continue;
    member.same_as = other.name;
    return;
  }
  if (name == "column" ? passes_.columns : passes_.structure) {
    if (add_packed(name, entries, claim)) return;
  }
  find(name).array = {name,       ElementType::i32, static_cast<std::int64_t>(entries.size()),
                      bytes,      claim.doc,        claim.least,
                      claim.most, claim.ascending,  {},
                      {}};
}

/// Where chunks are smaller than 32 bits an entry. Their bases and first words are structure arrays
/// themselves, which a model may stand for, but are not packed again.
bool FormatStruct::add_packed(const std::string& name, const std::vector<std::int32_t>& entries,
                              const Claim& claim) {
  for (Member& other : members_) {
    if (other.chunk == 0 || other.packed_entries != entries) continue;
    find(name).same_as = other.name;
    return true;
  }
  std::optional<PackedArray> packed = pack_best(entries);
  if (!packed || packed->bytes() >= 4 * static_cast<std::int64_t>(entries.size())) return false;
  const std::string chunks = fmt::format("each {} of {}", packed->chunk, name);
  const CompactFacts passes = std::exchange(passes_, {});
  const auto [least, most] = std::minmax_element(packed->base.begin(), packed->base.end());
  add(name + "_base", packed->base, {"base of " + chunks, *least, *most, false});
  add(name + "_first_word", packed->first_word,
      {"first word of bits of " + chunks, 0, packed->first_word.back(), true});
  add_words(name + "_bits", std::move(packed->words), "bits beyond base, packed, of " + name);
  passes_ = passes;
  Member& member = find(name);
  member.chunk = packed->chunk;
  member.model.a = packed->slope;
  member.packed_entries = entries;
  member.doc = fmt::format("{}; by {}: a base, and as many bits as the {} need", claim.doc,
                           packed->chunk, packed->chunk);
  return true;
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
  const std::optional<PackedArray> packed = pack_best(dictionary->code);
  if (!packed || packed->bytes() + count * value_bytes >= stored * value_bytes) return false;
  std::vector<std::int32_t> value_code(canonical.size(), -1);
  for (std::size_t i = 0; i < value_source.size(); ++i) {
    if (value_source[i] >= 0) value_code[value_source[i]] = dictionary->code[i];
  }
  const CompactFacts passes = passes_;
  passes_.structure = true;
  add("value_code", std::move(dictionary->code),
      {"code of each stored entry's value", 0, count - 1, false});
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
  member.coded = stored;
  member.doc = "value of each stored entry, from a dictionary";
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

/// The expression inside the struct; a function of it where the member is used after that.
std::string FormatStruct::call(const std::string& name, const std::string& index) {
  Member& member = find(name);  // nothing below adds another one
  if (member.is_identity) return index;
  const bool is_arithmetic = !member.is_stored() && member.coded == 0 && member.chunk == 0;
  if (is_arithmetic && member.model.a == 0) return member.body;
  if (!member.used) {
    if (member.coded > 0) member.body = coded_body(member.name);
    if (member.chunk > 0) member.body = packed_body(member.name);
  }
  member.used = true;
  return fmt::format("{}({})", member.name, index);
}

std::string FormatStruct::coded_body(const std::string& name) {
  return call(name + "_dictionary", call(name + "_code", "i"));
}

std::string FormatStruct::packed_body(const std::string& name) {
  const int chunk = find(name).chunk;
  const std::int64_t slope = find(name).model.a;
  Member& bits = find(name + "_bits");
  bits.used = bits.is_loaded_inside = true;
  const std::string at = fmt::format("i / {}", chunk);
  std::string line = call(name + "_base", at);
  if (slope == 1) line += fmt::format(" + i % {}", chunk);
  if (slope > 1) line += fmt::format(" + {} * (i % {})", slope, chunk);
  const std::string field =
      fmt::format("packed_bits<{0}>({1}_bits_, {2}, {3}, i % {0})", chunk, name,
                  call(name + "_first_word", at), call(name + "_first_word", at + " + 1"));
  return line == "0" ? field : line + " + " + field;
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
  for (const std::string& name : names) find(name).streamed = true;
}

std::string FormatStruct::field(const std::string& name, const std::string& word) {
  find(name).used = true;
  return fmt::format("f.{}({})", name, word);
}

bool FormatStruct::unpacks() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.chunk > 0 && member.used; }) ||
         std::any_of(nested_.begin(), nested_.end(),
                     [](const Nested& nested) { return nested.format->unpacks(); });
}

bool FormatStruct::is_identity(const std::string& name) const { return find(name).is_identity; }

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

std::string FormatStruct::text(const std::string& name) const {
  std::string structs, pointers, functions;
  for (const Nested& nested : nested_) {
    structs += nested.format->text(nested.type) + "\n";
    pointers += fmt::format("  {} {};  // {}\n", nested.type, nested.member, nested.doc);
  }
  for (const Member& member : members_) {
    if (member.is_stored() && is_kept(member)) pointers += pointer_text(member.array, dtype_);
  }
  for (const Member& member : members_) {
    const char* const load = member.streamed ? "__ldcs" : "__ldg";
    for (const int width : member.widths) {
      const std::string type = vector_type(member.array, width);
      functions += fmt::format(
          "  __device__ __forceinline__ {0} {1}{2}(int i) const {{\n"
          "    return {3}(reinterpret_cast<const {0}*>({1}_ + i));\n  }}\n",
          type, member.name, width, load);
    }
    if (!member.used || member.is_loaded_inside) continue;
    if (!member.is_stored()) functions += fmt::format("  // {}\n", member.doc);
    const std::string body =
        member.is_stored() ? fmt::format("{}({}_ + i)", load, member.name) : member.body;
    functions += function_text(
        fmt::format("{} {}({})", member.return_type, member.name, member.argument), body);
  }
  for (const Workspace& scratch : workspaces_) {
    pointers +=
        fmt::format("  Value* {}_;  // [{}] {}\n", scratch.name, scratch.count, scratch.doc);
    functions += fmt::format("  __device__ __forceinline__ Value* {0}() const {{ return {0}_; }}\n",
                             scratch.name);
  }
  if (!functions.empty()) functions.insert(0, "\n");
  const std::string about = fmt::format(
      "{}, {} bytes{}", name == "Format" ? "The format" : "A branch's part of the format", bytes(),
      nested_.empty() ? "; every array is read through a function of its name." : ".");
  return fmt::format("{}/// {}\nstruct {} {{\n{}{}}};\n", structs, about, name, pointers,
                     functions);
}

std::vector<ComputedArray> FormatStruct::computed_arrays() const {
  std::vector<ComputedArray> computed;
  for (const Nested& nested : nested_) {
    for (ComputedArray& array : nested.format->computed_arrays()) {
      array.name = nested.member + "." + array.name;
      if (!array.same_as.empty()) array.same_as = nested.member + "." + array.same_as;
      computed.push_back(std::move(array));
    }
  }
  for (const Member& member : members_) {
    if (member.is_stored() || member.argument != "int i") continue;
    computed.push_back({member.name, member.same_as, member.model.a, member.model.b,
                        member.model.last, member.coded, member.chunk, member.doc});
  }
  return computed;
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
