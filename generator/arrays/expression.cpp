#include "generator/arrays/expression.h"

#include <algorithm>
#include <bit>

#include "base/result.h"

namespace alphasparse {

namespace {

using Kind = Expression::Kind;

Expression make(Kind kind, std::vector<Expression> parts) {
  return {kind, 0, {}, std::move(parts)};
}

bool is_number(const Expression& expression) { return expression.kind == Kind::number; }

/// -2^31 is left out: it has no literal of its own.
bool fits_int(std::int64_t number) { return number >= -INT32_MAX && number <= INT32_MAX; }

class Evaluation {
 public:
  Evaluation(std::int64_t i, const EntryReader& read) : i_(i), read_(read) {}

  /// Every intermediate number is an int where it is evaluated, so each of them must fit.
  std::optional<std::int64_t> of(const Expression& expression) const {
    const std::optional<std::int64_t> number = unchecked(expression);
    return number && fits_int(*number) ? number : std::nullopt;
  }

 private:
  std::optional<std::int64_t> unchecked(const Expression& e) const {
    if (e.kind == Kind::number) return e.number;
    if (e.kind == Kind::index) return i_;
    if (e.kind == Kind::bits) return field_by_head(e);
    if (e.kind == Kind::fields) return field(e);
    if (e.kind == Kind::bytes) return bytes(e);
    if (e.kind == Kind::run) return run(e);
    if (e.kind == Kind::quotient || e.kind == Kind::remainder) return divided(e);
    const auto a = of(e.parts[0]);
    if (!a) return std::nullopt;
    if (e.kind == Kind::entry) return read_ ? read_(e.array, *a) : std::nullopt;
    const auto b = of(e.parts[1]);
    if (!b) return std::nullopt;
    switch (e.kind) {
      case Kind::sum:
        return *a + *b;
      case Kind::product:
        return *a * *b;
      case Kind::least:
        return std::min(*a, *b);
      case Kind::below:
        return of(e.parts[*a < *b ? 2 : 3]);
      default:
        CHECK(e.kind == Kind::equal);
        return of(e.parts[*a == *b ? 2 : 3]);
    }
  }

  /// A number that may be a word of 32 bits: an entry, or a literal beside it.
  std::optional<std::int64_t> int_or_word(const Expression& e) const {
    const bool may_be_word = e.kind == Kind::entry || e.kind == Kind::number;
    const auto number = may_be_word ? unchecked(e) : of(e);
    return number && *number >= 0 && *number <= UINT32_MAX ? number : std::nullopt;
  }

  std::optional<std::int64_t> divided(const Expression& e) const {
    const auto a = int_or_word(e.parts[0]), b = int_or_word(e.parts[1]);
    if (!a || !b || *b == 0) return std::nullopt;
    return e.kind == Kind::quotient ? *a / *b : *a % *b;
  }

  std::optional<std::uint32_t> word(const std::string& array, std::int64_t index) const {
    const auto entry = read_ ? read_(array, index) : std::nullopt;
    return entry ? std::optional(static_cast<std::uint32_t>(*entry)) : std::nullopt;
  }

  /// 32 bits from bit `bit` on, which is counted modulo 2^32.
  std::optional<std::uint32_t> window(const std::string& array, std::int64_t bit) const {
    const std::uint32_t from = static_cast<std::uint32_t>(bit);
    const auto low = word(array, from / 32), high = word(array, from / 32 + 1);
    if (!low || !high) return std::nullopt;
    const std::uint64_t both = *low | std::uint64_t{*high} << 32;
    return static_cast<std::uint32_t>(both >> from % 32);
  }

  std::optional<std::int64_t> field_by_head(const Expression& e) const {
    const auto head = of(e.parts[0]), index = of(e.parts[1]);
    if (!head || !index) return std::nullopt;
    const std::int64_t shift = *head & 31;
    const auto bits = window(e.array, *head + *index * (shift - 32));
    return bits ? std::optional<std::int64_t>(*bits >> shift) : std::nullopt;
  }

  std::optional<std::int64_t> field(const Expression& e) const {
    const auto width = of(e.parts[0]), index = of(e.parts[1]);
    if (!width || !index || *width < 1 || *width > 31) return std::nullopt;
    const auto bits = window(e.array, *index * *width);
    return bits ? std::optional<std::int64_t>(*bits & ~(~0u << *width)) : std::nullopt;
  }

  std::optional<std::int64_t> bytes(const Expression& e) const {
    const auto head = of(e.parts[0]), index = of(e.parts[1]);
    if (!head || !index || *head < 0 || *index < 0) return std::nullopt;
    const std::int64_t size = byte_size(*head), first = *head / 4 + *index * size / 4;
    if (size == 0) return index;
    const auto all = word(e.array, first);
    if (!all) return std::nullopt;
    return static_cast<std::int64_t>(*all >> *index * size % 4 * 8 &
                                     0xffffffffu >> (32 - 8 * size));
  }

  /// The word of bits is the one number here that is no int.
  std::optional<std::int64_t> run(const Expression& e) const {
    const auto at = of(e.parts[0].parts[0]), first = of(e.parts[1]), index = of(e.parts[2]);
    const auto starts = at ? word(e.parts[0].array, *at) : std::nullopt;
    if (!starts || !first || !index || *index < 0 || *index > 31) return std::nullopt;
    return *first + std::popcount(*starts << (31 - *index)) - 1;
  }

  std::int64_t i_;
  const EntryReader& read_;
};

/// How tightly an operator binds, as in C.
enum Binding { conditional, additive, multiplicative, primary };

Binding find_binding(Kind kind) {
  switch (kind) {
    case Kind::below:
    case Kind::equal:
      return conditional;
    case Kind::sum:
      return additive;
    case Kind::product:
    case Kind::quotient:
    case Kind::remainder:
      return multiplicative;
    default:
      return primary;
  }
}

class Printer {
 public:
  explicit Printer(const EntryCode& entry) : entry_(entry) {}

  Code print(const Expression& e) const {
    switch (e.kind) {
      case Kind::number:
        return Code::plain(std::to_string(e.number));
      case Kind::index:
        return "$i";
      case Kind::sum:
        return sum(e.parts[0], e.parts[1]);
      case Kind::product:
        return code("{} * {}", inside(e.parts[0], primary), inside(e.parts[1], primary));
      case Kind::quotient:
        return code("{} / {}", inside(e.parts[0], primary), inside(e.parts[1], primary));
      case Kind::remainder:
        return code("{} % {}", inside(e.parts[0], primary), inside(e.parts[1], primary));
      case Kind::least:
        return code("min({}, {})", print(e.parts[0]), print(e.parts[1]));
      case Kind::below:
      case Kind::equal:
        return code("{} {} {} ? {} : {}", inside(e.parts[0], additive),
                    e.kind == Kind::below ? "<" : "==", inside(e.parts[1], additive),
                    inside(e.parts[2], additive), print(e.parts[3]));
      case Kind::entry:
        return entry(e.array, print(e.parts[0]));
      case Kind::bits:
        return print_words("packed_bits", e);
      case Kind::fields:
        return print_words("packed_fields", e);
      case Kind::bytes:
        return print_words("packed_bytes", e);
      case Kind::run:
        return code("run_number({}, {}, {})", print(e.parts[0]), print(e.parts[1]),
                    print(e.parts[2]));
    }
    CHECK(!"a kind of expression without a text");
    return {};
  }

 private:
  /// A sum with a negative number, or with a negative multiple, is a difference.
  Code sum(const Expression& a, const Expression& b) const {
    const Code left = inside(a, additive);
    if (is_number(b) && b.number < 0) return code("{} - {}", left, -b.number);
    const bool is_multiple = b.kind == Kind::product && is_number(b.parts[0]);
    if (!is_multiple || b.parts[0].number >= 0) return code("{} + {}", left, inside(b, additive));
    const Expression positive = constant(-b.parts[0].number) * b.parts[1];
    return code("{} - {}", left, inside(positive, multiplicative));
  }

  Code entry(const std::string& array, const Code& index) const {
    return entry_ ? entry_(array, index) : code("{}[{}]", Code::named(array), index);
  }

  Code print_words(const char* function, const Expression& e) const {
    return code("{}({}, {}, {})", function, Code::named(e.array + "_"), print(e.parts[0]),
                print(e.parts[1]));
  }

  Code inside(const Expression& e, Binding least) const {
    const bool negative = is_number(e) && e.number < 0 && least == primary;
    return find_binding(e.kind) < least && !negative ? code("({})", print(e)) : print(e);
  }

  const EntryCode& entry_;
};

}  // namespace

Expression constant(std::int64_t number) { return {Kind::number, number, {}, {}}; }

Expression the_index() { return {Kind::index, 0, {}, {}}; }

Expression operator+(const Expression& a, const Expression& b) {
  if (is_number(a) && is_number(b)) return constant(a.number + b.number);
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (is_number(a)) return b + a;
  return make(Kind::sum, {a, b});
}

Expression operator-(const Expression& a, const Expression& b) { return a + constant(-1) * b; }

Expression operator*(const Expression& a, const Expression& b) {
  if (is_number(a) && is_number(b)) return constant(a.number * b.number);
  if (a.is(0) || b.is(0)) return constant(0);
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return make(Kind::product, {a, b});
}

Expression operator/(const Expression& a, const Expression& b) {
  return b.is(1) ? a : make(Kind::quotient, {a, b});
}

Expression operator%(const Expression& a, const Expression& b) {
  return b.is(1) ? constant(0) : make(Kind::remainder, {a, b});
}

Expression least(const Expression& a, const Expression& b) { return make(Kind::least, {a, b}); }

Expression if_below(const Expression& a, const Expression& b, const Expression& then,
                    const Expression& otherwise) {
  return make(Kind::below, {a, b, then, otherwise});
}

Expression if_equal(const Expression& a, const Expression& b, const Expression& then,
                    const Expression& otherwise) {
  return make(Kind::equal, {a, b, then, otherwise});
}

int byte_size(std::int64_t head) { return (1 << head % 4) / 2; }

Expression read_entry(const std::string& array, const Expression& index) {
  return {Kind::entry, 0, array, {index}};
}

std::optional<std::int64_t> value(const Expression& expression, std::int64_t i,
                                  const EntryReader& read) {
  return Evaluation(i, read).of(expression);
}

Code write_code(const Expression& expression, const EntryCode& entry) {
  return Printer(entry).print(expression);
}

void for_each(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  visit(expression);
  for (const Expression& part : expression.parts) for_each(part, visit);
}

void replace_parts(Expression& expression, const std::function<Expression(Expression)>& change) {
  for (Expression& part : expression.parts) {
    replace_parts(part, change);
    part = change(std::move(part));
  }
}

void rename_arrays(Expression& expression, const std::string& prefix) {
  if (!expression.array.empty()) expression.array = prefix + expression.array;
  for (Expression& part : expression.parts) rename_arrays(part, prefix);
}

}  // namespace alphasparse
