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
  CodedArray coded;
  coded.how = fmt::format("packed by {}", packed->chunk);
  coded.entry =
      entry_of(name + "_base", at) + constant(packed->slope) * place +
      Expression{Expression::Kind::bits, 0, name + "_bits", {entry_of(name + "_head", at), place}};
  Integers words(packed->words.begin(), packed->words.end());
  coded.parts = {
      {name + "_base", ElementType::i32, std::move(packed->base), "base of each chunk"},
      {name + "_head", ElementType::i32, std::move(packed->head),
       "of each chunk 32 * its first word + bits of a field"},
      {name + "_bits", ElementType::u32, std::move(words), "fields, and a word to spare"}};
  return coded;
}

}  // namespace alphasparse
