// model: an expression that stands in the place of a stored array.
//
// Kinds of models propose expressions, and a proposal is a guess. It is taken only if the very
// expression that will be emitted gives back every entry in signed arithmetic of 32 bits. A few
// entries may be exceptions, which become conditions of that expression. A kind of model is one
// file under models/ and one line in model.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/expression.h"

namespace alphasparse {

using Integers = std::vector<std::int32_t>;

/// A guess at the entries.
struct Proposal {
  std::string_view name;  ///< of the model: "linear"
  Expression entry;
};

/// A kind of model; no proposal need be right.
using ModelKind = std::vector<Proposal> (*)(const Integers& entries);

/// A model that gives back every entry.
struct Fit {
  std::string how;  ///< "linear", "step, at most 7, 2 exceptions"
  Expression entry;
};

/// Constant, linear, or linear with a short last step. Nobody would store such an array by hand, so
/// this kind is tried for every structure array. An empty array is the constant 0.
std::optional<Fit> fit_linear(const Integers& entries);

/// The model of all kinds with the fewest exceptions, if it has at most `exceptions`, and at most
/// one for each eight entries. Short arrays may only be lines.
std::optional<Fit> fit_model(const Integers& entries, int exceptions);

}  // namespace alphasparse
