// search_space: the designs that the structure search may propose for one matrix: those that the
// Designer finds legal, inside these limits and without banned ones.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>

#include "operators/designer.h"
#include "runtime/system/deadline.h"
#include "search/learning/features.h"
#include "search/space/experience.h"

namespace alphasparse {

struct SearchLimits {
  int branches_max = 4;  ///< of one branching step
  int depth_max = 2;     ///< of branches inside branches
  int leaves_max = 6;    ///< branches of a design that end in a launch
  int steps_max = 14;    ///< of one chain
  /// Whether parameters are varied that no model sees (ParameterSpec::modelled): cache hints, loads
  /// of several entries, sums that are kept apart. For devices that measure.
  bool unmodelled = false;
  bool values_vary = false;  ///< no design may depend on the values (--values varying)
  bool may_round = false;    ///< values may lose digits
  bool own_order = false;    ///< x and y may have an order of their own
  int vectors = 1;           ///< columns of X and Y
  bool prunes = true;        ///< rules of prune_rules.h against a step count
  bool is_team = false;      ///< a CPU of several threads
  /// The limits of the trials, so that no design is proposed that would be pruned for its size.
  BuildLimits size = {.csr_bytes_ratio_max = 12};
};

/// How often each rule of step_rules has refused a step, by its name.
using PruneCounts = std::map<std::string_view, std::int64_t>;

struct SearchSpace {
  Designer& designer;
  const Features& features;  ///< of the matrix, of which the designer may have a part
  SearchLimits limits = {};
  PruneCounts* prunes = nullptr;           ///< counted there; null: not counted
  const Experience* experience = nullptr;  ///< guides growth; null: nothing guides it
  const Deadline* deadline = nullptr;      ///< for proposals; null: for as many as are wanted

  /// Whether no caller waits for another proposal.
  bool is_over() const { return deadline && deadline->over(); }
};

}  // namespace alphasparse
