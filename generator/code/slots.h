// slots: the skeleton of a kernel's body and its text. It consists of nested scopes, each with
// values that are constant in it, an inner scope, and statements after it.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/partial.h"

namespace alphasparse {

struct Statement {
  std::string declaration;  ///< "const int row", "total +=" or empty
  std::string expression;   ///< without its semicolon
  std::string guard;        ///< a condition, or empty
  std::string comment;      ///< stands above it, or empty
};

struct Slot {
  std::string header;  ///< "if (...)", "for (...)", or empty: the scope around it goes on
  Worker uniform = Worker::thread;  ///< largest worker with threads that all run this scope
                                    ///< together
  std::vector<Statement> bindings;  ///< values that are constant in this scope
  std::vector<Statement> before;    ///< variables that the inner scopes add to
  std::vector<Statement> after;
  std::vector<Slot> otherwise;  ///< nested slots that stand behind `else`; only with an "if"

  /// Adds a let unless the same declaration is there already.
  void bind(const std::string& declaration, const std::string& expression,
            const std::string& comment = "");
};

/// The text of nested slots, outermost first, indented from `depth`, wrapped at 100 columns. Values
/// that nothing reads are left out.
std::string slots_text(const std::vector<Slot>& slots, int depth);

}  // namespace alphasparse
