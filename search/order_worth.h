// order_worth: the worth of a winner that gives x and y an order of its own.
#pragma once
#include <optional>
#include <string_view>

#include "runtime/database/measurement.h"

namespace alphasparse {

class Device;
class LastComparison;
class SearchRun;

struct OrderWorth {
  double order_seconds = 0;               ///< that finding the order took
  std::optional<Measurement> vendor;      ///< the best library on the permuted matrix
  std::optional<Timing> in_turn;          ///< of the winner, in turn with that
  std::optional<Measurement> given;       ///< the best kernel of the given order
  std::optional<double> permutations_us;  ///< x into the own order and y out of it, once each

  /// After how many products of the winner these have paid, beside the best kernel of the given
  /// order; none where it is not known or they never do.
  std::optional<double> products_to_pay(const Measurement& winner) const;
};

inline bool has_own_order(std::string_view design) { return design.starts_with("permute "); }

/// Of these outcomes, where the best has an own order, the best that has none; else null.
const Measurement* best_in_given_order(const Outcomes& outcomes);

/// Completes the result where the best design has an own order.
void weigh_order(SearchRun& search, const LastComparison& comparison, Device& device);

}  // namespace alphasparse
