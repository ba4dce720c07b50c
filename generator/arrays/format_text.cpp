// format_text: `struct Format` as a kernel's text has it - its pointers, and the functions through
// which kernels read them, in the words of the target.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/wrapped.h"
#include "generator/arrays/format_struct.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

namespace {

/// The C++ type as the kernel spells it: values have a word, unless they are narrower.
std::string pointer_type(const Array& array, const Operands& operands) {
  return array.is_value() && !array.is_single(operands.dtype) ? operands.value_type()
                                                              : element_cuda_name(array.type);
}

DocumentedLine pointer_member(const Array& array, const Operands& operands) {
  return {fmt::format("const {}* {}_;", pointer_type(array, operands), array.name),
          fmt::format("// [{}] {}", array.count, array.doc)};
}

struct Argument {
  std::string type, name;
};

/// An inline member function of one argument, on one line where there is room; not a template's.
std::string function_text(Target target, const std::string& type_and_name, const Argument& argument,
                          const Code& body, const std::string& before = "",
                          bool is_template = false) {
  const bool is_named = find_spelling(target).names_unread || body.reads(argument.name);
  const std::string head =
      fmt::format("  {} {}({}{}) const {{", find_spelling(target).inlined, type_and_name,
                  argument.type, is_named ? " " + argument.name : "");
  if (!is_template && before.empty() && head.size() + body.size() + 11 <= 100)
    return fmt::format("{} return {}; }}\n", head, body.text());
  return fmt::format("{}\n{}{}  }}\n", head, before,
                     wrapped(2, fmt::format("return {};", body.text())));
}

/// The comment of a computed member. Fields of words that are loaded already are of no kind.
std::string comment_text(const std::string& doc, const std::string& how) {
  if (how.empty()) return fmt::format("  // {}\n", doc);
  const bool long_line = doc.size() + how.size() + 7 > 100;
  return fmt::format("  // {};{}{}\n", doc, long_line ? "\n  // " : " ", how);
}

/// Whether an entry divides its index, so that the index's sign costs instructions, and nothing
/// else needs the sign. Sums and products are the same bits without one.
bool is_of_unsigned(const Expression& entry) {
  bool divides = false, compares = false;
  for_each(entry, [&](const Expression& part) {
    using Kind = Expression::Kind;
    divides |= part.kind == Kind::quotient || part.kind == Kind::remainder;
    compares |= part.kind == Kind::least || part.kind == Kind::below || part.kind == Kind::equal;
  });
  return divides && !compares;
}

/// The functions that read several neighbours at once.
std::string vector_functions(Target target, const FormatMember& member, const MemberReads& reads) {
  std::string functions;
  for (const int width : reads.widths) {
    const std::string type = vector_type(member.as<StoredArray>()->array, width);
    const std::string address =
        fmt::format("reinterpret_cast<const {}*>({}_ + i)", type, member.name);
    functions += fmt::format(
        "  {} {} {}{}(int i) const {{\n    return {};\n  }}\n", find_spelling(target).inlined, type,
        member.name, width,
        fmt::format(fmt::runtime(reads.streamed ? find_spelling(target).streamed : "*{}"),
                    address));
  }
  return functions;
}

/// The function that looks up the entry of each lane's code; few entries are compared with.
std::string code_function(const FormatMember& member) {
  const bool few = member.count <= few_codes;
  const Code body = few ? code("chosen<{}>({}_, $i)", member.count, member.name)
                        : code("gather({}_, $i)", member.name);
  return "  template <class Codes>\n" +
         function_text(Target::cpu, "auto " + member.name, {"const Codes&", "i"}, body, "", true);
}

}  // namespace

std::string FormatStruct::lanes_function(const FormatMember& member) const {
  const auto* const stored = member.as<StoredArray>();
  const auto* const field = member.as<BitField>();
  const bool is_value = this->is_value(member);
  const bool of_any_gang = find_reads(member).of_any_gang || gang_ == 0;
  const std::string gang = of_any_gang ? "G" : std::to_string(gang_);
  const Argument argument = field ? Argument{fmt::format("const Ints<{}>&", gang), "word"}
                                  : Argument{fmt::format("Run<{}>", gang), "i"};
  std::string type = fmt::format("{}<{}>", is_value ? operands_.lanes_type() : "Ints", gang);
  Code body;
  if (field) {
    body = field->body;
  } else if (stored && is_value && operands_.vectors == 1) {
    body =
        code("{}({}_, $i)", stored->array.is_single(dtype_) ? "load_narrow" : "load", member.name);
  } else if (stored) {
    type = fmt::format("{}<{}, {}>", is_value ? "Stored" : "Near",
                       element_cuda_name(stored->array.type), gang);
    body = code("{{{}_ + $i.first, $i.lanes}}", member.name);
  } else if (is_read_at_once(member, !find_reads(member).in_parts)) {
    type = is_value ? type : "auto";
    body = write_body(member);
  } else {
    body = code("{}($i, [&](int entry) {{ return {}(entry); }})", is_value ? "each_value" : "each",
                member.name);
  }
  return (of_any_gang ? "  template <int G>\n" : "") +
         function_text(target_, fmt::format("{} {}", type, member.name), argument, body, "",
                       of_any_gang);
}

std::string vector_type(const Array& array, int width) {
  return fmt::format("{}{}", element_vector_name(array.type), width);
}

/// The result of the function of one entry, and `before` it the line that loads a pair of the
/// entry's parts. All parts that an entry has are of one pair.
Code FormatStruct::write_body(const FormatMember& member, std::string* before) const {
  if (const auto* const field = member.as<BitField>()) return field->body;
  if (const auto* const computed = member.as<ComputedEntry>()) {
    const Expression entry = resolved(computed->entry);
    Code first;  // index of the pair's first entry
    for_each(entry, [&](const Expression& part) {
      const bool is_first = part.kind == Expression::Kind::entry && before &&
                            reads_pairs(find(part.array)) &&
                            part.parts[0].kind == Expression::Kind::product;
      if (!is_first) return;
      first = write_code(part.parts[0]);
      *before = fmt::format("    const {} pair = {}2({});\n",
                            vector_type(find(part.array).as<StoredArray>()->array, 2), part.array,
                            first.text());
    });
    return write_code(entry, [&](const std::string& array, const Code& index) {
      if (!before || !reads_pairs(find(array))) return call(array, index);
      return Code(index == first ? "$pair.x" : "$pair.y").read_too(index);
    });
  }
  const MemberReads reads = find_reads(member);
  const std::string_view streamed = find_spelling(target_).streamed;
  if (!streamed.empty() && reads.streamed)
    return Code::plain(fmt::format(fmt::runtime(streamed), member.name + "_ + i")).read_too("$i");
  return code("{}_[$i]", member.name);
}

std::string FormatStruct::write_functions(const FormatMember& member) const {
  if (member.as<Alias>()) return "";  // kernels call the other's
  const MemberReads reads = find_reads(member);
  std::string functions = vector_functions(target_, member, reads);
  if (reads.by_codes) functions += code_function(member);
  if (!reads.one && !reads.lanes) return functions;
  const auto* const computed = member.as<ComputedEntry>();
  const bool is_field = member.as<BitField>() != nullptr;
  if (computed || is_field) functions += comment_text(member.doc, computed ? computed->how : "");
  if (reads.one) {
    const bool is_unsigned = find_spelling(target_).divides_unsigned && computed &&
                             is_of_unsigned(resolved(computed->entry));
    const Argument argument =
        is_field ? Argument{"unsigned", "word"} : Argument{is_unsigned ? "unsigned" : "int", "i"};
    std::string before;
    const Code body = write_body(member, &before);
    functions += function_text(target_, fmt::format("{} {}", member.type, member.name), argument,
                               body, before);
  }
  if (reads.lanes) functions += lanes_function(member);
  return functions;
}

std::vector<PointerParameter> FormatStruct::parameters(const std::string& prefix) const {
  std::vector<PointerParameter> all;
  for (const Nested& nested : nested_) {
    const auto inner = nested.format->parameters(prefix + nested.member + "_");
    all.insert(all.end(), inner.begin(), inner.end());
  }
  for (const FormatMember& member : members_) {
    if (const Array* const array = kept_array(member))
      all.push_back({"const " + pointer_type(*array, operands_), prefix + array->name + "_"});
  }
  for (const Workspace& scratch : workspaces_)
    all.push_back({"Value", prefix + scratch.name + "_"});
  return all;
}

Code FormatStruct::initialiser(const std::string& prefix) const {
  std::vector<Code> parts;
  std::size_t inside = 0;
  for (const Nested& nested : nested_) {
    const std::string inner = prefix + nested.member + "_";
    parts.push_back(nested.format->initialiser(inner));
    inside += nested.format->parameters(inner).size();
  }
  const std::vector<PointerParameter> all = parameters(prefix);
  for (std::size_t i = inside; i < all.size(); ++i) parts.push_back(Code::named(all[i].name));
  return code("{{{}}}", joined(parts, ", "));
}

std::string FormatStruct::text(const std::string& name) const {
  std::string structs, functions;
  std::vector<DocumentedLine> members;
  for (const Nested& nested : nested_) {
    structs += nested.format->text(nested.type) + "\n";
    members.push_back({fmt::format("{} {};", nested.type, nested.member), "// " + nested.doc});
  }
  for (const FormatMember& member : members_) {
    if (const Array* const array = kept_array(member))
      members.push_back(pointer_member(*array, operands_));
    functions += write_functions(member);
  }
  for (const Workspace& scratch : workspaces_) {
    members.push_back({fmt::format("Value* {}_;", scratch.name),
                       fmt::format("// [{}] {}", scratch.count, scratch.doc)});
    functions += fmt::format("  {1} Value* {0}() const {{ return {0}_; }}\n", scratch.name,
                             find_spelling(target_).inlined);
  }
  if (!functions.empty()) functions.insert(0, "\n");
  const std::string description = fmt::format(
      "{}, {} bytes{}", name == "Format" ? "The format" : "A branch's part of the format", bytes(),
      nested_.empty() ? "; every array is read through a function of its name." : ".");
  return fmt::format("{}{}struct {} {{\n{}{}}};\n", structs, wrapped(0, "/// " + description), name,
                     documented(1, members), functions);
}

}  // namespace alphasparse
