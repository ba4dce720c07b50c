// terms: the text of an entry that a kernel computes, taken apart.
//
// It is the kernel's own: numbers, the index i, + - * / %, min(a, b), a < b ? c : d, a == b ? c :
// d, NAME(index), packed_bits(NAME_, head, place), packed_fields(NAME_, width, place),
// packed_bytes(NAME_, head, place) and run_number(word, first, place), with blanks and brackets as
// in C.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/host/safetensors.h"

namespace alphasparse::host {

struct Term {
  enum class Kind {
    number,
    index,
    sum,
    difference,
    product,
    quotient,
    remainder,
    least,
    below,  ///< parts[0] < parts[1] ? parts[2] : parts[3]
    equal,
    entry,   ///< entry parts[0] of `array`
    bits,    ///< packed_bits: words of `array`, then head and place
    fields,  ///< packed_fields: the same, of a width
    bytes,   ///< packed_bytes: the same
    run,     ///< run_number
  };

  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::size_t array = 0;
  std::vector<Term> parts = {};

  bool has_words() const {
    return kind == Kind::bits || kind == Kind::fields || kind == Kind::bytes;
  }

  bool reads() const {
    if (kind == Kind::entry || has_words()) return true;
    for (const Term& part : parts) {
      if (part.reads()) return true;
    }
    return false;
  }
};

/// The number by which an array of this name is known.
using ArrayFinder = std::function<std::size_t(std::string_view)>;

class TermParser {
 public:
  TermParser(std::string_view text, const ArrayFinder& find)
      : text_(text), rest_(text), find_(find) {}

  Term parse() {
    Term term = conditional();
    if (!rest_.empty()) fail();
    return term;
  }

 private:
  using Kind = Term::Kind;

  [[noreturn]] void fail() const { throw BadFile("no expression: " + std::string(text_)); }

  bool take(std::string_view token) {
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail();
  }

  Term conditional() {
    Term first = sum();
    const Kind kind = take("<") ? Kind::below : take("==") ? Kind::equal : Kind::number;
    if (kind == Kind::number) return first;
    Term second = sum();
    expect("?");
    Term then = conditional();
    expect(":");
    return {kind, 0, 0, {std::move(first), std::move(second), std::move(then), conditional()}};
  }

  Term sum() {
    Term term = product();
    for (;;) {
      const Kind kind = take("+") ? Kind::sum : take("-") ? Kind::difference : Kind::number;
      if (kind == Kind::number) return term;
      term = {kind, 0, 0, {std::move(term), product()}};
    }
  }

  Term product() {
    Term term = primary();
    for (;;) {
      const Kind kind = take("*")   ? Kind::product
                        : take("/") ? Kind::quotient
                        : take("%") ? Kind::remainder
                                    : Kind::number;
      if (kind == Kind::number) return term;
      term = {kind, 0, 0, {std::move(term), primary()}};
    }
  }

  Term primary() {
    if (take("(")) {
      Term inside = conditional();
      expect(")");
      return inside;
    }
    const bool negative = take("-");
    const std::string_view word = this->word();
    if (word.find_first_not_of("0123456789") == word.npos && word.size() <= 10) {
      const std::int64_t number = std::stoll(std::string(word));
      return {Kind::number, negative ? -number : number};
    }
    if (negative) fail();
    if (word == "i") return {Kind::index};
    return call(word);
  }

  /// A name, with those of the structs that it is in, or a number.
  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           std::string_view(" ()+-*/%,<=?:").find(rest_[length]) == std::string_view::npos) {
      ++length;
    }
    if (length == 0) fail();
    const std::string_view word = rest_.substr(0, length);
    take(word);
    return word;
  }

  Term call(std::string_view name) {
    expect("(");
    Term term{name == "min"             ? Kind::least
              : name == "packed_bits"   ? Kind::bits
              : name == "packed_fields" ? Kind::fields
              : name == "packed_bytes"  ? Kind::bytes
              : name == "run_number"    ? Kind::run
                                        : Kind::entry};
    if (term.has_words()) {
      const std::string_view words = word();
      term.array = find_(words.substr(0, words.size() - 1));  // as kernels call its pointer
      expect(",");
    } else if (term.kind == Kind::entry) {
      term.array = find_(name);
    }
    do {
      term.parts.push_back(conditional());
    } while (take(","));
    expect(")");
    const std::size_t count = term.kind == Kind::entry ? 1 : term.kind == Kind::run ? 3 : 2;
    if (term.parts.size() != count) fail();
    return term;
  }

  std::string_view text_, rest_;
  const ArrayFinder& find_;
};

}  // namespace alphasparse::host
