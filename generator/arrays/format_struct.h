// format_struct: the arrays that a kernel reads, and the inline functions through which it reads
// them.
//
// A kernel never names an array: it calls f.name(index), and the request for that call puts the
// array into the format. The body of the member loads the entry, or computes it where a model
// replaces the array. An identity needs no function at all. Two names for the same entries are one
// array.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/code.h"
#include "generator/arrays/coding.h"
#include "generator/arrays/compact_facts.h"
#include "generator/arrays/format_member.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/operands.h"

namespace alphasparse {

/// A dictionary of at most so many entries is not looked up: codes are compared with each
/// (lanes/chosen.h).
inline constexpr std::int64_t few_codes = 4;

/// A pointer as a kernel's parameter: the type that it points at, "const int", and its name.
struct PointerParameter {
  std::string type, name;
};

/// Several neighbouring entries: the vector type and the expression that loads them.
struct VectorRead {
  std::string type;
  Code expression;
};

class FormatStruct {
 public:
  explicit FormatStruct(const Operands& operands, Target target = Target::gpu)
      : operands_(operands), dtype_(operands.dtype), target_(target) {}

  /// Which passes make the arrays smaller that are added from now on.
  void compact(const CompactFacts& passes) { passes_ = passes; }

  /// Sets the lanes that read neighbours at once on a CPU; 0: none do.
  void set_gang(int gang) { gang_ = gang; }

  /// A structure array of signed 32-bit entries. Columns are compacted as such, everything else as
  /// structure.
  void add(const std::string& name, std::vector<std::int32_t> entries, const std::string& doc,
           bool is_columns = false);

  /// 32-bit words with fields, which `add_field` names.
  void add_u32(const std::string& name, const std::vector<std::uint32_t>& words,
               const std::string& doc);

  /// An array that is part of the format although no kernel reads it.
  void keep(const std::string& name) { reads_[name].inside = true; }

  /// `return_type name(unsigned word)`: a field of a word that is loaded already.
  void add_field(const std::string& name, const std::string& return_type, const Code& body,
                 const std::string& doc);

  /// The values, made from the canonical values through `value_source` (-1: a pad, 0). Where the
  /// passes say so, they become a dictionary and a code for each, or floats (stored_values.h).
  /// The bytes of an array of one value an entry are still to be made, for which `canonical` must
  /// live.
  void add_values(const CanonicalValues& canonical, std::vector<std::int32_t> value_source);

  /// Scratch memory for `count` values; f.name() is its address.
  void add_workspace(const std::string& name, std::int64_t count, const std::string& doc);

  /// The expression that reads entry `index` of `name`; from now on the array is part of the
  /// format.
  Code read(const std::string& name, const Code& index);

  /// On a CPU: the expression that reads an entry a lane, where `index` is a Run. Whole runs begin
  /// at multiples of the gang, so that one lies within a chunk, and all their lanes are there.
  Code read_lanes(const std::string& name, const Code& index, bool whole_runs);

  /// The same where a lane reads several neighbours, so that runs are longer than a gang.
  Code read_runs(const std::string& name, const Code& index);

  /// Reads entries `index` to `index + width - 1` of a stored array at once. `index` must be a
  /// multiple of `width`, which is 2, or 4 for elements of 4 bytes.
  VectorRead read_vector(const std::string& name, int width, const Code& index);

  /// Entries of a stored array that one load of 16 bytes brings.
  int loaded_most(const std::string& name) const;

  /// Loads of these arrays are marked as read once, so that caches keep other data. In a coded
  /// array the fields and codes of its entries are marked. Packed words, which neighbours share,
  /// and parts that many entries read are not.
  void stream(const std::vector<std::string>& names);

  Dtype dtype() const { return dtype_; }
  const Operands& operands() const { return operands_; }

  /// The word's field as an expression; likewise of a word a lane.
  Code field(const std::string& name, const Code& word);
  Code field_of_lanes(const std::string& name, const Code& word);

  bool is_identity(const std::string& name) const;

  /// A struct of its own that stands before this one's arrays: a branch's. Its arrays are called
  /// MEMBER.name. It must be complete, and outlive the calls below.
  struct Nested {
    std::string type, member, doc;
    FormatStruct* format;
  };
  void nest(Nested nested) { nested_.push_back(std::move(nested)); }

  bool has_nested() const { return !nested_.empty(); }

  /// The fragments that the functions of arrays call, here or in nested structs.
  std::vector<std::string_view> fragments() const;

  /// The text of `struct NAME`, those that are nested in it first.
  std::string text(const std::string& name) const;

  /// The pointers of the struct, those of nested ones first, each with its own name: "column_", and
  /// "branch_1_column_" of a nested one.
  std::vector<PointerParameter> parameters(const std::string& prefix = "") const;

  /// The initialiser of the struct from these parameters: "{{branch_1_value_}, init_row_}".
  Code initialiser(const std::string& prefix = "") const;

  /// The arrays that are read, in the order of the struct's pointers. Values and columns always
  /// are.
  std::vector<Array> take_arrays();

  /// Workspaces, with their indices among the struct's pointers: behind the arrays of the struct
  /// they are in.
  std::vector<Workspace> workspaces() const;

  /// The arrays that were added but are not stored, in the order of their adding.
  std::vector<ComputedArray> computed_arrays() const;

  /// The walk by which kernels turn the added steps into columns.
  void add_steps(StepWalk walk) { steps_.push_back(std::move(walk)); }
  std::vector<StepWalk> step_walks() const;

  bool has(const std::string& name) const;

 private:
  bool is_value(const FormatMember& member) const { return member.type == operands_.value_type(); }
  // Adding: format_struct.cpp.
  void declare(FormatMember member);
  void add_integers(const std::string& name, Integers entries, const std::string& doc,
                    bool is_columns, const CompactFacts& passes);
  void add_parts(CodedArray coded, CompactFacts passes);
  void add_array(const std::string& type, Array array, bool in_pairs = false);
  bool add_coded(const CanonicalValues& canonical, const std::vector<std::int32_t>& value_source);
  std::optional<std::string> find_twin(const Integers& entries, const IntegersKey& key) const;
  std::int64_t bytes_since(std::size_t first_member) const;

  // The entries that the lanes of a gang read at once: format_lanes.cpp.
  enum class OverLanes { unknown, one, run, many, values };
  OverLanes over_lanes(const Expression& entry, bool whole_runs) const;
  OverLanes sum_over_lanes(const Expression& sum, bool whole_runs) const;
  OverLanes entry_over_lanes(const Expression& entry, bool whole_runs) const;
  bool is_read_at_once(const FormatMember& member, bool whole_runs) const;
  void note_lanes(const std::string& name, bool whole_runs, bool of_any_gang = false);
  std::string lanes_function(const FormatMember& member) const;

  // Reading: format_reads.cpp. A member is found under its own name or an alias.
  const FormatMember& find(const std::string& name) const;
  void note(const std::string& name);
  MemberReads find_reads(const FormatMember& member) const;
  Expression resolved(const Expression& entry) const;
  Code call(const std::string& name, const Code& index) const;
  bool reads_pairs(const FormatMember& member) const;
  void note_width(const std::string& name, int width);

  // The text and the arrays for a kernel: format_text.cpp, format_contents.cpp.
  Code write_body(const FormatMember& member, std::string* before = nullptr) const;
  std::string write_functions(const FormatMember& member) const;
  const Array* kept_array(const FormatMember& member) const;
  std::int64_t bytes() const;
  std::int64_t pointers() const;

  Operands operands_;
  Dtype dtype_;  ///< of them
  Target target_;
  CompactFacts passes_;
  int gang_ = 0;
  std::vector<FormatMember> members_;
  std::map<std::string, MemberReads> reads_;  ///< by name; of aliases under the other's
  std::vector<Nested> nested_;
  std::vector<Workspace> workspaces_;
  std::vector<StepWalk> steps_;
};

}  // namespace alphasparse
