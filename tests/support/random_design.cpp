#include "tests/support/random_design.h"

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

constexpr std::size_t branches_max = 4;
constexpr int depth_max = 2;

std::vector<std::string> values_of(const ParameterSpec& spec, const RowFacts& rows) {
  std::vector<std::string> values(spec.choices.begin(), spec.choices.end());
  if (spec.is_list) return {"2", "5", "3,9", "1,2,4"};
  if (spec.most == 0) return values;
  std::vector<std::int64_t> numbers;
  if (spec.coarse) numbers = spec.coarse(rows);
  if (spec.least == 0) {
    numbers.insert(numbers.end(), {0, 3});
  } else {
    for (const int odd : {1, 3, 5, 7}) numbers.push_back(odd * spec.least);
  }
  for (const std::int64_t number : numbers) {
    if (number <= spec.most) values.push_back(std::to_string(number));
  }
  return values;
}

/// The same, with the default of a word of CPUs in three of four: others are of few designs.
std::vector<std::string> weighed_values_of(const ParameterSpec& spec, const RowFacts& rows) {
  std::vector<std::string> values = values_of(spec, rows);
  if (spec.only_on != Target::cpu || spec.fallback.empty()) return values;
  values.insert(values.end(), 3 * (values.size() - 1) - 1, std::string(spec.fallback));
  return values;
}

/// Every combination of parameters, some of them several times; of alternatives, one at a time.
std::vector<Step> steps_of(const Operator& op, const RowFacts& rows, Target target) {
  const auto with = [&](const std::vector<Step>& steps, const ParameterSpec& spec) {
    std::vector<Step> longer;
    for (const Step& step : steps) {
      for (const std::string& value : weighed_values_of(spec, rows)) {
        longer.push_back(step);
        longer.back().parameters.push_back({std::string(spec.name), value});
      }
    }
    return longer;
  };
  const std::vector<Step> plain{{std::string(op.name), {}, {}}};
  std::vector<Step> steps;
  for (const ParameterSpec& spec : op.parameters) {
    if (!spec.one_of || !is_for(spec, target)) continue;
    for (Step& step : with(plain, spec)) steps.push_back(std::move(step));
  }
  if (steps.empty()) steps = plain;
  for (const ParameterSpec& spec : op.parameters) {
    const bool of_vectors = op.name == "launch" && spec.name == "columns";  // several at once
    if (!spec.one_of && !of_vectors && is_for(spec, target)) steps = with(steps, spec);
  }
  return steps;
}

/// Fits the number of branches to the step's parameters, if any number up to the bound does.
bool fit_branches(const Operator& op, Step& step) {
  for (std::size_t count = op.branches ? 2 : 0; count <= branches_max; ++count) {
    step.branches.resize(count);
    if (check_arguments(step).ok()) return true;
    if (!op.branches) return false;
  }
  return false;
}

class Walk {
 public:
  explicit Walk(std::mt19937_64& random) : random_(random) {}

  /// The design from this store on, or nothing where the walk has come to a dead end.
  std::optional<Design> run(Store store, int depth) {
    Design design;
    while (!store.launch.is_set()) {
      std::vector<std::vector<Step>> legal = legal_steps(store, design, depth);
      if (legal.empty()) return std::nullopt;
      const std::vector<Step>& of_one_operator = legal[below(legal.size())];
      Step step = of_one_operator[below(of_one_operator.size())];
      const Operator& op = *find_operator(step.op);
      const Arguments arguments = *check_arguments(step);
      if (!op.branches) {
        op.apply(store, arguments);
        design.steps.push_back(step);
        continue;
      }
      const Result<std::vector<Store>> parts = op.split(store, arguments);
      if (!parts) return std::nullopt;
      for (std::size_t i = 0; i < parts->size(); ++i) {
        const std::optional<Design> branch = run((*parts)[i], depth + 1);
        if (!branch) return std::nullopt;
        step.branches[i] = *branch;
      }
      design.steps.push_back(step);
      return design;
    }
    return design;
  }

 private:
  /// The steps that apply, an operator a list.
  static std::vector<std::vector<Step>> legal_steps(const Store& store, const Design& design,
                                                    int depth) {
    std::vector<std::vector<Step>> legal;
    for (const Operator* op : catalogue()) {
      const auto is_op = [&](const Step& step) { return step.op == op->name; };
      if (std::any_of(design.steps.begin(), design.steps.end(), is_op)) continue;
      if (op->branches && depth >= depth_max) continue;
      std::vector<Step> steps = steps_of(*op, store.row_facts(), store.target());
      std::erase_if(steps, [&](Step& step) {
        return !fit_branches(*op, step) || cannot_apply(*op, store, *check_arguments(step));
      });
      if (!steps.empty()) legal.push_back(std::move(steps));
    }
    return legal;
  }

  std::size_t below(std::size_t end) { return random_() % end; }

  std::mt19937_64& random_;
};

/// Fused branches have as many threads as the first of them.
void align_fused(Design& design, std::string& threads) {
  for (Step& step : design.steps) {
    for (Design& branch : step.branches) align_fused(branch, threads);
    const auto fused = [](const Parameter& given) { return given.value == "yes"; };
    if (step.op != "launch" ||
        std::none_of(step.parameters.begin(), step.parameters.end(), fused)) {
      continue;
    }
    for (Parameter& given : step.parameters) {
      if (given.name != "threads") continue;
      if (threads.empty()) threads = given.value;
      given.value = threads;
    }
  }
}

/// The faults that only the whole design shows. They are a row with more writers than a branch's
/// sink allows, or a format so full of pads or fill that no search would try it.
bool is_rejected(const Matrix& matrix, const Design& design) {
  const Dtype dtype = matrix.is_complex() ? Dtype::c64 : Dtype::f32;
  return !Designer(matrix).build(print_design(design), dtype);
}

}  // namespace

std::string random_design(const Matrix& matrix, std::uint64_t seed, Target target) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::mt19937_64 random(seed + (attempt << 32));
    std::optional<Design> design = Walk(random).run(Store(matrix, target), 0);
    if (!design) continue;
    std::string threads;
    align_fused(*design, threads);
    if (!is_rejected(matrix, *design)) return print_design(*canonical_design(*design));
  }
}

}  // namespace alphasparse
