// format_contents: the arrays and workspaces that a kernel is handed beside its text, and the lines
// of its files about entries that no array holds. The contents of nested structs come first.
#include "generator/arrays/format_struct.h"

namespace alphasparse {

namespace {

/// The expressions of a walk.
std::vector<Expression*> list_parts(StepWalk& walk) {
  return {&walk.first, &walk.step, &walk.first_thread, &walk.first_position};
}

}  // namespace

/// The array behind a member, where the format has it; else null.
const Array* FormatStruct::kept_array(const FormatMember& member) const {
  const auto* const stored = member.as<StoredArray>();
  // Without any pointer the struct would be empty, which differs in size between C++ and a
  // parameter list.
  const bool always =
      member.name == "value" || member.name == "value_dictionary" || member.name == "column";
  return stored && (always || find_reads(member).any()) ? &stored->array : nullptr;
}

std::int64_t FormatStruct::bytes() const {
  std::int64_t bytes = 0;
  for (const Nested& nested : nested_) bytes += nested.format->bytes();
  for (const FormatMember& member : members_) {
    const Array* const array = kept_array(member);
    if (array) bytes += array->stored_bytes();
  }
  return bytes;
}

std::int64_t FormatStruct::pointers() const {
  std::int64_t count = static_cast<std::int64_t>(workspaces_.size());
  for (const Nested& nested : nested_) count += nested.format->pointers();
  for (const FormatMember& member : members_) count += kept_array(member) != nullptr;
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
  for (const FormatMember& member : members_) {
    if (const auto* const alias = member.as<Alias>()) {
      computed.push_back({member.name, read_entry(alias->of, the_index()), same_entries,
                          member.count, member.doc});
    } else if (const auto* const made = member.as<ComputedEntry>()) {
      computed.push_back({member.name, resolved(made->entry), made->how, member.count, member.doc});
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
      for (Expression* const part : list_parts(walk)) rename_arrays(*part, prefix);
      walks.push_back(std::move(walk));
    }
  }
  for (StepWalk walk : steps_) {
    for (Expression* const part : list_parts(walk)) *part = resolved(*part);
    walks.push_back(std::move(walk));
  }
  return walks;
}

std::vector<Array> FormatStruct::take_arrays() {
  std::vector<Array> arrays;
  for (const Nested& nested : nested_) {
    for (Array& array : nested.format->take_arrays()) {
      array.name = nested.member + "." + array.name;
      arrays.push_back(std::move(array));
    }
  }
  for (FormatMember& member : members_) {
    if (!kept_array(member)) continue;
    arrays.push_back(std::move(std::get<StoredArray>(member.source).array));
  }
  return arrays;
}

}  // namespace alphasparse
