// packed: chunks with a base and as many bits an entry as each needs (generator/packed.h).
#include "generator/packed.h"

#include <fmt/format.h>

#include "generator/coding.h"

namespace alphasparse {

std::optional<CodedArray> packed_coding(const std::string& name, const Integers& entries) {
  std::optional<PackedArray> packed = pack_best(entries);
  if (!packed) return std::nullopt;
  const Expression chunk = constant(packed->chunk), at = the_index() / chunk,
                   place = the_index() % chunk;
  const Expression first = entry_of(name + "_first_word", at),
                   end = entry_of(name + "_first_word", at + constant(1));
  CodedArray coded;
  coded.how = fmt::format("packed by {}", packed->chunk);
  coded.entry = entry_of(name + "_base", at) + constant(packed->slope) * place +
                Expression{Expression::Kind::bits, packed->chunk, name + "_bits",
                           {first, end, place}};
  Integers words(packed->words.begin(), packed->words.end());
  coded.parts = {
      {name + "_base", ElementType::i32, std::move(packed->base), "base of each chunk"},
      {name + "_first_word", ElementType::i32, std::move(packed->first_word),
       "first word of each chunk"},
      {name + "_bits", ElementType::u32, std::move(words), "fields, and a word to spare"}};
  return coded;
}

}  // namespace alphasparse
