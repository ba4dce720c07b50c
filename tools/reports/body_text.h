// body_text: the tree of a kernel body after each of its passes, for people who debug a fragment or
// a layout.
//
//   levels: opens a scope, a guard or a loop for each level
//     scope
//       let const int row = blockIdx.x * 256 + threadIdx.x
//       guard row < 1000  <- row
//
// Behind an arrow stand the names that a line reads. Lines that a pass added begin with '+', lines
// that it took away with '-'.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "generator/body/compose.h"

namespace alphasparse {

class BodyText {
 public:
  /// Adds the tree after a pass; the first pass of a body begins a new one.
  void add(const PassResult& pass);

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string first_pass_;
  std::vector<std::string> before_;  ///< the lines after the pass before
};

}  // namespace alphasparse
