#include "search/trial/bench.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/device/baseline_kernels.h"
#include "search/trial/trial.h"

namespace alphasparse {

namespace {

BenchSummary& find_summary(std::vector<BenchSummary>& summaries, const std::string& name) {
  const auto found = std::find_if(summaries.begin(), summaries.end(),
                                  [&](const BenchSummary& row) { return row.name == name; });
  if (found != summaries.end()) return *found;
  summaries.emplace_back().name = name;
  return summaries.back();
}

}  // namespace

std::int64_t compulsory_bytes(std::int64_t rows, std::int64_t cols, const Operands& operands,
                              std::int64_t format_bytes) {
  return format_bytes + (rows + cols) * number_type(operands.dtype).bytes * operands.vectors;
}

std::vector<BenchEntry> bench(const Matrix& matrix, Device& device,
                              const std::vector<NamedDesign>& designs, const BenchOptions& options,
                              const BenchProgress& progress, const std::atomic<bool>& stop) {
  TuneOptions trial_options;
  trial_options.dtype = options.dtype;
  trial_options.vectors = options.vectors;
  trial_options.regime = options.regime;
  trial_options.may_round = true;
  trial_options.own_order = options.own_order;
  Trial trial(matrix, device, trial_options);
  std::vector<BenchEntry> entries;
  for (std::size_t index = 0; index < designs.size() && !stop; ++index) {
    if (progress) progress(index);
    const NamedDesign& design = designs[index];
    BenchEntry entry{std::string(design.name),
                     trial.run(std::string(design.line), Deadline{{}, &stop}), true};
    const Result<Subject> subject = Subject::read(std::string(design.line));
    entry.takes_any_values = entry.is_timed() && trial.takes_any_values(*subject);
    if (stop && !entry.outcome.verified) break;  // the same event may have stopped it
    entries.push_back(std::move(entry));
  }
  return entries;
}

namespace {

template <class IsChosen>
const BenchEntry* fastest_where(const std::vector<BenchEntry>& entries, const IsChosen& is_chosen) {
  const BenchEntry* fastest = nullptr;
  for (const BenchEntry& entry : entries) {
    if (!entry.is_timed() || !is_chosen(entry)) continue;
    const double time_us = entry.outcome.timing->time_us;
    if (!fastest || time_us < fastest->outcome.timing->time_us) fastest = &entry;
  }
  return fastest;
}

}  // namespace

bool is_baseline(const BenchEntry& entry) { return find_baseline(entry.name) != nullptr; }

std::vector<const Measurement*> find_baseline_outcomes(const std::vector<BenchEntry>& entries) {
  std::vector<const Measurement*> outcomes;
  for (const BenchEntry& entry : entries) {
    if (is_baseline(entry)) outcomes.push_back(&entry.outcome);
  }
  return outcomes;
}

const BenchEntry* find_fastest(const std::vector<BenchEntry>& entries, bool of_vendor) {
  return fastest_where(entries,
                       [&](const BenchEntry& entry) { return is_baseline(entry) == of_vendor; });
}

const BenchEntry* fastest_for_any_values(const std::vector<BenchEntry>& entries) {
  return fastest_where(entries, [](const BenchEntry& entry) {
    return !is_baseline(entry) && entry.takes_any_values;
  });
}

double best_time_us(const std::vector<BenchEntry>& entries) {
  double best = 0;
  for (const BenchEntry& entry : entries) {
    if (!entry.is_timed()) continue;
    const double time_us = entry.outcome.timing->time_us;
    best = best == 0 ? time_us : std::min(best, time_us);
  }
  return best;
}

std::vector<BenchSummary> summarise(const std::vector<std::vector<BenchEntry>>& matrices,
                                    double tie) {
  std::vector<BenchSummary> summaries;
  for (const std::vector<BenchEntry>& entries : matrices) {
    const double best_us = best_time_us(entries);
    for (const BenchEntry& entry : entries) {
      BenchSummary& summary = find_summary(summaries, entry.name);
      ++summary.matrices;
      summary.verified += entry.outcome.verified;
      if (!entry.is_timed()) continue;
      const double ratio = entry.outcome.timing->time_us / best_us;
      ++summary.timed;
      summary.ratio_mean += std::log(ratio);
      if (ratio <= 1)
        ++summary.wins;
      else if (ratio <= tie)
        ++summary.ties;
    }
  }
  for (BenchSummary& summary : summaries) {
    if (summary.timed > 0)
      summary.ratio_mean = std::exp(summary.ratio_mean / static_cast<double>(summary.timed));
  }
  return summaries;
}

}  // namespace alphasparse
