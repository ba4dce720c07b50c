// checker: the part that the contract's checkers share: they keep the first fault, which ends the
// check.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>

namespace alphasparse {

class Checker {
 protected:
  /// Keeps the line unless there is one already; always false, for `return fail(...)`.
  template <class... T>
  bool fail(fmt::format_string<T...> format, T&&... arguments) {
    if (violation_.empty()) violation_ = fmt::format(format, std::forward<T>(arguments)...);
    return false;
  }

  std::string violation_;
};

}  // namespace alphasparse
