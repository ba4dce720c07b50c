// expression: integer arithmetic over an index, as a value that is both emitted and evaluated.
//
// An array that kernels compute has one. Its code is the body of the array's function in a kernel.
// value() is the result of that code in signed arithmetic of 32 bits. Nothing else defines a
// computed entry: fits are accepted by value(), and format files carry the tree itself.
//
// All formulas that are evaluated or reasoned about are expressions. They become Code when they are
// printed. The index that a kernel's body hands to an array is Code only, because nobody evaluates
// it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/code.h"

namespace alphasparse {

struct Expression {
  enum class Kind {
    number,     ///< `number`
    index,      ///< the index itself
    sum,        ///< parts[0] + parts[1]
    product,    ///< parts[0] * parts[1]
    quotient,   ///< parts[0] / parts[1], of parts[0] >= 0 and parts[1] > 0
    remainder,  ///< parts[0] % parts[1], of the same
    least,      ///< min(parts[0], parts[1])
    below,      ///< parts[0] < parts[1] ? parts[2] : parts[3]
    equal,      ///< parts[0] == parts[1] ? parts[2] : parts[3]
    entry,      ///< entry parts[0] of `array`
    bits,       ///< field parts[1] in the words of `array`, by the head parts[0] (packed.h)
    fields,     ///< the same where all fields have parts[0] bits, a number
    bytes,      ///< the same of whole bytes, or of none: then it is parts[1] itself (bytes.cpp)
    run,        ///< parts[1] and the bits of word parts[0] up to bit parts[2], less 1 (runs.cpp)
  };

  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string array = {};
  std::vector<Expression> parts = {};

  bool operator==(const Expression&) const = default;
  bool has_words() const {
    return kind == Kind::bits || kind == Kind::fields || kind == Kind::bytes;
  }
  bool is(std::int64_t constant) const { return kind == Kind::number && number == constant; }
};

Expression constant(std::int64_t number);
Expression the_index();

/// Trivial operations are left out (x + 0, 1 * x, x / 1) and constants are folded.
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator%(const Expression& a, const Expression& b);
Expression least(const Expression& a, const Expression& b);
Expression if_below(const Expression& a, const Expression& b, const Expression& then,
                    const Expression& otherwise);
Expression if_equal(const Expression& a, const Expression& b, const Expression& then,
                    const Expression& otherwise);
Expression read_entry(const std::string& array, const Expression& index);
/// The bytes of a field, which the last two bits of its chunk's head give: 0, 1, 2 or 4.
int byte_size(std::int64_t head);

/// Replaces every part by the result of `change`, those inside it first.
void replace_parts(Expression& expression, const std::function<Expression(Expression)>& change);

/// Entry `index` of a stored array, or nothing where there is none.
using EntryReader = std::function<std::optional<std::int64_t>(const std::string&, std::int64_t)>;

/// The result of the emitted code for index `i`. Nothing where an intermediate number is no int, a
/// division is not of the kind above, or an array cannot be read. Only an entry that is divided or
/// counted may be a word of 32 bits.
std::optional<std::int64_t> value(const Expression& expression, std::int64_t i,
                                  const EntryReader& read = nullptr);

/// The code of an array's entry for the code of its index.
using EntryCode = std::function<Code(const std::string&, const Code&)>;

/// C++ over the index "i", which it reads: "256 * i", "min(32 * i, 3001)". Arrays are spelled by
/// `entry`, as NAME[index] without it.
Code write_code(const Expression& expression, const EntryCode& entry = nullptr);

/// Calls `visit` with the expression and every part of it.
void for_each(const Expression& expression, const std::function<void(const Expression&)>& visit);

/// Puts `prefix` before the name of every array.
void rename_arrays(Expression& expression, const std::string& prefix);

}  // namespace alphasparse
