// design_graph_test: the boxes of a design's steps, for the named designs of both targets.
#include "tools/pages/design_graph.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "generator/layouts/positions.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

int steps_of(const Design& design) {
  int steps = 0;
  for (const Step& step : design.steps) {
    ++steps;
    for (const Design& branch : step.branches) steps += steps_of(branch);
  }
  return steps;
}

int boxes_of(const std::string& html) {
  const std::string box = "<div class=\"step ";
  int boxes = 0;
  for (std::size_t at = 0; (at = html.find(box, at)) != std::string::npos; ++at) ++boxes;
  return boxes;
}

/// At least one matrix must take the design.
void expect_whole_graph(const NamedDesign& named, Target target) {
  const CanonicalDesign design = make_canonical(named, target);
  int whole = 0;
  for (const auto& [name, matrix] : battery()) {
    Designer designer(matrix, target);
    if (!designer.branches(design.tree())) continue;
    ++whole;
    EXPECT_EQ(boxes_of(design_graph_html(designer, design.tree())), steps_of(design.tree()))
        << named.name << " of " << name;
  }
  EXPECT_GT(whole, 0) << named.name;
}

// Threads that are cut have no pads before the step that makes them.
TEST(DesignGraph, BlocksOfOneRowArePaddedByTheStepThatSaysSo) {
  Designer designer(uneven, Target::cpu);
  Prefix prefix = designer.root();
  for (const char* const line :
       {"compress blocks=4", "warp_rows rows=16", "thread_rows rows=1", "thread_pad"}) {
    EXPECT_EQ(stored_entries(prefix.store), uneven.nnz()) << "before " << line;
    Result<Prefix> next = designer.after(prefix, parse_design(line)->steps.front());
    ASSERT_TRUE(next.ok()) << next.reason();
    prefix = std::move(*next);
  }
  EXPECT_GT(stored_entries(prefix.store), uneven.nnz());
}

TEST(DesignGraph, EachStepOfANamedDesignHasABox) {
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const NamedDesign& named : named_designs(target)) expect_whole_graph(named, target);
  }
}

}  // namespace
}  // namespace alphasparse
