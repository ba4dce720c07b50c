// format_member: one name through which kernels read a format, with its entries and the expression
// that reads them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/code.h"
#include "generator/arrays/expression.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/model.h"

namespace alphasparse {

/// Tells integers from others without a copy of them, which may be as large as the format. The hash
/// has 128 bits: two lists that are not the same have two keys, but for a chance of 2^-128.
struct IntegersKey {
  std::int64_t count = 0;
  std::uint64_t low = 0, high = 0;

  bool operator==(const IntegersKey&) const = default;
};

/// Entries in memory.
struct StoredArray {
  Array array;
  /// The integers that elements of fewer bits stand for. Other arrays have no key.
  std::optional<IntegersKey> key = {};
};

/// Entries that an expression gives: a model's, or a coding's over members that hold its parts.
struct ComputedEntry {
  Expression entry;
  std::string how;                      ///< the kind of expression: "linear", "packed by 128"
  std::optional<IntegersKey> key = {};  ///< the integers that a coding gives back; a model has none

  bool is_identity() const { return entry == the_index(); }
  bool is_constant() const { return entry.kind == Expression::Kind::number; }
};

/// A field of a word that is loaded already.
struct BitField {
  Code body;  ///< over `word`
};

/// The entries of another member, which is no alias itself.
struct Alias {
  std::string of;
};

struct FormatMember {
  std::string name;
  std::string type;  ///< of an entry as kernels see it: "int", "unsigned", "Value"
  std::string doc;
  std::variant<StoredArray, ComputedEntry, BitField, Alias> source;
  std::int64_t count = 0;  ///< entries; a field has none
  bool in_pairs = false;   ///< entries 2 k and 2 k + 1 are read together, where a target can

  /// The entries behind the name where they are a T, else null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&source);
  }

  /// Whether kernels need no function: the index itself, or a constant, stands for an entry.
  bool is_trivial() const {
    const auto* const computed = as<ComputedEntry>();
    return computed && (computed->is_identity() || computed->is_constant());
  }
};

/// Several neighbours of an array as a kernel spells their type: "int4".
std::string vector_type(const Array& array, int width);

/// How kernels read a member.
struct MemberReads {
  bool one = false;              ///< an entry by its index, or the field of a word
  bool lanes = false;            ///< the same for every lane
  bool in_parts = false;         ///< lanes that read it may lie in two chunks, or not be there
  bool of_any_gang = false;      ///< lanes read it in runs of other lengths than a gang, too
  bool by_codes = false;         ///< the entry of each lane's code
  bool inside = false;           ///< as words that another member's function loads
  bool streamed = false;         ///< once only, so that caches keep other data
  std::vector<int> widths = {};  ///< several neighbours at once

  bool any() const { return one || lanes || inside || by_codes || !widths.empty(); }
};

}  // namespace alphasparse
