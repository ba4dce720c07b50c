#include "runtime/matrices/text/matrix_market_header.h"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>

namespace alphasparse {

namespace {

template <class Meaning>
struct Term {
  const char* text;
  Meaning meaning;
};

constexpr Term<MarketLayout> layouts[] = {{"coordinate", MarketLayout::coordinate},
                                          {"array", MarketLayout::array}};
constexpr Term<MarketField> fields[] = {
    {"real", MarketField::real},       {"double", MarketField::real},
    {"integer", MarketField::integer}, {"unsigned-integer", MarketField::unsigned_integer},
    {"pattern", MarketField::pattern}, {"complex", MarketField::complex}};
constexpr Term<Mirror> symmetries[] = {{mirror_kind(Mirror::none).matrix, Mirror::none},
                                       {mirror_kind(Mirror::same).matrix, Mirror::same},
                                       {mirror_kind(Mirror::negated).matrix, Mirror::negated},
                                       {mirror_kind(Mirror::conjugate).matrix, Mirror::conjugate}};

/// Reads one word of the header and looks it up. `what` and `choices` are for messages.
template <class Meaning>
Meaning header_term(LineScanner& scanner, std::span<const Term<Meaning>> terms, const char* what,
                    const char* choices) {
  LineScanner before = scanner;
  const std::string text = scanner.token();
  for (const Term<Meaning>& term : terms) {
    if (text == term.text) return term.meaning;
  }
  if (text.empty()) {
    scanner.fail(fmt::format("the header ends before its {}: write {}", what, choices));
  }
  before.find_line();
  scanner.fail(
      fmt::format("the {} '{}' is not supported: {} can be read", what, before.field(), choices));
}

}  // namespace

MarketHeader parse_market_header(LineScanner& scanner) {
  if (scanner.bytes_left() == 0) scanner.fail("the file is empty");
  if (scanner.token() != "%%matrixmarket") {
    scanner.fail(
        "no Matrix Market header: the first line must open with '%%MatrixMarket matrix', then name "
        "layout, field and symmetry");
  }
  constexpr Term<int> objects[] = {{"matrix", 0}};
  header_term<int>(scanner, objects, "object", "matrix");
  MarketHeader header;
  header.layout = header_term<MarketLayout>(scanner, layouts, "layout", "coordinate or array");
  header.field = header_term<MarketField>(scanner, fields, "field",
                                          "real, integer, unsigned-integer, pattern or complex");
  if (header.field == MarketField::complex) {
    header.mirror = header_term<Mirror>(scanner, symmetries, "symmetry",
                                        "general, symmetric, skew-symmetric or hermitian");
  } else {  // hermitian is the last word
    header.mirror = header_term(scanner, std::span(symmetries).first(std::size(symmetries) - 1),
                                "symmetry", "general, symmetric or skew-symmetric");
  }
  if (header.field == MarketField::pattern && header.layout == MarketLayout::array) {
    scanner.fail("an array of pattern has no values to read: name real or integer");
  }
  if (header.field == MarketField::pattern && header.mirror == Mirror::negated) {
    scanner.fail("a pattern has no signs and cannot be skew-symmetric");
  }
  scanner.end_line();
  return header;
}

}  // namespace alphasparse
