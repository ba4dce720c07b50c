// branch: one branch of a kernel while its source is made.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "generator/arrays/format_struct.h"
#include "generator/code/body.h"
#include "generator/code/branch_plan.h"

namespace alphasparse {

/// A design without branches is one of them.
struct Branch {
  Branch(BranchPlan branch_plan, const Operands& operands)
      : plan(std::move(branch_plan)), format(operands, plan.store->target()) {}

  BranchPlan plan;
  FormatStruct format;
  Body body;
  std::size_t number = 0;  ///< from 1; 0: the whole matrix

  const Store& store() const { return *plan.store; }
  std::string struct_name() const { return fmt::format("Branch{}", number); }
  std::string name() const { return fmt::format("branch_{}", number); }
  std::string description() const {
    return fmt::format("Branch {}: {}.", number, store().description);
  }
  /// The comments of a function that does the whole product, and of one that does this share.
  std::string product_description() const {
    return fmt::format("{}.", format.operands().product_formula());
  }
  std::string share_description() const {
    return number == 0 ? product_description() : description();
  }
};

/// Branches that run together, in one launch.
using Group = std::vector<Branch*>;

/// A launch that does one thing for each of `count` indices.
struct IndexLaunch {
  std::string name, description;
  std::int64_t count = 0;
  int threads = 0;  ///< of a block
  Code statement;   ///< over `index`
};

}  // namespace alphasparse
