// expression_json: an expression as JSON, so that any language can evaluate it.
//
// A number; "i", the index; or a list of a name and its parts:
//   ["+", a, b] ["*", a, b] ["/", a, b] ["%", a, b] ["min", a, b]
//   ["<", a, b, then, otherwise] ["==", a, b, then, otherwise]
//   ["[]", "NAME", i]                              entry i of an array, stored or computed
//   ["bits", "NAME", head, place]                  fields of head % 32 bits from word head / 32 of
//                                                  NAME on, lowest bit first; the one of that place
//   ["bytes", "NAME", head, place]                 fields of 0, 1, 2 or 4 bytes, by head % 4, from
//   word
//                                                  head / 4 on; of 0 bytes: place itself
//   ["run", word, first, place]                    first - 1 and the set bits 0 to place of word
#pragma once
#include <nlohmann/json.hpp>

#include "generator/expression.h"

namespace alphasparse {

nlohmann::ordered_json expression_json(const Expression& expression);

/// Its inverse; throws host::BadFile where the JSON is no expression, or one of many levels.
Expression expression_of(const nlohmann::ordered_json& json);

}  // namespace alphasparse
