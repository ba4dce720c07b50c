#include "search/learning/design_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>
#include <utility>

#include "operators/catalogue.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

constexpr std::array<const char*, 2> scopes = {"main", "rest"};
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

bool has_numbers(const ParameterSpec& spec) { return spec.most != 0; }

/// Names of a step's features, one after another.
template <class Take>
void for_each_step_name(const std::string& scope, const Operator& op, const Take& take) {
  const std::string prefix = scope + "." + std::string(op.name);
  take(prefix);
  for (const ParameterSpec& spec : op.parameters) {
    const std::string name = prefix + "." + std::string(spec.name);
    if (has_numbers(spec)) take(name);
    if (spec.is_list) take(name + ".items");
    for (const std::string_view choice : spec.choices) take(name + "=" + std::string(choice));
  }
}

double log2_or_0(double number) { return number > 0 ? std::log2(number) : 0; }

/// A number by its logarithm, 0 too.
float scaled(double number) { return static_cast<float>(std::log2(1 + number)); }

struct NamedNumber {
  const char* name;
  float value;
};

std::vector<NamedNumber> matrix_numbers(const Features& f) {
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  const auto plain = [](double value) { return static_cast<float>(value); };
  const Distribution &row = f.row_lengths, &col = f.col_counts;
  const auto spread = [](const Distribution& d) {
    return d.mean > 0 ? std::sqrt(d.variance) / d.mean : 0;
  };
  const auto over_mean = [](double length, const Distribution& d) {
    return d.mean > 0 ? length / d.mean : 0;
  };
  const double rows = number(f.rows), cols = number(f.cols), nnz = number(f.nnz);
  return {
      {"matrix.rows", scaled(rows)},
      {"matrix.cols", scaled(cols)},
      {"matrix.nnz", scaled(nnz)},
      {"matrix.row_length_mean", scaled(row.mean)},
      {"matrix.row_length_min", scaled(number(row.min))},
      {"matrix.row_length_max", scaled(number(row.max))},
      {"matrix.row_length_p10", scaled(number(row.quantiles[0]))},
      {"matrix.row_length_p25", scaled(number(row.quantiles[1]))},
      {"matrix.row_length_p50", scaled(number(row.quantiles[2]))},
      {"matrix.row_length_p75", scaled(number(row.quantiles[3]))},
      {"matrix.row_length_p90", scaled(number(row.quantiles[4]))},
      {"matrix.row_length_p99", scaled(number(row.quantiles[5]))},
      {"matrix.row_length_spread", plain(spread(row))},
      {"matrix.row_length_skew", plain(row.skew)},
      {"matrix.row_length_max_over_mean", scaled(over_mean(number(row.max), row))},
      {"matrix.row_length_p90_over_mean", scaled(over_mean(number(row.quantiles[4]), row))},
      {"matrix.empty_rows", plain(number(row.empty) / std::max(1.0, rows))},
      {"matrix.col_count_mean", scaled(col.mean)},
      {"matrix.col_count_max", scaled(number(col.max))},
      {"matrix.col_count_spread", plain(spread(col))},
      {"matrix.empty_cols", plain(number(col.empty) / std::max(1.0, cols))},
      {"matrix.bandwidth", plain(f.locality.bandwidth)},
      {"matrix.neighbours", plain(f.locality.neighbours)},
      {"matrix.similarity", plain(f.locality.similarity)},
      {"matrix.row_similarity", plain(f.row_similarity)},
      {"matrix.band_below", scaled(number(f.band_below))},
      {"matrix.band_above", scaled(number(f.band_above))},
      {"matrix.profile", scaled(number(f.profile) / std::max(1.0, rows))},
      {"matrix.col_gap_mean", scaled(f.col_gap_mean)},
      {"matrix.block3_full_share", plain(f.blocks[0].full_share)},
      {"matrix.block3_fill", plain(f.blocks[0].fill)},
      {"matrix.block4_full_share", plain(f.blocks[1].full_share)},
      {"matrix.block4_fill", plain(f.blocks[1].fill)},
      {"matrix.block8_full_share", plain(f.blocks[2].full_share)},
      {"matrix.block8_fill", plain(f.blocks[2].fill)},
      {"matrix.diagonals", scaled(number(f.diagonals))},
      {"matrix.fullest_diagonals", plain(f.fullest_diagonals)},
      {"matrix.pattern_symmetry", plain(f.pattern_symmetry)},
      {"matrix.value_symmetry", plain(f.value_symmetry)},
      {"matrix.distinct_values", scaled(number(f.distinct_values))},
      {"matrix.beyond_f32", plain(number(f.beyond_f32) / std::max(1.0, nnz))},
  };
}

constexpr std::array<const char*, 4> whole_names = {"steps", "branches", "depth",
                                                    "format_bytes_over_csr"};

std::string gang_name(const std::string& scope) { return scope + ".gang"; }

/// An integer that a step of the chain gives; 0 where none does.
std::int64_t given(const Design& chain, std::string_view op, std::string_view parameter) {
  for (const Step& step : chain.steps) {
    if (step.op != op) continue;
    for (const Parameter& one : step.parameters) {
      if (one.name == parameter) return std::atoll(one.value.c_str());
    }
  }
  return 0;
}

bool has_step(const Design& chain, std::string_view op) {
  return std::any_of(chain.steps.begin(), chain.steps.end(),
                     [&](const Step& step) { return step.op == op; });
}

/// Lanes of a chain that ends in tasks, as far as its text tells (Store::gang); 1: a loop.
std::optional<std::int64_t> find_gang(const Design& chain) {
  constexpr std::int64_t usual = 32, least = 8;
  if (chain.steps.empty() || chain.steps.back().op != "launch") return std::nullopt;
  if (find_target(chain) != Target::cpu) return std::nullopt;
  if (const std::int64_t lanes = given(chain, "thread_cols", "lanes")) return lanes;
  const bool interleaved = has_step(chain, "interleave");
  if (const std::int64_t tile = given(chain, "warp_nnz", "nnz")) {
    const std::int64_t count = std::max<std::int64_t>(1, given(chain, "thread_nnz", "nnz"));
    return interleaved || count == 1 ? tile / count : 1;
  }
  if (!interleaved) return 1;
  if (const std::int64_t rows = given(chain, "warp_rows", "rows")) {
    return std::max<std::int64_t>(least, std::bit_ceil(static_cast<std::uint64_t>(rows)));
  }
  return has_step(chain, "warp_rows") ? std::nullopt : std::optional(usual);
}

struct Layout {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> index;

  Layout() {
    for (const char* name : whole_names) names.push_back(name);
    for (const char* scope : scopes) {
      names.push_back(gang_name(scope));
      for (const Operator* op : catalogue()) {
        for_each_step_name(scope, *op, [&](const std::string& name) { names.push_back(name); });
      }
    }
    for (const NamedNumber& number : matrix_numbers({})) names.push_back(number.name);
    for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);
    CHECK(index.size() == names.size());
  }
};

const Layout& layout() {
  static const Layout all;
  return all;
}

/// Adds steps up, then means are taken.
class Sums {
 public:
  Sums() : sums_(layout().names.size()), counts_(layout().names.size()) {}

  void add(std::size_t index, double number) {
    sums_[index] += number;
    ++counts_[index];
  }

  /// The means. A feature that was never added is missing.
  std::vector<float> means() const {
    std::vector<float> means(sums_.size(), missing);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (counts_[i] > 0) means[i] = static_cast<float>(sums_[i] / counts_[i]);
    }
    return means;
  }

  int count(std::size_t index) const { return counts_[index]; }

 private:
  std::vector<double> sums_;
  std::vector<int> counts_;
};

bool is_choice(const ParameterSpec& spec, const std::string& text) {
  return std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end();
}

/// One pass over a design's tree.
struct Reader {
  Sums sums;
  int steps = 0, leaves = 0, depth = 0;

  /// Adds the design at this depth, or says why it is none.
  std::optional<Failure> read(const Design& design, std::size_t scope, int below) {
    depth = std::max(depth, below);
    if (const auto lanes = find_gang(design)) {
      sums.add(layout().index.at(gang_name(scopes[scope])), log2_or_0(static_cast<double>(*lanes)));
    }
    for (const Step& step : design.steps) {
      ++steps;
      const Result<Arguments> arguments = check_arguments(step);
      if (!arguments) return arguments.failure();
      add(scope, *find_operator(step.op), *arguments);
      leaves += step.op == "launch";
      for (std::size_t i = 0; i < step.branches.size(); ++i) {
        const std::size_t branch_scope = i == 0 ? scope : 1;
        if (auto reason = read(step.branches[i], branch_scope, below + 1)) return reason;
      }
    }
    return std::nullopt;
  }

  void add(std::size_t scope, const Operator& op, const Arguments& arguments) {
    const std::string prefix = scopes[scope] + ("." + std::string(op.name));
    sums.add(layout().index.at(prefix), 1);
    for (const ParameterSpec& spec : op.parameters) {
      if (!arguments.has(spec.name)) continue;
      const std::string name = prefix + "." + std::string(spec.name);
      const std::string& text = arguments.text(spec.name);
      for (const std::string_view choice : spec.choices) {
        sums.add(layout().index.at(name + "=" + std::string(choice)), choice == text);
      }
      if (is_choice(spec, text) || !has_numbers(spec)) continue;
      add_numbers(name, spec, arguments);
    }
  }

  void add_numbers(const std::string& name, const ParameterSpec& spec, const Arguments& arguments) {
    const std::vector<std::int64_t> values = arguments.integers(spec.name);
    double sum = 0;
    for (const std::int64_t value : values) {
      sum += log2_or_0(static_cast<double>(value) + (spec.least == 0));
    }
    const auto count = static_cast<double>(values.size());
    sums.add(layout().index.at(name), sum / count);
    if (spec.is_list) sums.add(layout().index.at(name + ".items"), count);
  }
};

}  // namespace

const std::vector<std::string>& design_feature_names() { return layout().names; }

std::size_t design_feature_index(const std::string& name) {
  const auto found = layout().index.find(name);
  CHECK(found != layout().index.end());
  return found->second;
}

std::vector<float> matrix_feature_numbers(const Features& matrix) {
  std::vector<float> numbers;
  for (const NamedNumber& number : matrix_numbers(matrix)) numbers.push_back(number.value);
  return numbers;
}

DesignFeatures::DesignFeatures(const Features& matrix, std::int64_t csr_bytes)
    : matrix_(matrix_feature_numbers(matrix)), csr_bytes_(static_cast<double>(csr_bytes)) {
  CHECK(csr_bytes > 0);
}

Result<std::vector<float>> DesignFeatures::of(const Design& design,
                                              std::int64_t format_bytes) const {
  Reader reader;
  if (auto reason = reader.read(design, 0, 0)) return *reason;
  std::vector<float> row = reader.sums.means();
  for (const char* scope : scopes) {
    for (const Operator* op : catalogue()) {
      const std::size_t index = layout().index.at(scope + ("." + std::string(op->name)));
      row[index] = static_cast<float>(reader.sums.count(index));
    }
  }
  row[0] = static_cast<float>(reader.steps);
  row[1] = static_cast<float>(reader.leaves);
  row[2] = static_cast<float>(reader.depth);
  if (format_bytes > 0) {
    row[3] = static_cast<float>(std::log2(static_cast<double>(format_bytes) / csr_bytes_));
  }
  std::copy(matrix_.begin(), matrix_.end(),
            row.end() - static_cast<std::ptrdiff_t>(matrix_.size()));
  return row;
}

}  // namespace alphasparse
