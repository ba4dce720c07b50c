#include "generator/format_struct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "generator/result.h"

namespace alphasparse {

namespace {

template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& entries) {
  std::vector<std::byte> bytes(entries.size() * sizeof(T));
  if (!entries.empty()) std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<std::byte> gather_values(const std::vector<double>& canonical,
                                     const std::vector<std::int32_t>& source) {
  std::vector<T> values(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    values[i] = source[i] < 0 ? T(0) : static_cast<T>(canonical[source[i]]);
  }
  return to_bytes(values);
}

/// The C++ type as the kernel spells it: values are `Value`.
std::string pointer_type(const Array& array) {
  return array.is_value() ? "Value" : element_cuda_name(array.type);
}

std::string vector_type(const Array& array, int width) {
  return fmt::format("{}{}", element_cuda_name(array.type), width);
}

/// The member of one array; its documentation stands behind it where there is room, else above.
std::string pointer_text(const Array& array) {
  const std::string member = fmt::format("  const {}* {}_;", pointer_type(array), array.name);
  const std::string doc = fmt::format("// [{}] {}", array.count, array.doc);
  if (member.size() + 2 + doc.size() <= 100) return member + "  " + doc + "\n";
  return "  " + doc + "\n" + member + "\n";
}

/// An inline member function, on one line where there is room.
std::string function_text(const std::string& signature, const std::string& body) {
  const std::string head = fmt::format("  __device__ __forceinline__ {} const {{", signature);
  if (head.size() + body.size() + 11 <= 100) return fmt::format("{} return {}; }}\n", head, body);
  return fmt::format("{}\n    return {};\n  }}\n", head, body);
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
  return member.used || member.name == "value" || member.name == "column";
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
  member.array = {name,       ElementType::i32, static_cast<std::int64_t>(entries.size()),
                  bytes,      claim.doc,        claim.least,
                  claim.most, claim.ascending,  {}};
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

void FormatStruct::add_values(const std::vector<double>& canonical,
                              std::vector<std::int32_t> value_source) {
  Member& member = declare("value");
  member.return_type = "Value";
  member.argument = "int i";
  member.doc = "value of each stored entry; 0 for a pad";
  Array& array = member.array;
  array.name = "value";
  array.doc = member.doc;
  array.count = static_cast<std::int64_t>(value_source.size());
  array.type = dtype_ == Dtype::f32 ? ElementType::f32 : ElementType::f64;
  array.bytes = dtype_ == Dtype::f32 ? gather_values<float>(canonical, value_source)
                                     : gather_values<double>(canonical, value_source);
  array.value_source = std::move(value_source);
}

void FormatStruct::add_workspace(const std::string& name, std::int64_t count,
                                 const std::string& doc) {
  const ElementType type = dtype_ == Dtype::f32 ? ElementType::f32 : ElementType::f64;
  workspaces_.push_back({name, type, count, doc, 0});
}

std::string FormatStruct::read(const std::string& name, const std::string& index) {
  Member& member = find(name);
  if (member.is_identity) return index;
  if (!member.is_stored() && member.model.a == 0) return member.body;
  member.used = true;
  return fmt::format("f.{}({})", member.name, index);
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
    if (member.is_stored() && is_kept(member)) pointers += pointer_text(member.array);
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
    if (!member.used) continue;
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
                        member.model.last, member.doc});
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
