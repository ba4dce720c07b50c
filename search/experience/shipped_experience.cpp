#include "search/experience/shipped_experience.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "base/version.h"
#include "operators/canonical_design.h"
#include "operators/targets.h"
#include "runtime/system/files/regular_file.h"
#include "templates/templates.h"

namespace alphasparse {

const std::vector<Template>& shipped_experience_files();

namespace {

constexpr const char* hint = "tools/make_experience makes it anew";
constexpr std::size_t names_count = 3;  // of the columns before the features
constexpr std::int64_t bytes_max = 1 << 24;

/// The parts between two ends, one at least.
std::vector<std::string_view> split_parts(std::string_view text, char end) {
  std::vector<std::string_view> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t last = std::min(text.find(end, first), text.size());
    parts.push_back(text.substr(first, last - first));
    first = last + 1;
  }
  return parts;
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const char* target_kind(Target target) { return target == Target::cpu ? "cpu" : "gpu"; }

/// The first line of a file that this program can use, up to the oldest generator.
std::string write_versions(int generator, Target target) {
  return fmt::format("# alphasparse experience: generator {}, features {}, {} {}", generator,
                     features_version, target == Target::cpu ? "measured" : "modelled",
                     target_kind(target));
}

bool is_of_these_versions(std::string_view line, Target target) {
  for (int generator = experience_since; generator <= std::atoi(generator_version); ++generator) {
    if (line == write_versions(generator, target)) return true;
  }
  return false;
}

/// One file while it is read.
class ExperienceReader {
 public:
  explicit ExperienceReader(Target target) : target_(target) {}

  /// The names of the columns. False where they are none of such a file.
  bool take_names(std::string_view line) {
    const std::vector<std::string_view> names = split_parts(line, '\t');
    const std::size_t features = feature_list({}).size();
    if (names.size() <= names_count + features) return false;
    for (std::size_t i = 0; i < names.size() - names_count; ++i) {
      const std::string name(names[names_count + i]);
      if (i < features) {
        features_.emplace_back(name, 0.0);
        continue;
      }
      const Result<CanonicalDesign> design = CanonicalDesign::read(name);
      const bool is_ours = design && find_target(design->tree()) == target_;
      designs_.push_back(is_ours ? design->text() : "");
      result.dropped += !is_ours;
    }
    return features_of_list(numbers(std::vector<std::string_view>(features, "1"))).has_value();
  }

  void take(std::string_view line) {
    std::optional<ShippedMatrix> matrix = read_matrix(split_parts(line, '\t'));
    if (matrix)
      result.matrices.push_back(std::move(*matrix));
    else
      ++result.dropped;
  }

  ShippedExperience result;

 private:
  using Numbers = std::vector<std::pair<std::string, double>>;

  Numbers numbers(const std::vector<std::string_view>& texts) const {
    Numbers list = features_;
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i].second = parse_number(texts[i]).value_or(std::numeric_limits<double>::quiet_NaN());
    return list;
  }

  std::optional<ShippedMatrix> read_matrix(const std::vector<std::string_view>& columns) const {
    if (columns.size() != names_count + features_.size() + designs_.size()) return std::nullopt;
    const auto first = columns.begin() + names_count;
    const auto ratios = first + static_cast<std::ptrdiff_t>(features_.size());
    const auto features = features_of_list(numbers({first, ratios}));
    if (!features) return std::nullopt;
    ShippedMatrix matrix{
        std::string(columns[0]), std::string(columns[1]), std::string(columns[2]), *features, {}};
    for (std::size_t i = 0; i < designs_.size(); ++i) {
      const std::string_view text = *(ratios + static_cast<std::ptrdiff_t>(i));
      if (text == "-" || designs_[i].empty()) continue;
      const std::optional<double> ratio = parse_number(text);
      if (!ratio || !(*ratio >= 1) || !std::isfinite(*ratio)) return std::nullopt;
      matrix.ratios.emplace(designs_[i], *ratio);
    }
    return matrix;
  }

  Target target_;
  Numbers features_;                  ///< names alone
  std::vector<std::string> designs_;  ///< empty: dropped
};

ShippedExperience unusable(std::string reason) { return {{}, 0, std::move(reason)}; }

ShippedExperience read_file(const std::string& path, Target target) {
  const Result<RegularFile> file = RegularFile::open(path);
  if (!file) return unusable(file.reason());
  if (file->size() > bytes_max) return unusable("is too large");
  const Result<std::string> text = file->read(static_cast<std::size_t>(file->size()));
  return text ? read_experience(*text, target) : unusable(text.reason());
}

/// Empty where the program brings no such file along.
std::string_view shipped_text(const std::string& name) {
  for (const Template& file : shipped_experience_files()) {
    if (file.path == "experience/" + name) return file.text;
  }
  return {};
}

ShippedExperience read_for(Target target) {
  const std::string name = fmt::format("{}.tsv", target_kind(target));
  const char* const folder = std::getenv("ALPHASPARSE_EXPERIENCE");
  const std::string path = folder && *folder ? fmt::format("{}/{}", folder, name) : "";
  if (path.empty() && shipped_text(name).empty()) return {};
  const ShippedExperience experience =
      path.empty() ? read_experience(shipped_text(name), target) : read_file(path, target);
  const std::string source = path.empty() ? "the shipped " + name : path;
  if (!experience.unusable.empty())
    spdlog::warn("{} {}: it is left out; {}", source, experience.unusable, hint);
  else if (experience.dropped > 0)
    spdlog::warn("{}: {} of its lines and designs are left out; {}", source, experience.dropped,
                 hint);
  return experience;
}

}  // namespace

ShippedExperience read_experience(std::string_view text, Target target) {
  std::vector<std::string_view> lines = split_parts(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (lines.empty() || !is_of_these_versions(lines.front(), target))
    return unusable("is of another version or kind");
  ExperienceReader reader(target);
  if (lines.size() < 2 || !reader.take_names(lines[1]))
    return unusable("lacks the names of its columns");
  for (std::size_t i = 2; i < lines.size(); ++i) reader.take(lines[i]);
  return std::move(reader.result);
}

const ShippedExperience& shipped_experience(Target target) {
  if (target == Target::cpu) {
    static const ShippedExperience of_cpus = read_for(Target::cpu);
    return of_cpus;
  }
  static const ShippedExperience of_gpus = read_for(Target::gpu);
  return of_gpus;
}

}  // namespace alphasparse
