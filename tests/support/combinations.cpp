#include "tests/support/combinations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "generator/arrays/fragment.h"
#include "operators/catalogue.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {

std::string Combination::line(std::size_t variety) const {
  const std::string before = start->before[variety % start->before.size()];
  variety = variety / start->before.size() + variety % start->before.size();
  std::vector<std::string> steps;
  for (const std::size_t kind : kinds) {
    const StepKind& spellings = step_kinds()[kind];
    steps.push_back(spellings[variety % spellings.size()]);
    variety = variety / spellings.size() + variety % spellings.size();
  }
  return fmt::format("{}{}{}", before, fmt::join(steps, " | "), start->after);
}

std::string Combination::text() const {
  return fmt::format("{}: {} / {} / {} / {} / {} / {}", start->name, levels, layout, staged, terms,
                     chain, epilogue);
}

namespace {

/// The first spelling of a kind.
struct Choice {
  const Operator* op;
  Arguments arguments;
};

std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const StepKind& kind : step_kinds()) {
    const Step step = parse_design(kind.front())->steps.front();
    all.push_back({find_operator(step.op), *check_arguments(step)});
  }
  return all;
}

/// The store that a start's first spelling hands to the first step.
Store start_store(const Start& start) {
  Store store(combination_matrix(start.matrix));
  const Design design = *parse_design(start.before.front() + "launch threads=64" + start.after);
  for (const Step& step : design.steps) {
    if (step.op == "launch") break;
    const Operator& op = *find_operator(step.op);
    if (!op.branches) {
      op.apply(store, *check_arguments(step));
      continue;
    }
    store = (*op.split(store, *check_arguments(step)))[start.branch];
    const Step& first = step.branches[start.branch].steps.front();
    if (first.op == "compress") find_operator("compress")->apply(store, *check_arguments(first));
  }
  return store;
}

class Walk {
 public:
  Walk(CombinationWalk& found, bool asks_all) : found_(found), asks_all_(asks_all) {}

  void from(const Start& start) {
    start_ = &start;
    go_on(start_store(start));
  }

 private:
  /// Goes on from a store that the steps so far have made.
  void go_on(const Store& store) {
    if (store.launch.threads != 0) return add(store);
    bool is_dead_end = true;
    const std::size_t first = kinds_.empty() ? 0 : kinds_.back() + 1;
    for (std::size_t kind = asks_all_ ? 0 : first; kind < choices_.size(); ++kind) {
      const auto& [op, arguments] = choices_[kind];
      if (op->name == start_->without) continue;
      if (const auto why = cannot_apply(*op, store, arguments)) {
        if (asks_all_) refuse(*op, *why, kind);
        continue;
      }
      // Another order of the same steps, or another launch, puts the same kernel together.
      const bool is_known = kind < first || (!store.epilogue.empty() && !is_dead_end);
      is_dead_end = false;
      if (is_known) continue;
      Store next = store;
      op->apply(next, arguments);
      kinds_.push_back(kind);
      go_on(next);
      kinds_.pop_back();
    }
    if (is_dead_end && asks_all_) found_.dead_ends.push_back(prefix());
  }

  std::string prefix() const {
    std::string text = start_->before.front();
    for (const std::size_t kind : kinds_) text += step_kinds()[kind].front() + " | ";
    return text;
  }

  void refuse(const Operator& op, const std::string& why, std::size_t kind) {
    const auto [place, is_new] = found_.refusals.try_emplace({std::string(op.name), why});
    if (is_new) place->second = prefix() + step_kinds()[kind].front();
  }

  void add(const Store& store) {
    Combination made;
    made.start = start_;
    made.kinds = kinds_;
    std::vector<std::string> levels, layout, staged, chain;
    for (const std::size_t kind : kinds_) {
      const Operator& op = *choices_[kind].op;
      if (op.stage != Stage::mapping) continue;
      const bool cuts = !op.parameters.empty() && op.parameters.front().most > 0;
      const bool stages = op.name == "stage_x";
      (cuts ? levels : stages ? staged : layout).push_back(step_kinds()[kind].front());
    }
    made.terms = store.chain().front().fragment->name;
    if (store.vector > 1) made.terms += fmt::format(" vector={}", store.vector);
    for (std::size_t i = 1; i < store.chain().size(); ++i) {
      chain.emplace_back(store.chain()[i].fragment->name);
    }
    made.levels = fmt::format("{}", fmt::join(levels, " | "));
    made.layout = fmt::format("{}", fmt::join(layout, " | "));
    made.staged = fmt::format("{}", fmt::join(staged, " | "));
    made.chain = fmt::format("{}", fmt::join(chain, " | "));
    made.epilogue = store.epilogue;
    if (seen_.insert(made.text()).second) found_.combinations.push_back(std::move(made));
  }

  CombinationWalk& found_;
  const bool asks_all_;  ///< in any order, to see which operator refuses and where none goes on
  std::set<std::string> seen_;
  std::vector<Choice> choices_ = choices();
  const Start* start_ = nullptr;
  std::vector<std::size_t> kinds_;
};

/// The numbers of parts that stand together in each combination.
class Pairs {
 public:
  std::vector<std::size_t> of(const Combination& made) {
    const std::size_t outer = made.levels.rfind(" | ");
    const std::string threads =
        outer == std::string::npos ? made.levels : made.levels.substr(outer + 3);
    const std::array<std::string, 7> parts = {"start " + made.start->name, "threads " + threads,
                                              "layout " + made.layout,     "terms " + made.terms,
                                              "staged " + made.staged,     "chain " + made.chain,
                                              "sink " + made.epilogue};
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) numbers.push_back(number(parts[j] + ", " + parts[i]));
    }
    for (const std::size_t part : {0, 4, 5, 6}) {
      numbers.push_back(number("levels " + made.levels + ", " + parts[part]));
    }
    return numbers;
  }

  std::size_t count() const { return numbers_.size(); }

 private:
  std::size_t number(const std::string& pair) {
    return numbers_.try_emplace(pair, numbers_.size()).first->second;
  }

  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

CombinationWalk walk_combinations() {
  CombinationWalk found;
  Walk walk(found, true);
  for (const Start& start : combination_starts()) walk.from(start);
  return found;
}

std::vector<Combination> all_combinations() {
  CombinationWalk found;
  Walk walk(found, false);
  for (const Start& start : combination_starts()) walk.from(start);
  return std::move(found.combinations);
}

std::vector<std::size_t> covering_pairs(const std::vector<Combination>& all) {
  Pairs pairs;
  std::vector<std::vector<std::size_t>> pairs_of;
  for (const Combination& made : all) pairs_of.push_back(pairs.of(made));
  std::vector<bool> covered(pairs.count(), false);
  std::vector<std::size_t> chosen;
  // The combinations that add most pairs come first.
  for (std::size_t gain = pairs_of.front().size(); gain > 0; --gain) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& mine = pairs_of[i];
      const auto is_new = [&](std::size_t pair) { return !covered[pair]; };
      if (std::count_if(mine.begin(), mine.end(), is_new) < std::ptrdiff_t(gain)) continue;
      for (const std::size_t pair : mine) covered[pair] = true;
      chosen.push_back(i);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

namespace {

/// The first of all that have the same text, for every text.
std::vector<std::size_t> one_of_each(const std::vector<Combination>& all,
                                     std::string (*text)(const Combination&)) {
  std::set<std::string> seen;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (seen.insert(text(all[i])).second) chosen.push_back(i);
  }
  return chosen;
}

std::string fragments_text(const Combination& made) {
  return made.terms + " | " + made.chain + " | " + made.epilogue;
}

}  // namespace

std::vector<std::size_t> fragment_sequences(const std::vector<Combination>& all) {
  return one_of_each(all, fragments_text);
}

std::vector<std::size_t> chosen_combinations(const std::vector<Combination>& all) {
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  const std::vector<std::size_t> covering = covering_pairs(all);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < covering.size(); i += request ? 1 : 5) chosen.push_back(covering[i]);
  const std::vector<std::size_t> nested = one_of_each(
      all, [](const Combination& made) { return made.levels + " | " + fragments_text(made); });
  for (std::size_t i = 0; i < nested.size(); i += request ? 1 : 96) chosen.push_back(nested[i]);
  if (request) {
    const int number = std::atoi(request);
    const std::size_t many = number > 1 ? number : 10'000;
    const std::size_t step = std::max<std::size_t>(1, all.size() / many);
    for (std::size_t i = 0; i < all.size(); i += step) chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

Result<Kernel> combination_kernel(const Combination& made, std::size_t index) {
  const Dtype dtype = index % 2 == 0 ? Dtype::f32 : Dtype::f64;
  Designer designer(combination_matrix(made.start->matrix));
  const Result<Kernel> kernel = designer.build(made.line(index), dtype, no_build_limits);
  return kernel ? kernel : designer.build(made.line(0), dtype, no_build_limits);
}

const Matrix& combination_matrix(const std::string& name) {
  static const std::map<std::string, Matrix> all = [] {
    std::vector<std::vector<std::pair<int, double>>> hard(61), equal(37);
    const auto value = [](int row, int k) { return 0.25 + (row + 3 * k) % 11; };
    for (int row = 2; row < 60; ++row) {
      const int length = row == 30 ? 140 : row >= 35 && row < 47 ? 0 : row * 5 % 4;
      for (int k = 0; k < length; ++k) {
        hard[row].emplace_back((row * 13 + k * 7) % 150, value(row, k));
      }
    }
    std::vector<std::vector<std::pair<int, double>>> symmetric(53);
    for (int row = 0; row < 53; ++row) {
      for (int col = 0; col < 53; ++col) {
        const int low = std::min(row, col), high = std::max(row, col);
        const bool is_empty = low % 10 == 3 || high % 10 == 3;
        if (is_empty || (low != 7 && (low * 5 + high * 11) % 13 > 1)) continue;
        symmetric[row].emplace_back(col, value(low, high));
      }
    }
    for (int row = 0; row < 37; ++row) {
      for (int k = 0; k < 4; ++k) equal[row].emplace_back((row + k * 11) % 45, value(row, k));
    }
    return std::map<std::string, Matrix>{{"hard", from_rows(150, hard)},
                                         {"equal", from_rows(45, equal)},
                                         {"symmetric", from_rows(53, symmetric)}};
  }();
  return all.at(name);
}

}  // namespace alphasparse
