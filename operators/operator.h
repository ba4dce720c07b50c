// operator: the contract of one step of a design - ask, then do.
//
// `applies` answers from cached facts in O(1) and says why not; `apply` cannot fail. Legality comes
// from the contents of the store (required keys, facts, the partial so far), never from the names
// of other operators.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generator/facts/store.h"

namespace alphasparse {

enum class Stage { converting, mapping, implementing };

const char* stage_name(Stage stage);

/// The coarse values of a parameter for a matrix of these row lengths, most promising first.
using CoarseGrid = std::vector<std::int64_t> (*)(const RowFacts& rows);

struct ParameterSpec {
  std::string_view name;
  std::string_view doc;            ///< one line with the unit
  std::string_view fallback = {};  ///< its value where it is not given; empty: it has none
  std::int64_t least = 0;          ///< of an integer
  std::int64_t most = 0;           ///< of an integer; least == most == 0: the parameter is a choice
  std::vector<std::string_view> choices = {};  ///< the choices it may be
  bool one_of = false;  ///< exactly one parameter of the operator that are so marked is given
  std::int64_t times_next =
      0;  ///< not 0: it follows the same parameter of the next step, so many times
  CoarseGrid coarse = nullptr;  ///< null: not searched, but on a CPU by its own grid
  CoarseGrid coarse_on_cpu =
      nullptr;           ///< the same on CPUs, and nothing between; null: as elsewhere
  bool is_list = false;  ///< integers, ascending, separated by commas
  bool one_stays =
      false;  ///< where it is 1 it is not searched: another kind of design begins there
  std::int64_t multiple = 1;   ///< an integer is searched among the multiples of it alone
  bool powers_of_two = false;  ///< ...and among powers of two alone
  bool modelled =
      true;  ///< a model of times sees its changes; otherwise only measurements search it
  std::optional<Target> only_on = std::nullopt;  ///< the one target that has it; else all do
  /// The choices that searches and translations take on a target, where not all.
  std::vector<std::string_view> choices_on_gpu = {}, choices_on_cpu = {};
  std::string_view cpu_reason = {};  ///< why a CPU rejects all other choices; empty: it does not
};

/// A step's parameters after the catalogue has checked them: every name known, every value in
/// range.
class Arguments {
 public:
  void set(std::string_view name, std::string value) {
    values_[std::string(name)] = std::move(value);
  }
  bool has(std::string_view name) const { return values_.count(std::string(name)) != 0; }
  std::int64_t integer(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;  ///< of a list
  const std::string& text(std::string_view name) const;

 private:
  std::map<std::string, std::string> values_;
};

/// The rows of a branch, and its matrix, as a weight sees them.
struct WeightContext {
  RowFacts rows;              ///< of the branch
  double mean = 0;            ///< row length
  double spread = 0;          ///< variance of the row lengths over the squared mean, at most 4
  bool has_few_rows = false;  ///< the matrix has: a warp each does not keep a whole GPU at work
  bool is_wide = false;       ///< no cache near a core holds its x
  bool is_small = false;      ///< a further launch costs more than it can save
  bool is_branch = false;
  double diagonal_share = 0;               ///< of the entries, those on the ten fullest diagonals
  double block_share = 0, block_fill = 0;  ///< the most of all sizes (BlockFeatures)

  /// The weight of branches: each costs a launch, and nested ones are rarely worth it.
  double branch_weight(double weight) const {
    return weight * (is_small ? 0.3 : 1) * (is_branch ? 0.3 : 1);
  }

  /// Whether some row is so long, or long enough where there are too few rows for a whole GPU.
  bool splits_rows(std::int64_t long_row, std::int64_t few_rows_length) const {
    return rows.length_max > long_row || (has_few_rows && rows.length_max > few_rows_length);
  }
};

/// How often growth tries an operator, by a practitioner's preference; positive. It says nothing
/// about legality.
using Weight = double (*)(const WeightContext&);

/// An operator on CPUs.
struct OnCpu {
  std::string_view lacks = {};  ///< why CPUs do not have it; empty: they do
  /// The operator in its place where a GPU's design becomes a CPU's. Empty: the step is left out.
  std::optional<std::string_view> instead = std::nullopt;
  /// Why a step makes no sense there, and the step that does; null: it always does.
  std::optional<std::string> (*rejects)(const Store&, const Arguments&) = nullptr;
  double weight_ratio = 1;  ///< its weight there over that on GPUs
};

struct Operator {
  std::string_view name;
  Stage stage;
  std::string_view paper;  ///< its name in the AlphaSparse paper, or where it comes from
  std::string_view doc;    ///< its effect, one line
  std::vector<ParameterSpec> parameters;
  std::vector<Key> required;     ///< keys that the store must hold before
  std::vector<Key> provided;     ///< keys that it holds after, with any parameters
  std::vector<Key> invalidated;  ///< keys with changed contents after
  std::optional<std::string> (*applies)(const Store&,
                                        const Arguments&);  ///< a reason, or nothing: it does
  void (*apply)(Store&, const Arguments&);  ///< only after applies said yes; null where it branches
  Weight weight = nullptr;                  ///< null: 1
  OnCpu on_cpu = {};

  /// A branching operator ends its design: it has as many branches as `branches` says and hands a
  /// store to each, some perhaps without any row. Every non-zero goes to exactly one. `split` fails
  /// where the fill would be too large.
  int (*branches)(const Arguments&) = nullptr;  ///< null: it has none
  Result<std::vector<Store>> (*split)(const Store&, const Arguments&) = nullptr;
};

/// The same with a weight, and with its conduct on CPUs.
Operator weighed(Operator op, Weight weight, const OnCpu& on_cpu = {});

/// Why the operator cannot be applied to the store, or nothing. Its own reason comes first, then an
/// operator or word that the store's target lacks (targets.h), then a required key that the store
/// does not hold.
std::optional<std::string> cannot_apply(const Operator& op, const Store& store,
                                        const Arguments& arguments);

}  // namespace alphasparse
