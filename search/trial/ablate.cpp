#include "search/trial/ablate.h"

#include <utility>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "search/trial/trial.h"

namespace alphasparse {

namespace {

/// The designs to compare, in canonical spelling; each once.
Result<std::vector<std::pair<std::string, std::string>>> designs_of(const std::string& text) {
  const Result<Design> parsed = parse_design(text);
  if (!parsed) return parsed.failure();
  const Result<Design> design = canonical_design(*parsed);
  if (!design) return design.failure();
  const Design none = without_compact(*design);
  if (none == *design) {
    return Failure{Status::pruned,
                   "the design has no compression passes; put compact before its launch"};
  }
  std::vector<std::pair<std::string, std::string>> designs{{"all", print_design(*design)}};
  for (const std::string_view pass : compact_passes()) {
    const std::string without = print_design(*canonical_design(without_pass(*design, pass)));
    if (without == print_design(*design) || without == print_design(none)) continue;
    designs.emplace_back("without " + std::string(pass), without);
  }
  designs.emplace_back("none", print_design(none));
  return designs;
}

}  // namespace

Result<std::vector<Ablated>> ablate(const Matrix& matrix, Device& device, const std::string& design,
                                    const AblateOptions& options, const std::atomic<bool>& stop) {
  const auto designs = designs_of(design);
  if (!designs) return designs.failure();
  TuneOptions trial_options;
  trial_options.dtype = options.dtype;
  trial_options.regime = options.regime;
  trial_options.may_round = true;
  Trial trial(matrix, device, trial_options);
  std::vector<Ablated> rows;
  for (const auto& [passes, line] : *designs) {
    if (stop) break;
    Ablated row{passes, trial.run(line, Deadline{{}, &stop})};
    if (stop && !row.outcome.verified) break;  // what stopped us may have stopped it
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace alphasparse
