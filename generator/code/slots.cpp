#include "generator/code/slots.h"

#include <algorithm>
#include <utility>

namespace alphasparse {

namespace {

bool any_reads(const std::vector<Slot>& slots, const std::string& name) {
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& slot) { return slot.reads(name); });
}

}  // namespace

bool Statement::reads(const std::string& name) const {
  return expression.reads(name) || guard.reads(name) || (type.empty() && target.reads(name));
}

Statement local(const std::string& type, const std::string& name, const Code& expression,
                const std::string& comment) {
  return {type, Code::plain(name), expression, {}, comment};
}

Statement call(const Code& expression, const Code& guard) {
  return {"", {}, expression, guard, ""};
}

void Slot::bind(const std::string& type, const std::string& name, const Code& expression,
                const std::string& comment) {
  const bool is_known = std::any_of(bindings.begin(), bindings.end(), [&](const Statement& known) {
    return known.declares(name) && known.type == type;
  });
  if (!is_known) bindings.push_back(local(type, name, expression, comment));
}

bool Slot::reads(const std::string& name) const {
  const auto any = [&](const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(),
                       [&](const Statement& statement) { return statement.reads(name); });
  };
  return condition.reads(name) || loop.first.reads(name) || loop.end.reads(name) ||
         loop.step.reads(name) || any(bindings) || any(before) || any(after) ||
         any_reads(otherwise, name);
}

std::vector<Slot> without_unread(std::vector<Slot> slots) {
  for (Slot& slot : slots) slot.otherwise = without_unread(std::move(slot.otherwise));
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (Slot& slot : slots) {
      const auto is_unread = [&](const Statement& binding) {
        return !binding.type.empty() && !any_reads(slots, binding.target.text());
      };
      is_changed |= std::erase_if(slot.bindings, is_unread) > 0;
    }
  }
  return slots;
}

std::vector<Slot> without_implied(std::vector<Slot> slots) {
  for (Slot& slot : slots) {
    const bool reads_format =
        std::any_of(slot.bindings.begin(), slot.bindings.end(),
                    [](const Statement& binding) { return binding.reads("f"); });
    const bool is_bare =
        slot.before.empty() && slot.after.empty() && slot.otherwise.empty() && !reads_format;
    if (!slot.is_implied || slot.kind != Slot::Kind::guard || !is_bare) continue;
    slot.kind = Slot::Kind::scope;
    slot.condition = {};
  }
  return slots;
}

}  // namespace alphasparse
