// time_sections: the search, the roofline, and the worth of each step of the winner.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/emulated/gpu_models.h"
#include "search/explaining/pfs.h"
#include "search/trial/bench.h"
#include "tools/pages/chart.h"
#include "tools/pages/markup.h"
#include "tools/pages/sections.h"
#include "tools/reports/explain.h"

namespace alphasparse {

namespace {

constexpr std::size_t points_max = 2000;  // of a chart: more cannot be distinguished
constexpr int looks = 8;

std::string times_axis(TimeKind kind) {
  return kind == TimeKind::measured ? "time of one SpMV, µs" : "modelled time of one SpMV, µs";
}

/// One trial as the chart shows it.
struct Shown {
  std::string strategy;
  std::string design;
  double time_us;
};

/// Trials in their order: earlier calls' first, by when they were kept.
std::vector<Shown> shown_trials(const TuneResult& result) {
  std::map<std::string, bool> traced;
  for (const TracedTrial& trial : result.trace) traced[trial.design] = true;
  std::vector<const Measurement*> earlier;
  for (const auto& [design, outcome] : result.outcomes) {
    if (!traced.contains(design) && is_timed(outcome)) earlier.push_back(&outcome);
  }
  std::sort(earlier.begin(), earlier.end(), [](const Measurement* a, const Measurement* b) {
    return a->created_at < b->created_at;
  });
  std::vector<Shown> shown;
  for (const Measurement* const outcome : earlier) {
    const auto origin = result.origins.find(outcome->design);
    shown.push_back({origin == result.origins.end() ? "earlier" : origin->second, outcome->design,
                     outcome->timing->time_us});
  }
  for (const TracedTrial& trial : result.trace) {
    const auto origin = result.origins.find(trial.design);
    shown.push_back({origin == result.origins.end() ? "first" : origin->second, trial.design,
                     trial.time_us.value_or(0)});
  }
  return shown;
}

/// The points of every strategy, and the best so far as a line of steps. Where there are too many,
/// those that were no best go, evenly.
void add_trials(const std::vector<Shown>& trials, Chart& chart) {
  std::map<std::string, std::size_t> indices;
  ChartLine best{"best so far", 6, {}};
  double best_us = 0;
  const std::size_t stride = trials.size() / points_max + 1;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Shown& trial = trials[i];
    if (trial.time_us <= 0) continue;
    const auto x = static_cast<double>(i + 1);
    const bool is_best = best_us == 0 || trial.time_us < best_us;
    if (is_best) {
      if (best_us > 0) best.points.emplace_back(x, best_us);
      best_us = trial.time_us;
      best.points.emplace_back(x, best_us);
    }
    if (!is_best && i % stride != 0) continue;
    const auto [entry, is_new] = indices.emplace(trial.strategy, chart.series.size());
    if (is_new)
      chart.series.push_back({trial.strategy, static_cast<int>(chart.series.size()) % looks, {}});
    chart.series[entry->second].points.push_back(
        {x, trial.time_us, fmt::format("{}: {}", time_text(trial.time_us), trial.design)});
  }
  if (best_us > 0) best.points.emplace_back(static_cast<double>(trials.size()), best_us);
  chart.lines.push_back(std::move(best));
}

void add_levels(const TuneResult& result, Chart& chart) {
  if (result.pfs) chart.lines.push_back({result.pfs_name, 1, {{0, result.pfs->timing->time_us}}});
  int look = 2;
  for (const Measurement* const peer : result.baselines_in_order()) {
    if (!is_timed(*peer)) continue;
    chart.lines.push_back({peer->design, look++ % looks, {{0, peer->timing->time_us}}});
  }
}

std::string ways_html(const TuneResult& result) {
  std::vector<std::vector<Cell>> rows;
  for (const ProposerRecord& strategy : result.strategies) {
    if (strategy.proposed == 0) continue;
    const auto number = [](std::int64_t count) {
      return Cell{grouped(count), static_cast<double>(count)};
    };
    rows.push_back({{escaped(strategy.name)},
                    number(strategy.proposed),
                    number(strategy.verified),
                    number(strategy.bests),
                    {fmt::format("{:.1f} %", 100 * (1 - std::exp(-strategy.gained)))}});
  }
  if (rows.empty()) return "";
  return table_html({{"strategy"},
                     {"proposed", true},
                     {"verified", true},
                     {"best so far", true},
                     {"gained", true}},
                    rows);
}

/// The bytes that one SpMV reads and writes at least, and its operations, over a time.
std::optional<ChartSeries> roofline_point(const TunePage& page, const std::string& name,
                                          const std::optional<Measurement>& outcome, int look) {
  if (!outcome || !outcome->timing) return std::nullopt;
  const Kernel& kernel = page.kernel;
  const std::int64_t format = outcome->format_bytes.value_or(page.report.result.csr_bytes);
  const std::int64_t bytes =
      compulsory_bytes(kernel.rows, kernel.cols, {kernel.dtype, kernel.vectors}, format);
  const double flops =
      number_type(kernel.dtype).flops() * static_cast<double>(kernel.nnz) * kernel.vectors;
  const double time_us = outcome->timing->time_us;
  ChartSeries series{name, look, {}};
  series.points.push_back({flops / static_cast<double>(bytes), flops / time_us / 1e3,
                           fmt::format("{}: {}", name, time_text(time_us))});
  return series;
}

/// A roof of so many GB/s: straight in logarithms.
ChartLine roof(const std::string& name, double gb_per_s, double from, double to, int look) {
  return {name, look, {{from, from * gb_per_s}, {to, to * gb_per_s}}};
}

Bar step_bar(const TuneResult& result, const Reverted& reverted) {
  const double us = reverted.outcome->timing->time_us;
  const double ratio = us / result.winner->timing->time_us;
  return {
      reverted.reversion.what,
      fmt::format("{:.2f}{}", ratio,
                  is_tie(result.device.kind, us, result.winner->timing->time_us) ? ", a tie" : ""),
      ratio,
      ratio < 1 ? 2 : 1,
      result.device.kind == TimeKind::modelled,
      {},
      reverted.reversion.design->text()};
}

}  // namespace

std::string kind_tag(TimeKind kind) {
  const char* const name = time_kind_name(kind);
  return fmt::format("<span class=\"tag {0}\">{0}</span>", name);
}

PageSection search_section(const TunePage& page) {
  const TuneResult& result = page.report.result;
  const std::vector<Shown> trials = shown_trials(result);
  Chart chart;
  chart.description = "Times of the designs that were tried, in their order";
  chart.x = {"designs tried", false};
  chart.y = {times_axis(result.device.kind), true};
  chart.is_hollow = result.device.kind == TimeKind::modelled;
  add_trials(trials, chart);
  add_levels(result, chart);
  std::string html = fmt::format(
      "<p>{} designs were tried in {:.3g} s, {} of them in this call. {} Dashed lines are the best "
      "known format and the best baseline, where one was measured.</p>\n",
      grouped(result.trials), result.seconds_tuned, grouped(result.trials_now),
      kind_tag(result.device.kind));
  for (const SampledSearch& sample : result.samples) {
    html += paragraph_html(fmt::format(
        "Before, {} designs were tried and {} pruned on a sample of {} non-zeros, {:.2g} of the "
        "matrix.",
        grouped(sample.trials), grouped(sample.pruned), grouped(sample.nnz), sample.share));
  }
  return {"search", "The search", html + chart_html(chart) + ways_html(result)};
}

PageSection roofline_section(const TunePage& page) {
  const TuneResult& result = page.report.result;
  Chart chart;
  chart.description = "Speed over bytes, below the limit of memory";
  chart.x = {"floating-point operations a byte that must move", true};
  chart.y = {result.device.kind == TimeKind::measured ? "GFLOP/s" : "modelled GFLOP/s", true};
  chart.is_hollow = result.device.kind == TimeKind::modelled;
  int look = 0;
  const auto add = [&](const std::string& name, const std::optional<Measurement>& outcome) {
    if (auto series = roofline_point(page, name, outcome, look++ % looks))
      chart.series.push_back(std::move(*series));
  };
  add("the winner", result.winner);
  if (result.pfs) add(result.pfs_name, result.pfs);
  for (const Measurement* const peer : result.baselines_in_order()) {
    if (is_timed(*peer)) add(peer->design, *peer);
  }
  double low = 1e9, high = 0;
  for (const ChartSeries& series : chart.series) {
    low = std::min(low, series.points.front().x / 1.5);
    high = std::max(high, series.points.front().x * 1.5);
  }
  std::string description;
  if (page.memory) {
    chart.lines.push_back(
        roof(fmt::format("memory read at {:.4g} GB/s, measured", page.memory->read_gb_per_s),
             page.memory->read_gb_per_s, low, high, 6));
    chart.lines.push_back(
        roof(fmt::format("memory copied at {:.4g} GB/s, measured", page.memory->copy_gb_per_s),
             page.memory->copy_gb_per_s, low, high, 7));
    description = "A matrix that stays in caches may stand above the lines, which are memory's.";
  } else if (const GpuModel* const gpu = choose_gpu_model(result.device)) {
    chart.lines.push_back(roof(fmt::format("memory at {:.4g} GB/s, datasheet", gpu->dram_gb_per_s),
                               gpu->dram_gb_per_s, low, high, 6));
    chart.lines.push_back(roof(fmt::format("L2 at {:.4g} GB/s, of the model", gpu->l2_gb_per_s),
                               gpu->l2_gb_per_s, low, high, 7));
    const std::string& fit = result.device.fit;
    description = fmt::format("All of this is modelled{}{}: nothing was timed on a GPU.",
                              fit.empty() ? "" : ", ", fit);
  } else {
    description = "Memory was not measured, so there is no roof.";
  }
  return {"roofline", "The roofline",
          fmt::format("<p>{} Bytes are the format and x read once and y written; repeated "
                      "gathers are not counted. {}</p>\n",
                      kind_tag(result.device.kind), description) +
              chart_html(chart)};
}

PageSection ablation_section(const TunePage& page) {
  const TuneResult& result = page.report.result;
  const std::string title = "What each step is worth";
  if (!result.explanation) {
    return {"ablation", title,
            "<p>Not tried. The same command with <code>--explain</code> takes each step back and "
            "tries the rest.</p>\n"};
  }
  std::vector<Bar> bars;
  std::vector<std::pair<std::string, std::string>> others;
  for (const Reverted& reverted : result.explanation->steps) {
    if (reverted.reversion.what == "without launch") continue;  // a number of threads, no idea
    const bool timed = reverted.outcome && is_timed(*reverted.outcome) && result.winner->timing;
    if (timed)
      bars.push_back(step_bar(result, reverted));
    else
      others.emplace_back(reverted.reversion.what,
                          reverted.outcome && !reverted.outcome->reason.empty()
                              ? reverted.outcome->reason
                          : reverted.reversion.rejection.empty() ? "not tried"
                                                                 : reverted.reversion.rejection);
  }
  std::string html = fmt::format(
      "<p>{} Times without a step, or with another in its place, over the winner's.</p>\n{}",
      kind_tag(result.device.kind), bars_html(bars));
  if (!others.empty()) html += "<h3>Without a time</h3>\n" + facts_html(others);
  return {"ablation", title, html};
}

}  // namespace alphasparse
