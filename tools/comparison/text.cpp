// text: the comparison for people; its last table is the result.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "runtime/emulated/gpu_models.h"
#include "tools/comparison/compare_model.h"

namespace alphasparse {

namespace {

std::string coefficient_text(const std::optional<double>& coefficient) {
  return coefficient ? fmt::format("{:.2f}", *coefficient) : "-";
}

std::string head_text(const ModelComparison& result) {
  const MeasuredTimes& measured = result.measured;
  std::set<std::string> regimes;
  for (const std::size_t origin : result.origins) {
    const MeasuredMatrix& matrix = measured.matrices[origin];
    regimes.insert(
        fmt::format("{}, {} caches", dtype_name(matrix.dtype), regime_name(matrix.regime)));
  }
  std::string shares;
  for (const double share : result.comparison.l1_shares) shares += fmt::format(" {:g}", share);
  return fmt::format(
      "measured   {}, {} ({}), {}: {}\n"
      "modelled   {} ({}), {}; counted with shares of L1{}\n",
      measured.file, measured.device.name, measured.device.gpu, measured.device.version,
      fmt::join(regimes, "; "), result.comparison.gpu.name, result.comparison.gpu.full_name,
      gpu_models_version, shares);
}

std::string noise_text(const ModelComparison& result) {
  std::int64_t noisy = 0;
  for (const MeasuredMatrix& matrix : result.measured.matrices) noisy += matrix.noisy;
  if (noisy == 0) return "";
  return fmt::format("noisy      {} of the measured times: \"noisy\" in {}\n", noisy,
                     result.measured.file);
}

std::string left_out_text(const ModelComparison& result) {
  std::string text = result.left_out.empty() ? "" : "\nnot compared\n";
  for (const std::string& line : result.left_out) text += fmt::format("  {}\n", line);
  return text;
}

/// As assumed: what the model says today.
std::string matrices_text(const ModelComparison& result) {
  std::string text = fmt::format("\n{:<24} {:>7} {:>8} {:>8} {:>7} {:>10} {:>6}\n", "as assumed",
                                 "designs", "spearman", "kendall", "error", "misranked", "pick");
  for (std::size_t matrix = 0; matrix < result.comparison.matrices.size(); ++matrix) {
    const Agreement one =
        matrix_agreement(result.comparison, result.modelled.front().times_us, matrix);
    text += fmt::format(
        "{:<24} {:>7} {:>8} {:>8} {:>7.2f} {:>10} {:>6.2f}\n", result.comparison.matrices[matrix],
        one.designs, coefficient_text(one.spearman), coefficient_text(one.kendall),
        one.error_factor, fmt::format("{}/{}", one.misranked, one.pairs), one.pick_ratio);
  }
  return text +
         "error: modelled / measured or its inverse, geometric mean; misranked: of the pairs of "
         "designs;\npick: measured time of the design that is modelled fastest, over the least\n";
}

std::string misrankings_text(const ModelComparison& result) {
  const std::vector<double>& times = result.modelled.front().times_us;
  const std::vector<MisrankedPair> worst =
      worst_misrankings(result.comparison, times, misrankings_told);
  if (worst.empty()) return "\nno pair of designs is misranked\n";
  std::string text = fmt::format("\n{:<22} {:<16} {:>8} {:>8}  {:<16} {:>8} {:>8} {:>6}\n",
                                 "worst misrankings, us", "modelled first", "modelled", "measured",
                                 "measured first", "modelled", "measured", "factor");
  for (const MisrankedPair& pair : worst) {
    const ComparedDesign& preferred = result.comparison.designs[pair.preferred];
    const ComparedDesign& better = result.comparison.designs[pair.better];
    text += fmt::format("{:<22} {:<16} {:>8.4g} {:>8.4g}  {:<16} {:>8.4g} {:>8.4g} {:>6.2f}\n",
                        result.comparison.matrices[preferred.matrix], preferred.name,
                        times[pair.preferred], preferred.measured_us, better.name,
                        times[pair.better], better.measured_us, pair.factor);
  }
  return text;
}

std::string remark(const ConstantRow& row) {
  if (row.times_moved == 0) return "; no time speaks of it";
  return row.at_bound ? "; at the bound of what it may be" : "";
}

std::string constants_text(const ModelComparison& result) {
  std::string text =
      fmt::format("\n{:<24} {:>9} {:>9} {:>12}\n", "constant", "assumed", "fitted", "times moved");
  for (const ConstantRow& row : result.constants) {
    text +=
        fmt::format("{:<24} {:>9.4g} {:>9.4g} {:>12}  {}{}\n", row.name, row.assumed, row.fitted,
                    fmt::format("{}/{}", row.times_moved, result.comparison.designs.size()),
                    row.about, remark(row));
  }
  return text +
         "Nothing was written: the constants in runtime/emulated/model_constants.h stay assumed "
         "until a "
         "person\ntakes fitted ones over, with their origin and a new version of the models.\n";
}

std::string verdict_text(const ModelComparison& result) {
  if (!result.is_held_out()) {
    return "One matrix says nothing of how a fit holds on others: there is no held-out error.\n";
  }
  return result.fit_holds()
             ? "Fitted constants do better on matrices that they were not fitted to.\n"
             : "Fitted constants do no better on matrices that they were not fitted to: do not "
               "take them over.\n";
}

std::string result_text(const ModelComparison& result) {
  std::string text =
      fmt::format("\n{:<24} {:>7} {:>8} {:>8} {:>7} {:>10} {:>6}\n", "model against measured",
                  "designs", "spearman", "kendall", "error", "misranked", "pick");
  for (const ModelledTimes& row : result.modelled) {
    const Agreement& all = row.agreement;
    text +=
        fmt::format("{:<24} {:>7} {:>8} {:>8} {:>7.2f} {:>10} {:>6.2f}\n", row.name, all.designs,
                    coefficient_text(all.spearman), coefficient_text(all.kendall), all.error_factor,
                    fmt::format("{}/{}", all.misranked, all.pairs), all.pick_ratio);
  }
  return text;
}

}  // namespace

std::string comparison_text(const ModelComparison& result) {
  return head_text(result) + noise_text(result) + left_out_text(result) + matrices_text(result) +
         misrankings_text(result) + constants_text(result) + verdict_text(result) +
         result_text(result);
}

}  // namespace alphasparse
