// packed: as many bits an entry as its chunk needs, or all entries need
// (generator/arrays/packed.h).
#include "generator/arrays/packed.h"

#include <fmt/format.h>

#include "generator/arrays/coding.h"

namespace alphasparse {

namespace {

/// The line to which the fields are added; `at` is the chunk's number.
Expression make_line(const std::string& name, const PackedArray& packed, const Expression& at) {
  const Expression base =
      packed.base.size() == 1 ? constant(packed.base.front()) : read_entry(name + "_base", at);
  return base + constant(packed.slope) * the_index();
}

}  // namespace

std::optional<CodedArray> packed_coding(const std::string& name, const Integers& entries) {
  std::optional<PackedArray> packed = entries.empty() ? std::nullopt : pack_best(entries);
  if (!packed) return std::nullopt;
  using Kind = Expression::Kind;
  const Expression at = the_index() / constant(std::max(packed->chunk, 1));
  const bool many = packed->base.size() > 1, own = !packed->head.empty();
  CodedArray coded;
  coded.how = "packed";
  if (packed->width >= 0) coded.how += fmt::format(" in {} bits", packed->width);
  if (many) coded.how += fmt::format(" by {}", packed->chunk);
  coded.entry = make_line(name, *packed, at);
  if (own) {
    const Expression head = many ? read_entry(name + "_head", at) : constant(packed->head.front());
    coded.entry = coded.entry + Expression{Kind::bits, 0, name + "_bits", {head, the_index()}};
  } else if (packed->width > 0) {
    const Expression width = constant(packed->width);
    coded.entry = coded.entry + Expression{Kind::fields, 0, name + "_bits", {width, the_index()}};
  }
  if (many) {
    coded.parts.push_back(
        {name + "_base", ElementType::i32, std::move(packed->base), "base of each chunk"});
  }
  if (many && own) {
    coded.parts.push_back({name + "_head", ElementType::i32, std::move(packed->head),
                           "head of each chunk, by which its fields are found"});
    coded.header = name + "_chunk";
  }
  if (!packed->words.empty()) {
    coded.parts.push_back(
        {name + "_bits", ElementType::u32, std::move(packed->words), "fields of the entries"});
  }
  return coded;
}

}  // namespace alphasparse
