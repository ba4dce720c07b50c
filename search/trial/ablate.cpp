#include "search/trial/ablate.h"

#include <utility>

#include "operators/canonical_design.h"
#include "operators/compact_passes.h"
#include "search/trial/trial.h"

namespace alphasparse {

namespace {

/// The designs to compare, each once.
Result<std::vector<std::pair<std::string, CanonicalDesign>>> list_designs(const std::string& text) {
  const Result<CanonicalDesign> design = CanonicalDesign::read(text);
  if (!design) return design.failure();
  const CanonicalDesign none = CanonicalDesign::spelled(without_compact(design->tree()));
  if (none == *design) {
    return Failure{Status::pruned,
                   "the design has no compression passes; put compact before its launch"};
  }
  std::vector<std::pair<std::string, CanonicalDesign>> designs{{"all", *design}};
  for (const std::string_view pass : compact_passes()) {
    const auto without = CanonicalDesign::of(without_pass(design->tree(), pass)).value();
    if (without == *design || without == none) continue;
    designs.emplace_back("without " + std::string(pass), without);
  }
  designs.emplace_back("none", none);
  return designs;
}

}  // namespace

Result<std::vector<Ablated>> ablate(const Matrix& matrix, Device& device, const std::string& design,
                                    const AblateOptions& options, const std::atomic<bool>& stop) {
  const auto designs = list_designs(design);
  if (!designs) return designs.failure();
  TuneOptions trial_options;
  trial_options.dtype = options.dtype;
  trial_options.vectors = options.vectors;
  trial_options.regime = options.regime;
  trial_options.may_round = true;
  trial_options.own_order = options.own_order;
  Trial trial(matrix, device, trial_options);
  std::vector<Ablated> rows;
  for (const auto& [passes, variant] : *designs) {
    if (stop) break;
    Ablated row{passes, trial.run(Subject(variant), Deadline{{}, &stop})};
    if (stop && !row.outcome.verified) break;  // the same event may have stopped it
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace alphasparse
