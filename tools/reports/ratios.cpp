#include "tools/reports/ratios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "tools/reports/measured.h"

namespace alphasparse {

std::string speed_text(double ours_us, double theirs_us) {
  constexpr double same = 1.005;
  const double ratio = theirs_us / ours_us;
  if (ratio < same && ratio > 1 / same) return "as fast as";
  if (ratio > 1) return fmt::format("{:.2f} times as fast as", ratio);
  return fmt::format("{:.2f} times as slow as", 1 / ratio);
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
    const std::string_view library = missing_of(*find_baseline(outcome->design), outcome->reason);
    const auto same = [library](const MissingBaseline& one) { return one.library == library; };
    if (std::none_of(missing.begin(), missing.end(), same))
      missing.push_back({library, how_to_install(library)});
  }
  return missing;
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
