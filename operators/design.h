// design: the text of a design and its tree - operators with parameters, and branches.
//
//   design    = step { "|" step }
//   step      = name { parameter } { branch }          only the last step of a design has branches
//   parameter = name "=" value                         no blanks inside
//   value     = item { "," item }                      item: an integer or a word
//   branch    = "{" design "}"
//
// This is the grammar alone: which operators and parameters exist is the catalogue's matter.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace alphasparse {

struct Parameter {
  std::string name;
  std::string value;
  bool operator==(const Parameter&) const = default;
};

struct Step;

struct Design {
  std::vector<Step> steps;
  bool operator==(const Design&) const;
};

struct Step {
  std::string op;
  std::vector<Parameter> parameters;
  std::vector<Design> branches;
  bool operator==(const Step&) const = default;
};

/// The tree of a text, or where and why it is none (with the column, from 1).
Result<Design> parse_design(std::string_view text);

/// The text of a tree: one blank between words, " | " between steps. parse(print(d)) == d.
std::string print_design(const Design& design);

}  // namespace alphasparse
