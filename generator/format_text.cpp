// format_text: `struct Format` as a kernel's text has it - its pointers, and the functions through
// which kernels read them, in the words of the target.
#include <fmt/format.h>

#include "generator/format_struct.h"
#include "generator/slots.h"

namespace alphasparse {

namespace {

/// The C++ type as the kernel spells it: values are `Value`, unless they are narrower.
std::string pointer_type(const Array& array, Dtype dtype) {
  return array.is_value() && !array.is_single(dtype) ? "Value" : element_cuda_name(array.type);
}

/// The member of one array; its documentation stands behind it where there is room, else above.
std::string pointer_text(const Array& array, Dtype dtype) {
  const std::string member =
      fmt::format("  const {}* {}_;", pointer_type(array, dtype), array.name);
  const std::string doc = fmt::format("// [{}] {}", array.count, array.doc);
  if (member.size() + 2 + doc.size() <= 100) return member + "  " + doc + "\n";
  return "  " + doc + "\n" + member + "\n";
}

/// What a function that is compiled into its callers begins with.
const char* inline_words(Target target) {
  return target == Target::cpu ? "INLINE" : "__device__ __forceinline__";
}

/// An inline member function, on one line where there is room.
std::string function_text(Target target, const std::string& signature, const std::string& body) {
  const std::string head = fmt::format("  {} {} const {{", inline_words(target), signature);
  if (head.size() + body.size() + 11 <= 100) return fmt::format("{} return {}; }}\n", head, body);
  return fmt::format("{}\n{}  }}\n", head, wrapped(2, fmt::format("return {};", body)));
}

/// What a computed member is; fields of words that are loaded already are of no kind.
std::string comment_text(const std::string& doc, const std::string& how) {
  if (how.empty()) return fmt::format("  // {}\n", doc);
  const bool long_line = doc.size() + how.size() + 7 > 100;
  return fmt::format("  // {};{}{}\n", doc, long_line ? "\n  // " : " ", how);
}

}  // namespace

std::string FormatStruct::stored_text(const Member& member) const {
  if (target_ == Target::cpu) return fmt::format("{}_[i]", member.name);
  return fmt::format("{}({}_ + i)", member.streamed ? "__ldcs" : "__ldg", member.name);
}

std::string FormatStruct::vector_functions(const Member& member) const {
  std::string functions;
  for (const int width : member.widths) {
    functions += fmt::format(
        "  {4} {0} {1}{2}(int i) const {{\n"
        "    return {3}(reinterpret_cast<const {0}*>({1}_ + i));\n  }}\n",
        vector_type(member.array, width), member.name, width, member.streamed ? "__ldcs" : "__ldg",
        inline_words(target_));
  }
  return functions;
}

/// The function that reads an entry a lane: values are loaded, integers only where they are needed.
std::string FormatStruct::lanes_function(const Member& member) const {
  const bool is_field = member.argument != "int i", is_value = member.return_type == "Value";
  const std::string argument = is_field ? "const Ints<G>& word" : "Run<G> i";
  std::string type = is_value ? "Lanes<G>" : "Ints<G>", body = member.body;
  if (member.is_stored() && !is_value) {
    type = fmt::format("Near<{}, G>", element_cuda_name(member.array.type));
    body = fmt::format("{{{}_ + i.first, i.lanes}}", member.name);
  } else if (member.is_stored()) {
    body = fmt::format("load({}_, i)", member.name);
  } else if (!is_field) {
    body = fmt::format("{}(i, [&](int entry) {{ return {}(entry); }})",
                       is_value ? "each_value" : "each", member.name);
  }
  return "  template <int G>\n" +
         function_text(target_, fmt::format("{} {}({})", type, member.name, argument), body);
}

std::string FormatStruct::functions_of(const Member& member) const {
  std::string functions = vector_functions(member);
  if (member.is_loaded_inside || (!member.used && !member.used_by_lanes)) return functions;
  if (!member.is_stored()) functions += comment_text(member.doc, member.how);
  if (member.used) {
    functions += function_text(
        target_, fmt::format("{} {}({})", member.return_type, member.name, member.argument),
        member.is_stored() ? stored_text(member) : member.body);
  }
  if (member.used_by_lanes) functions += lanes_function(member);
  return functions;
}

std::string FormatStruct::text(const std::string& name) const {
  std::string structs, pointers, functions;
  for (const Nested& nested : nested_) {
    structs += nested.format->text(nested.type) + "\n";
    pointers += fmt::format("  {} {};  // {}\n", nested.type, nested.member, nested.doc);
  }
  for (const Member& member : members_) {
    if (member.is_stored() && is_kept(member)) pointers += pointer_text(member.array, dtype_);
    functions += functions_of(member);
  }
  for (const Workspace& scratch : workspaces_) {
    pointers +=
        fmt::format("  Value* {}_;  // [{}] {}\n", scratch.name, scratch.count, scratch.doc);
    functions += fmt::format("  {1} Value* {0}() const {{ return {0}_; }}\n", scratch.name,
                             inline_words(target_));
  }
  if (!functions.empty()) functions.insert(0, "\n");
  const std::string about = fmt::format(
      "{}, {} bytes{}", name == "Format" ? "The format" : "A branch's part of the format", bytes(),
      nested_.empty() ? "; every array is read through a function of its name." : ".");
  return fmt::format("{}/// {}\nstruct {} {{\n{}{}}};\n", structs, about, name, pointers,
                     functions);
}

}  // namespace alphasparse
