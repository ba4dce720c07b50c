#include "tools/reports/ratios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "tools/reports/measured.h"

namespace alphasparse {

std::string times_text(double times) {
  constexpr double huge = 1e5;
  return times < huge ? fmt::format("{:.2f}", times) : fmt::format("{:.4g}", times);
}

std::string Ratio::range() const {
  return fmt::format("{}-{}", times_text(least), times_text(most));
}

std::string Ratio::text() const {
  const std::string point = times_text(value);
  return range() == point + "-" + point ? point : fmt::format("{} ({})", point, range());
}

Ratio make_ratio(const Timing& ours, const Timing& theirs) {
  return {theirs.time_us / ours.time_us, theirs.time_us_min.value_or(theirs.time_us) / ours.time_us,
          theirs.time_us / ours.time_us_min.value_or(ours.time_us)};
}

std::string speed_text(const Timing& ours, const Timing& theirs) {
  constexpr double same = 1.005;
  const Ratio ratio = make_ratio(ours, theirs);
  if (ratio.value < same && ratio.value > 1 / same) return "as fast as";
  if (ratio.value > 1) return ratio.text() + " times as fast as";
  return make_ratio(theirs, ours).text() + " times as slow as";
}

std::vector<std::string_view> baselines_present(const std::vector<const Measurement*>& outcomes) {
  std::vector<std::string_view> libraries;
  for (const Measurement* const outcome : outcomes) {
    const Baseline* const algorithm = find_baseline(outcome->design);
    if (!algorithm || !outcome->verified || !outcome->timing) continue;
    if (std::find(libraries.begin(), libraries.end(), algorithm->library) == libraries.end())
      libraries.push_back(algorithm->library);
  }
  return libraries;
}

std::vector<MissingBaseline> baselines_missing(const std::vector<const Measurement*>& outcomes) {
  std::vector<MissingBaseline> missing;
  for (const Measurement* const outcome : outcomes) {
    if (!is_library_missing(*outcome)) continue;
    const std::string_view library = find_missing(*find_baseline(outcome->design), outcome->reason);
    const auto same = [library](const MissingBaseline& one) { return one.library == library; };
    if (std::none_of(missing.begin(), missing.end(), same))
      missing.push_back({library, library_named(library).install});
  }
  return missing;
}

std::string untimed_text(const std::vector<Baseline>& all,
                         const std::vector<const Measurement*>& outcomes) {
  std::vector<std::string_view> listed = baselines_present(outcomes);
  std::vector<std::string> untimed;
  for (const Baseline& algorithm : all) {
    if (std::find(listed.begin(), listed.end(), algorithm.library) != listed.end()) continue;
    listed.push_back(algorithm.library);
    const auto is_absent = [&](const Measurement* outcome) {
      return outcome->design == algorithm.name && is_library_missing(*outcome);
    };
    const bool is_missing = std::any_of(outcomes.begin(), outcomes.end(), is_absent);
    untimed.push_back(fmt::format("{}{}", algorithm.library, is_missing ? " (not installed)" : ""));
  }
  return fmt::format("{}", fmt::join(untimed, ", "));
}

std::string present_text(const std::vector<const Measurement*>& outcomes) {
  return fmt::format("{}", fmt::join(baselines_present(outcomes), ", "));
}

std::string not_installed_text(const std::vector<const Measurement*>& outcomes) {
  std::string text;
  for (const auto& [library, install] : baselines_missing(outcomes)) {
    text += fmt::format("{}{}: not installed ({})", text.empty() ? "" : "; ", library, install);
  }
  return text;
}

std::string wrapped_design(std::string_view design, std::size_t indent, std::size_t width) {
  constexpr std::string_view bar = " | ";
  std::string text;
  std::size_t column = indent;
  while (!design.empty()) {
    const std::size_t end = design.find(bar);
    std::string part(design.substr(0, end));
    if (end != std::string_view::npos) part += " |";
    const bool begins_line = column == indent;
    if (!begins_line && column + 1 + part.size() > width) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!begins_line) {
      part.insert(0, " ");
    }
    text += part;
    column += part.size();
    if (end == std::string_view::npos) break;
    design.remove_prefix(end + bar.size());
  }
  return text;
}

}  // namespace alphasparse
