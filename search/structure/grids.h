// grids: the values that the structure search gives to parameters - coarse grids of the catalogue,
// words, discretisation strategies for lists.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "operators/operator.h"
#include "search/space/search_space.h"

namespace alphasparse {

/// The values of an operator's parameter before a step of this store, most promising first; at
/// least one. A parameter that is not searched, or of which the store's target has but one value,
/// has that alone.
std::vector<std::string> make_grid(const SearchSpace& space, const ParameterSpec& spec,
                                   const Store& store);

/// A step with parameters at random from their grids, promising ones more often. Where it branches,
/// its branches are empty; nothing where it would have more than the limits allow. It need not be
/// legal.
std::optional<Step> random_step(const SearchSpace& space, const Operator& op, const Store& store,
                                Random& random);

/// The replacements for a value: the next smaller and the next larger number of the grid, or every
/// other word or list.
std::vector<std::string> find_neighbours(const ParameterSpec& spec, const std::string& value,
                                         const std::vector<std::string>& grid);

}  // namespace alphasparse
