#include "search/strategies/warm_start.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "operators/catalogue.h"
#include "operators/other_target.h"
#include "search/learning/design_features.h"
#include "search/learning/likeness.h"
#include "search/strategies/cover_set.h"

namespace alphasparse {

namespace {

constexpr double width_penalty = 0.03;       // of half or twice as many vectors
constexpr double weight_most = 0.5;          // of a row from elsewhere
constexpr std::size_t translated_most = 32;  // designs of a problem, for the cover

/// A problem that may count.
struct Speaker {
  const LearnedProblem* problem = nullptr;
  std::optional<Features> features;
  double penalty = 0;   ///< for other conditions
  double distance = 0;  ///< with the penalty
};

std::string options_but_vectors(const Problem& problem) {
  std::string options = problem.options;
  const std::string vectors = vectors_option(problem.vectors());
  const std::size_t at = options.find(vectors);
  return at == std::string::npos ? options : options.erase(at, vectors.size());
}

double find_penalty(const Problem& problem, const Problem& other) {
  double penalty = 0;
  if (other.device.target != problem.device.target) penalty += 1;
  if (other.device.kind != problem.device.kind) penalty += 1;
  if (other.dtype != problem.dtype) penalty += 0.5;
  if (other.device.gpu != problem.device.gpu) penalty += 0.25;
  if (other.regime != problem.regime) penalty += 0.25;
  const double widths =
      std::abs(std::log2(std::max(1, problem.vectors())) - std::log2(std::max(1, other.vectors())));
  penalty += std::min(0.2, width_penalty * widths);
  if (options_but_vectors(other) != options_but_vectors(problem)) penalty += 0.25;
  return penalty;
}

bool is_same_problem(const Problem& a, const Problem& b) {
  const auto fields = [](const Problem& p) {
    return std::tie(p.matrix.pattern, p.matrix.values, p.device.gpu, p.device.kind,
                    p.device.version, p.device.arch, p.dtype, p.regime, p.options,
                    p.generator_version, p.sample_nnz);
  };
  return fields(a) == fields(b);
}

void sort_by_distance(std::vector<Speaker>& speakers) {
  std::stable_sort(speakers.begin(), speakers.end(),
                   [](const Speaker& a, const Speaker& b) { return a.distance < b.distance; });
}

/// The timed outcomes, fastest first. An outcome that took no time at all tells nothing.
std::vector<const Measurement*> ranked(const Outcomes& outcomes) {
  std::vector<const Measurement*> timed = sort_by_time(outcomes);
  std::erase_if(timed, [](const Measurement* outcome) { return outcome->timing->time_us <= 0; });
  return timed;
}

/// A design in the words of the target, of one vector without passes of columns; nothing where it
/// has none there.
std::optional<CanonicalDesign> adapt_design(const Problem& problem, const std::string& text) {
  static const std::regex passes("(launch [^|;]*) columns=[0-9a-z]+");
  const Result<CanonicalDesign> known =
      CanonicalDesign::read(problem.vectors() > 1 ? text : std::regex_replace(text, passes, "$1"));
  return known ? convert_design(*known, problem.device.target) : std::nullopt;
}

/// The fastest designs of distinct structures.
Designs best_designs(const Outcomes& outcomes, std::size_t most, const Problem& problem) {
  Designs designs;
  std::set<std::string> structures;
  for (const Measurement* const outcome : ranked(outcomes)) {
    if (designs.size() == most) break;
    std::optional<CanonicalDesign> design = adapt_design(problem, outcome->design);
    if (design && structures.insert(design->structure()).second)
      designs.push_back(std::move(*design));
  }
  return designs;
}

/// At most `most` outcomes: the fastest for half of the places, and evenly some of all others.
std::vector<const Measurement*> informative(const Outcomes& outcomes, std::size_t most) {
  std::vector<const Measurement*> all = ranked(outcomes);
  for (const auto& [design, outcome] : outcomes) {
    if (outcome.status != Status::ok && outcome.status != Status::duplicate)
      all.push_back(&outcome);
  }
  if (all.size() <= most) return all;
  std::vector<const Measurement*> chosen(all.begin(),
                                         all.begin() + static_cast<std::ptrdiff_t>(most / 2));
  const std::size_t rest = most - chosen.size(), others = all.size() - chosen.size();
  for (std::size_t i = 0; i < rest; ++i) chosen.push_back(all[most / 2 + i * others / rest]);
  return chosen;
}

/// The data of one call of warm_start() that its steps share.
struct Recollection {
  Database& database;
  const Problem& problem;
  const WarmStartOptions& options;
  std::vector<Speaker> elsewhere;  ///< the same pattern, the most alike conditions first
  std::vector<Speaker> others;     ///< one of each pattern that has features, the nearest first
  std::map<std::string, Outcomes> outcomes;  ///< by problem, as far as they were asked for
  WarmStart result;

  const Outcomes& read_outcomes(const Speaker& speaker) {
    const std::string& key = speaker.problem->key;
    const auto known = outcomes.find(key);
    if (known != outcomes.end()) return known->second;
    return outcomes.emplace(key, database.read_outcomes(key)).first->second;
  }

  Target target() const { return problem.device.target; }

  /// A GPU's times say nothing of a CPU's: not to a model.
  bool may_teach(const Speaker& speaker) const {
    return speaker.features && speaker.problem->problem.device.target == target();
  }

  bool is_left_out(const std::string& pattern) const {
    const auto& patterns = options.patterns_left_out;
    return std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
  }

  void sort_out(const std::vector<LearnedProblem>& learned) {
    std::map<std::string, Speaker> by_pattern;
    for (const LearnedProblem& one : learned) {
      const Problem& other = one.problem;
      if (other.is_baseline() || other.is_sample() || is_left_out(other.matrix.pattern) ||
          is_same_problem(other, problem))
        continue;
      Speaker speaker{&one, std::nullopt, find_penalty(problem, other), 0};
      if (one.features) speaker.features = features_of_list(one.features->numbers);
      if (other.matrix.pattern == problem.matrix.pattern) {
        speaker.distance = speaker.penalty;
        elsewhere.push_back(std::move(speaker));
      } else if (speaker.features) {
        const auto [entry, is_new] = by_pattern.try_emplace(other.matrix.pattern, speaker);
        if (!is_new && speaker.penalty < entry->second.penalty) entry->second = speaker;
      }
    }
    for (auto& [pattern, speaker] : by_pattern) others.push_back(std::move(speaker));
  }

  void measure_distances(const Features& features) {
    std::vector<const Features*> at_random;  // a spread of matrices that were chosen tells nothing
    for (const Speaker& other : others) {
      if (other.problem->at_random) at_random.push_back(&*other.features);
    }
    const Likeness likeness(features, at_random);
    for (Speaker& other : others)
      other.distance = other.penalty + likeness.distance(*other.features);
    sort_by_distance(others);
    sort_by_distance(elsewhere);
    // One that has no times says nothing and takes no other's place.
    for (std::vector<Speaker>* const speakers : {&elsewhere, &others}) {
      std::vector<Speaker> heard;
      for (Speaker& speaker : *speakers) {
        if (heard.size() == options.cover_problems) break;
        if (!ranked(read_outcomes(speaker)).empty()) heard.push_back(std::move(speaker));
      }
      *speakers = std::move(heard);
    }
  }

  /// Adds a design unless it is there or there are `most`.
  void add(const CanonicalDesign& design, const Speaker& speaker, std::size_t most) {
    if (result.designs.size() >= most) return;
    const bool is_new = std::none_of(result.designs.begin(), result.designs.end(),
                                     [&](const WarmDesign& one) { return one.design == design; });
    if (is_new) result.designs.push_back({design, speaker.problem->problem.matrix_name});
  }

  /// The best of each, then the second of each, and so on.
  void add_best(const std::vector<Speaker>& speakers, std::size_t count, std::size_t most) {
    std::vector<Designs> designs;
    for (std::size_t i = 0; i < std::min(count, speakers.size()); ++i)
      designs.push_back(best_designs(read_outcomes(speakers[i]), options.designs_each, problem));
    for (std::size_t rank = 0; rank < options.designs_each; ++rank) {
      for (std::size_t i = 0; i < designs.size(); ++i) {
        if (rank < designs[i].size()) add(designs[i][rank], speakers[i], most);
      }
    }
  }

  /// The cover's designs with the first of the problems on which each was the best of the cover.
  std::vector<std::pair<CanonicalDesign, const Speaker*>> cover() {
    std::vector<CoveredProblem> covered;
    for (const Speaker& speaker : others) {
      CoveredProblem times;
      const Problem& other = speaker.problem->problem;
      const bool translated =
          other.device.target != target() || other.vectors() != problem.vectors();
      for (const Measurement* const outcome : ranked(read_outcomes(speaker))) {
        if (translated && times.size() == translated_most) break;
        // If several designs become one there, the fastest comes first.
        if (!translated) {
          times.emplace(outcome->design, outcome->timing->time_us);
        } else if (const auto design = adapt_design(problem, outcome->design)) {
          times.emplace(design->text(), outcome->timing->time_us);
        }
      }
      covered.push_back(std::move(times));
    }
    std::vector<std::pair<CanonicalDesign, const Speaker*>> designs;
    for (const CoverDesign& one : cover_set(covered, options.cover)) {
      if (const auto design = CanonicalDesign::read(one.design))
        designs.emplace_back(*design, &others[one.best_on]);
    }
    return designs;
  }

  void choose_designs() {
    const auto designs = cover();
    const bool is_far = others.empty() || others.front().distance > options.far;
    const auto add_cover = [&](std::size_t most) {
      for (const auto& [design, speaker] : designs) add(design, *speaker, most);
    };
    add_best(elsewhere, elsewhere.size(), options.designs_max / 2);
    result.is_elsewhere = !result.designs.empty();
    if (is_far) add_cover(options.designs_max);
    const std::size_t kept_free = is_far ? 0 : std::min(designs.size(), options.designs_max);
    add_best(others, options.nearest, options.designs_max - kept_free);
    add_cover(options.designs_max);
    add_best(others, options.nearest, options.designs_max);
  }

  /// The nearest on this target.
  std::vector<const Speaker*> teachers() const {
    std::vector<const Speaker*> speakers;
    for (const std::vector<Speaker>* const known : {&elsewhere, &others}) {
      for (const Speaker& speaker : *known) {
        if (may_teach(speaker)) speakers.push_back(&speaker);
      }
    }
    speakers.resize(std::min(speakers.size(), options.nearest));
    return speakers;
  }

  void add_similar() {
    for (const Speaker* const speaker : teachers()) {
      if (speaker->distance > options.far) continue;
      SimilarTimes times{std::pow(1 + speaker->distance, -4), {}};
      for (const Measurement* const outcome : ranked(read_outcomes(*speaker)))
        times.us.emplace(outcome->design, outcome->timing->time_us);
      result.similar.push_back(std::move(times));
    }
  }

  void add_rows() {
    const std::vector<const Speaker*> speakers = teachers();
    int number = 0;
    for (const Speaker* const speaker : speakers) {
      ++number;
      // The size of a format over CSR's is not told, so the bytes of CSR say nothing.
      const DesignFeatures features(*speaker->features, 1);
      const double weight = weight_most / (1 + speaker->distance);
      for (const Measurement* const outcome :
           informative(read_outcomes(*speaker), options.rows_max / speakers.size())) {
        const Result<CanonicalDesign> design = CanonicalDesign::read(outcome->design);
        Result<std::vector<float>> row =
            design ? features.of(design->tree()) : Result<std::vector<float>>(design.failure());
        if (!row) continue;
        std::optional<double> time_us;
        if (outcome->status == Status::ok) time_us = outcome->timing->time_us;
        result.rows.push_back({std::move(*row), time_us, number, weight});
      }
    }
  }
};

}  // namespace

Designs WarmStart::only_designs() const {
  Designs only;
  for (const WarmDesign& one : designs) only.push_back(one.design);
  return only;
}

std::vector<std::string> WarmStart::matrix_names() const {
  std::vector<std::string> names;
  for (const WarmDesign& one : designs) {
    if (std::find(names.begin(), names.end(), one.matrix) == names.end())
      names.push_back(one.matrix);
  }
  return names;
}

StoredFeatures stored_features(const Features& features) {
  StoredFeatures stored{features_version, {}};
  for (const NamedFeature& feature : feature_list(features))
    stored.numbers.emplace_back(feature.name, feature.value);
  return stored;
}

WarmStart warm_start(Database& database, const Problem& problem, const Features& features,
                     const WarmStartOptions& options) {
  const std::vector<LearnedProblem> learned =
      database.problems_alike(problem, stored_features(features));
  Recollection recollection{database, problem, options, {}, {}, {}, {}};
  recollection.sort_out(learned);
  recollection.measure_distances(features);
  recollection.choose_designs();
  recollection.add_similar();
  recollection.add_rows();
  spdlog::debug("warm start: {} designs, {} rows, of {} problems",
                recollection.result.designs.size(), recollection.result.rows.size(),
                learned.size());
  return std::move(recollection.result);
}

}  // namespace alphasparse
