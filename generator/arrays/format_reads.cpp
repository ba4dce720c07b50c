// format_reads: the expressions by which the bodies of kernels read a format's members. Each read
// is noted, so that only members that are read have a function and a pointer.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/result.h"
#include "generator/arrays/format_struct.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

const FormatMember& FormatStruct::find(const std::string& name) const {
  for (const FormatMember& member : members_) {
    if (member.name != name) continue;
    const auto* const alias = member.as<Alias>();
    return alias ? find(alias->of) : member;
  }
  CHECK(!"a format member that was never added");
  return members_.front();
}

MemberReads FormatStruct::find_reads(const FormatMember& member) const {
  const auto* const alias = member.as<Alias>();
  const auto found = reads_.find(alias ? alias->of : member.name);
  return found == reads_.end() ? MemberReads{} : found->second;
}

/// An entry of the member is read, and with it all members that its function reads.
void FormatStruct::note(const std::string& name) {
  const FormatMember& member = find(name);
  if (member.is_trivial()) return;
  MemberReads& reads = reads_[member.name];
  if (reads.one) return;
  reads.one = true;
  const auto* const computed = member.as<ComputedEntry>();
  if (!computed) return;
  for_each(resolved(computed->entry), [&](const Expression& part) {
    if (part.has_words()) reads_[find(part.array).name].inside = true;
    if (part.kind != Expression::Kind::entry) return;
    if (reads_pairs(find(part.array))) return note_width(part.array, 2);
    note(part.array);
  });
}

/// Whether functions read two neighbours at once.
bool FormatStruct::reads_pairs(const FormatMember& member) const {
  return member.in_pairs && find_spelling(target_).reads_pairs;
}

void FormatStruct::note_width(const std::string& name, int width) {
  std::vector<int>& widths = reads_[find(name).name].widths;
  if (std::find(widths.begin(), widths.end(), width) == widths.end()) widths.push_back(width);
}

Code FormatStruct::read(const std::string& name, const Code& index) {
  note(name);
  const FormatMember& member = find(name);
  if (!member.is_trivial()) return code("$f.{}({})", member.name, index);
  return is_identity(name) ? index : write_code(member.as<ComputedEntry>()->entry);
}

int FormatStruct::loaded_most(const std::string& name) const {
  const auto* const stored = find(name).as<StoredArray>();
  CHECK(stored);
  return 16 / element_bytes(stored->array.type);
}

VectorRead FormatStruct::read_vector(const std::string& name, int width, const Code& index) {
  const FormatMember& member = find(name);
  const auto* const stored = member.as<StoredArray>();
  CHECK(stored && width <= loaded_most(name));
  note_width(member.name, width);
  return {vector_type(stored->array, width), code("$f.{}{}({})", member.name, width, index)};
}

Code FormatStruct::field(const std::string& name, const Code& word) {
  reads_[find(name).name].one = true;
  return code("$f.{}({})", name, word);
}

Code FormatStruct::field_of_lanes(const std::string& name, const Code& word) {
  reads_[find(name).name].lanes = true;
  return code("$f.{}({})", name, word);
}

void FormatStruct::stream(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const FormatMember& member = find(name);
    reads_[member.name].streamed = true;
    const auto* const computed = member.as<ComputedEntry>();
    if (!computed) continue;
    for_each(computed->entry, [&](const Expression& part) {
      if (part.kind != Expression::Kind::entry) return;
      const auto* const stored = find(part.array).as<StoredArray>();
      const bool once = !stored || stored->array.type == ElementType::u8 ||
                        stored->array.type == ElementType::u16;
      if (once) stream({part.array});
    });
  }
}

/// The entry with all that is known of the arrays that it reads: constants and identities need no
/// call.
Expression FormatStruct::resolved(const Expression& entry) const {
  Expression result = entry;
  for (Expression& part : result.parts) part = resolved(part);
  using Kind = Expression::Kind;
  if (entry.kind == Kind::sum) return result.parts[0] + result.parts[1];
  if (entry.kind == Kind::product) return result.parts[0] * result.parts[1];
  if (entry.kind != Kind::entry) return result;
  const auto* const computed = find(entry.array).as<ComputedEntry>();
  if (computed && computed->is_identity()) return result.parts[0];
  if (computed && computed->is_constant()) return computed->entry;
  return result;
}

/// The code inside the struct: a constant, the index itself, or a call of the member's function.
Code FormatStruct::call(const std::string& name, const Code& index) const {
  const FormatMember& member = find(name);
  if (!member.is_trivial()) return code("{}({})", member.name, index);
  return is_identity(name) ? index : write_code(member.as<ComputedEntry>()->entry);
}

bool FormatStruct::is_identity(const std::string& name) const {
  const auto* const computed = find(name).as<ComputedEntry>();
  return computed && computed->is_identity();
}

std::vector<std::string_view> FormatStruct::fragments() const {
  std::set<std::string_view> names;
  for (const Nested& nested : nested_) {
    for (const std::string_view name : nested.format->fragments()) names.insert(name);
  }
  for (const FormatMember& member : members_) {
    const auto* const computed = member.as<ComputedEntry>();
    const MemberReads reads = find_reads(member);
    if (reads.lanes && is_read_at_once(member, !reads.in_parts)) names.insert("chunks");
    if (reads.by_codes) names.insert(member.count <= few_codes ? "chosen" : "gather");
    if (!computed || (!reads.one && !reads.lanes)) continue;
    for_each(computed->entry, [&](const Expression& part) {
      if (part.kind == Expression::Kind::bits) names.insert("packed_bits");
      if (part.kind == Expression::Kind::fields) names.insert("packed_fields");
      if (part.kind == Expression::Kind::bytes) names.insert("packed_bytes");
      if (part.kind == Expression::Kind::run) names.insert("run_number");
    });
  }
  return {names.begin(), names.end()};
}

}  // namespace alphasparse
