// expression_json: an expression as JSON, so that any language can evaluate it.
//
// A number; "i", the index; or a list of a name and its parts:
//   ["+", a, b] ["*", a, b] ["/", a, b] ["%", a, b] ["min", a, b]
//   ["<", a, b, then, otherwise] ["==", a, b, then, otherwise]
//   ["[]", "NAME", i]                              entry i of an array, stored or computed
//   ["fields", "NAME", width, place]               the `width` bits, 1 to 31, of NAME from bit
//                                                  width * place on, lowest bit first
//   ["bits", "NAME", head, place]                  the 32 bits of NAME from bit head + place *
//                                                  (cut - 32) on, modulo 2^32, without the lowest
//                                                  `cut` of them: cut = head modulo 32, from 0 on
//   ["bytes", "NAME", head, place]                 fields of 0, 1, 2 or 4 bytes, by head % 4, from
//                                                  word head / 4 on; of 0 bytes: place itself
//   ["run", word, first, place]                    first - 1 and the set bits 0 to place of word
#pragma once
#include <nlohmann/json.hpp>

#include "generator/arrays/expression.h"

namespace alphasparse {

nlohmann::ordered_json expression_json(const Expression& expression);

/// The expression again. Throws host::BadFile, or an exception of the JSON library, where it is
/// none.
Expression read_expression(const nlohmann::ordered_json& json);

}  // namespace alphasparse
