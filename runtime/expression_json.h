// expression_json: an expression as JSON, so that any language can evaluate it.
//
// A number; "i", the index; or a list of a name and its parts:
//   ["+", a, b] ["*", a, b] ["/", a, b] ["%", a, b] ["min", a, b]
//   ["<", a, b, then, otherwise] ["==", a, b, then, otherwise]
//   ["[]", "NAME", i]                              entry i of an array, stored or computed
//   ["bits", chunk, "NAME", first, end, place]     a chunk of so many fields has the words first to
//                                                  end of NAME, 32 * (end - first) / chunk bits a
//                                                  field, lowest first; the field of that place
//   ["run", word, first, place]                    first - 1 and the set bits 0 to place of word
#pragma once
#include <nlohmann/json.hpp>

#include "generator/expression.h"

namespace alphasparse {

nlohmann::ordered_json expression_json(const Expression& expression);

}  // namespace alphasparse
