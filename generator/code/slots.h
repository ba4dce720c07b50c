// slots: the skeleton of a kernel's body. It consists of nested slots, each with values that are
// constant in it, an inner slot, and statements after it. Passes change slots; only the printer
// makes lines of them.
#pragma once
#include <string>
#include <vector>

#include "base/code.h"
#include "generator/arrays/partial.h"

namespace alphasparse {

/// A declaration ("const int row = ..."), an assignment ("table[...] = ...") or a call.
struct Statement {
  std::string type;     ///< "const int"; empty: it declares nothing
  Code target;          ///< the declared name, or the place that it writes; empty: a call
  Code expression;      ///< without its semicolon
  Code guard;           ///< a condition, or empty
  std::string comment;  ///< stands above it, or empty
  bool adds = false;    ///< to the target, in place of setting it

  bool declares(const std::string& name) const { return !type.empty() && target.text() == name; }
  /// Whether it reads the name; a declaration does not read its own.
  bool reads(const std::string& name) const;
};

/// A declaration of a local, and a call.
Statement local(const std::string& type, const std::string& name, const Code& expression,
                const std::string& comment = "");
Statement call(const Code& expression, const Code& guard = {});

/// The head of a loop: for (int index = first; index < end; index += step).
struct Loop {
  std::string index;
  Code first, end;
  Code step = {};  ///< empty: 1
};

struct Slot {
  enum class Kind {
    scope,  ///< the scope around it goes on
    guard,  ///< if (condition)
    loop,
  };
  Kind kind = Kind::scope;
  Code condition;                   ///< of a guard
  bool is_implied = false;          ///< by the guard inside
  Loop loop;                        ///< of a loop
  Worker uniform = Worker::thread;  ///< largest worker with threads that all run this scope
                                    ///< together
  std::vector<Statement> bindings;  ///< values that are constant in this scope
  std::vector<Statement> before;    ///< variables that the inner scopes add to
  std::vector<Statement> after;
  std::vector<Slot> otherwise;  ///< nested slots that stand behind `else`; only with a guard

  /// Adds a value that is constant in this scope, unless it is there already.
  void bind(const std::string& type, const std::string& name, const Code& expression,
            const std::string& comment = "");

  /// Whether its head or one of its statements reads the name.
  bool reads(const std::string& name) const;
};

/// Nested slots, outermost first, without the values that nothing reads. The reads are known only
/// when all slots are filled.
std::vector<Slot> without_unread(std::vector<Slot> slots);

/// Without the guards that another one inside implies, where no entry of the format is read between
/// them.
std::vector<Slot> without_implied(std::vector<Slot> slots);

}  // namespace alphasparse
