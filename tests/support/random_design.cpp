#include "tests/support/random_design.h"

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "operators/catalogue.h"

namespace alphasparse {

namespace {

std::vector<std::string> values_of(const ParameterSpec& spec, const RowFacts& rows) {
  std::vector<std::string> values(spec.words.begin(), spec.words.end());
  if (spec.most == 0) return values;
  std::vector<std::int64_t> numbers;
  if (spec.coarse) numbers = spec.coarse(rows);
  for (const int odd : {1, 3, 5, 7}) numbers.push_back(odd * spec.least);
  for (const std::int64_t number : numbers) {
    if (number <= spec.most) values.push_back(std::to_string(number));
  }
  return values;
}

/// Every combination of parameters; of alternatives, one at a time.
std::vector<Step> steps_of(const Operator& op, const RowFacts& rows) {
  std::vector<Step> steps{{std::string(op.name), {}, {}}};
  std::vector<Step> alternatives;
  for (const ParameterSpec& spec : op.parameters) {
    std::vector<Step> longer;
    for (const Step& step :
         spec.one_of ? std::vector<Step>{{std::string(op.name), {}, {}}} : steps) {
      for (const std::string& value : values_of(spec, rows)) {
        longer.push_back(step);
        longer.back().parameters.push_back({std::string(spec.name), value});
      }
    }
    if (spec.one_of) {
      alternatives.insert(alternatives.end(), longer.begin(), longer.end());
    } else {
      steps = longer;
    }
  }
  return alternatives.empty() ? steps : alternatives;
}

class Walk {
 public:
  Walk(const Matrix& matrix, std::uint64_t seed) : store_(matrix), random_(seed) {}

  /// The design, or nothing where the walk has come to a dead end.
  std::optional<Design> run() {
    while (store_.launch.threads == 0) {
      const std::vector<std::vector<Step>> legal = legal_steps();
      if (legal.empty()) return std::nullopt;
      const std::vector<Step>& of_one_operator = legal[below(legal.size())];
      take(of_one_operator[below(of_one_operator.size())]);
    }
    return design_;
  }

 private:
  /// The steps that apply, an operator a list.
  std::vector<std::vector<Step>> legal_steps() {
    std::vector<std::vector<Step>> legal;
    for (const Operator* op : catalogue()) {
      const auto is_op = [&](const Step& step) { return step.op == op->name; };
      if (std::any_of(design_.steps.begin(), design_.steps.end(), is_op)) continue;
      std::vector<Step> steps = steps_of(*op, store_.row_facts());
      std::erase_if(steps, [&](const Step& step) {
        const Result<Arguments> arguments = check_arguments(step);
        return !arguments || cannot_apply(*op, store_, *arguments);
      });
      if (!steps.empty()) legal.push_back(std::move(steps));
    }
    return legal;
  }

  void take(const Step& step) {
    find_operator(step.op)->apply(store_, *check_arguments(step));
    design_.steps.push_back(step);
  }

  std::size_t below(std::size_t end) { return random_() % end; }

  Store store_;
  Design design_;
  std::mt19937_64 random_;
};

}  // namespace

std::string random_design(const Matrix& matrix, std::uint64_t seed) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::optional<Design> design = Walk(matrix, seed + (attempt << 32)).run();
    if (design) return print_design(*canonical_design(*design));
  }
}

}  // namespace alphasparse
