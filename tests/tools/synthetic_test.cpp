// synthetic: matrices come out with the statistics asked for, and the same everywhere.
#include "tools/synthetic/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <set>
#include <string>

#include "base/random.h"
#include "search/learning/features.h"
#include "tools/synthetic/logarithms.h"
#include "tools/synthetic/row_lengths.h"
#include "tools/synthetic/steering.h"

namespace alphasparse {

void PrintTo(const Archetype& archetype, std::ostream* out) { *out << archetype.name; }
void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.name; }

namespace {

Matrix made(const SyntheticOptions& options) {
  Result<Matrix> matrix = synthetic_matrix(options);
  if (!matrix) {
    ADD_FAILURE() << matrix.reason();
    return Matrix{1, 1, {0, 0}, {}, {}};
  }
  EXPECT_EQ(check_canonical(*matrix), "");
  return std::move(*matrix);
}

std::string reason(const SyntheticOptions& options) {
  const Result<Matrix> matrix = synthetic_matrix(options);
  return matrix ? "" : matrix.reason();
}

/// An archetype of some 20,000 rows (of 2,000 where they are long).
SyntheticOptions small(const Archetype& archetype) {
  SyntheticOptions options = archetype.defaults;
  const double scale = (options.mean > 100 ? 2000.0 : 20000.0) / static_cast<double>(options.rows);
  options.rows = std::llround(static_cast<double>(options.rows) * scale);
  options.cols = std::llround(static_cast<double>(options.cols) * scale);
  if (options.kind == ArchetypeKind::circuit) options.std = 30, options.skew = 500;
  return options;
}

double longest_asked(const SyntheticOptions& options) { return options.mean * (1 + options.skew); }

/// Means and deviations to 3 %, the longest row to a block, bandwidth to 5 %, similarity to 0.01.
/// Neighbours to 0.01, plus the chance neighbours of long rows in few columns.
void expect_statistics(const SyntheticOptions& options, const Matrix& matrix) {
  const int side = find_archetype(options.kind).side;
  EXPECT_EQ(matrix.rows, options.rows);
  EXPECT_EQ(matrix.cols, options.cols);
  std::vector<std::int32_t> lengths;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) > 0) lengths.push_back(matrix.row_length(row));
  }
  const auto empty = matrix.rows - static_cast<std::int64_t>(lengths.size());
  const Distribution rows = make_distribution(std::move(lengths), empty);
  EXPECT_NEAR(rows.mean, options.mean, 0.01 * options.mean);
  EXPECT_NEAR(std::sqrt(rows.variance), options.std, 0.03 * options.std + 0.01);
  EXPECT_NEAR(static_cast<double>(rows.max), longest_asked(options), side);
  const Locality locality = find_locality(matrix);
  EXPECT_NEAR(locality.bandwidth, options.bandwidth, 0.05 * options.bandwidth);
  EXPECT_NEAR(locality.similarity, options.similarity, 0.01);
  const double squares = (rows.variance + rows.mean * rows.mean) / rows.mean;
  const double chance = 2 * squares / static_cast<double>(matrix.cols) / options.bandwidth;
  EXPECT_NEAR(locality.neighbours, options.neighbours,
              0.01 + (options.neighbours < 0.2 ? chance : 0));
}

class Archetypes : public testing::TestWithParam<Archetype> {};

TEST_P(Archetypes, HaveTheStatisticsAskedFor) {
  const SyntheticOptions options = small(GetParam());
  expect_statistics(options, made(options));
}

TEST_P(Archetypes, FollowOtherStatistics) {
  SyntheticOptions options = small(GetParam());
  options.seed = 7;
  const bool grid = options.kind == ArchetypeKind::stencil;
  options.mean = grid ? 24 : options.mean * 1.5;
  options.std = grid ? 2 : options.std * 1.4;
  options.skew = grid ? 0.125 : options.skew;
  options.bandwidth = std::min(0.8, options.bandwidth * 1.5);
  options.neighbours = std::min(1.85, options.neighbours + 0.2);
  options.similarity =
      options.similarity > 0.8 ? options.similarity - 0.08 : options.similarity + 0.1;
  expect_statistics(options, made(options));
}

TEST_P(Archetypes, AreMadeOfTheirBlocks) {
  const SyntheticOptions options = small(GetParam());
  const double full = compute_features(made(options)).blocks[0].full_share;
  if (GetParam().side == 3) {
    EXPECT_GT(full, 0.999);
  } else {
    EXPECT_LT(full, 0.5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Archetypes, testing::ValuesIn(archetypes()),
                         [](const auto& info) { return std::string(info.param.name); });

class Twins : public testing::TestWithParam<Twin> {};

TEST_P(Twins, HaveTheirStatisticsAtASmallScale) {
  const double rows = static_cast<double>(GetParam().rows);
  const SyntheticOptions options = twin_options(GetParam(), rows > 1e7   ? 0.01
                                                            : rows < 1e4 ? 0.05
                                                                         : 0.03);
  expect_statistics(options, made(options));
}

TEST_P(Twins, AreLargerThanAnyCache) {
  const Twin& twin = GetParam();
  EXPECT_GT(twin.nnz * 8 + twin.rows * 4, 60'000'000) << "in CSR of float32";
  const SyntheticOptions options = twin_options(twin, 1);
  EXPECT_EQ(options.rows, twin.rows);
  EXPECT_EQ(std::llround(options.mean * static_cast<double>(options.rows)), twin.nnz);
  EXPECT_EQ(std::llround(longest_asked(options)), twin.longest);
}

INSTANTIATE_TEST_SUITE_P(All, Twins, testing::ValuesIn(twins()), [](const auto& info) {
  std::string name(info.param.name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(SyntheticNumbers, LogarithmsAndPowers) {
  for (const double number : {1e-9, 0.3, 0.70710678118654752, 1.0, 1.5, 3e8})
    EXPECT_NEAR(synthetic::compute_log2(number), std::log2(number), 1e-13);
  EXPECT_EQ(synthetic::compute_log2(8), 3);
  for (const double exponent : {-900.25, -1.0, 0.0, 0.5, 37.123})
    EXPECT_NEAR(synthetic::compute_exp2(exponent) / std::exp2(exponent), 1, 1e-13);
}

TEST(SyntheticNumbers, RandomNumbersStayInTheirRange) {
  Random random(5, 1), other(5, 2);
  std::array<int, 3> counts = {};
  double sum = 0;
  for (int i = 0; i < 3000; ++i) {
    ++counts.at(static_cast<std::size_t>(random.below(3)));
    sum += static_cast<double>(random.round(-1.25));
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);
  EXPECT_NEAR(sum / 3000, -1.25, 0.05);
  EXPECT_NE(random.bits(), other.bits());
}

TEST(SyntheticLengths, GiantsStandApart) {
  synthetic::LengthRequest request{10000, 8, 60, 1, 4000};
  const auto lengths = synthetic::lengths_with_giants(request);
  ASSERT_TRUE(lengths.ok()) << lengths.reason();
  ASSERT_EQ(lengths->size(), 10000u);
  EXPECT_EQ(lengths->back(), 4000);
  EXPECT_EQ(
      std::count_if(lengths->begin(), lengths->end(), [](int l) { return l > 32 && l <= 64; }), 0);
  request.most = 100;
  EXPECT_FALSE(synthetic::lengths_with_giants(request).ok());
}

TEST(SyntheticLengths, ShufflingKeepsStretchesTogether) {
  Random random(1, 1);
  std::vector<std::int32_t> ascending(100);
  for (int i = 0; i < 100; ++i) ascending[static_cast<std::size_t>(i)] = 1 + i / 10;
  const auto lengths = synthetic::shuffled_lengths(ascending, 10, random);
  EXPECT_NE(lengths, ascending);
  for (std::size_t row = 0; row < 100; ++row)
    EXPECT_EQ(lengths[row], lengths[row / 10 * 10]) << row;
  auto sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, ascending);
}

TEST(SyntheticSteering, LikenessOfBlocksCountsTheirSides) {
  const synthetic::Columns before = {1, 4, 7};
  EXPECT_DOUBLE_EQ(synthetic::find_likeness(before, {1, 5, 9}, 1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(synthetic::find_likeness(before, {1, 5, 9}, 3), 4.0 / 9);
  EXPECT_DOUBLE_EQ(synthetic::find_likeness(before, {3, 5}, 3), 2.0 / 9);
  EXPECT_DOUBLE_EQ(synthetic::find_likeness(before, {3, 5}, 1), 1.0 / 3);
  EXPECT_EQ(synthetic::pair_count({1, 2, 3, 5, 6}), 3);
}

TEST(Synthetic, ThereIsATwinOfEveryArchetype) {
  std::set<std::string_view> kinds;
  for (const Twin& twin : twins()) kinds.insert(find_archetype(twin.kind).name);
  EXPECT_EQ(kinds.size(), archetypes().size());
  for (const Archetype& archetype : archetypes()) {
    EXPECT_EQ(&find_archetype(archetype.defaults.kind), &archetype);
  }
}

TEST(Synthetic, StencilsAreFewDiagonals) {
  SyntheticOptions options = small(find_archetype(ArchetypeKind::stencil));
  const Features features = compute_features(made(options));
  EXPECT_LT(features.diagonals, options.rows / 20) << "the borders have their own";
  EXPECT_GT(features.fullest_diagonals, 0.95);
}

TEST(Synthetic, CircuitsHaveGiantRowsAndColumns) {
  const Features features = compute_features(made(small(find_archetype(ArchetypeKind::circuit))));
  EXPECT_GT(features.row_lengths.max, features.rows / 10);
  EXPECT_GT(features.col_counts.max, features.rows / 10);
  EXPECT_LE(features.row_lengths.quantiles[5], 30) << "all but 1 % are short";
  EXPECT_EQ(features.diagonal_entries, features.rows);
}

TEST(Synthetic, GraphsHaveHubs) {
  SyntheticOptions options = small(find_archetype(ArchetypeKind::rmat));
  options.similarity = 0.15;
  const Features graph = compute_features(made(options));
  options.kind = ArchetypeKind::uniform;
  const Features even = compute_features(made(options));
  EXPECT_GT(graph.col_counts.variance, 4 * even.col_counts.variance);
}

TEST(Synthetic, ClumpsLieOnTheDiagonal) {
  const SyntheticOptions options = small(find_archetype(ArchetypeKind::chemistry));
  const Matrix matrix = made(options);
  std::int64_t near = 0;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz)
      near += std::abs(matrix.col[nz] - row) <= 2 * std::max(matrix.row_length(row), 20);
  }
  EXPECT_GT(static_cast<double>(near), 0.6 * static_cast<double>(matrix.nnz()));
}

TEST(Synthetic, ValuesAreRandomOnesOrFew) {
  SyntheticOptions options = small(find_archetype(ArchetypeKind::road));
  const Matrix random = made(options);
  options.values = SyntheticValues::ones;
  const Matrix ones = made(options);
  options.values = SyntheticValues::few;
  const Matrix few = made(options);
  EXPECT_EQ(random.col, ones.col) << "values do not change the pattern";
  EXPECT_EQ(random.col, few.col);
  EXPECT_GT(compute_features(random).distinct_values, random.nnz() * 99 / 100);
  EXPECT_EQ(compute_features(ones).distinct_values, 1);
  EXPECT_EQ(compute_features(few).distinct_values, 8);
  EXPECT_EQ(compute_features(few).beyond_f32, 0);
  options.dtype = Dtype::c64;
  const Matrix complex = made(options);
  EXPECT_EQ(complex.col, few.col);
  EXPECT_EQ(complex.value, few.value) << "real parts stay";
  ASSERT_EQ(complex.imag.size(), few.value.size());
  EXPECT_NE(complex.imag, few.value);
  EXPECT_EQ(compute_features(complex).distinct_values, 64);
  EXPECT_EQ(compute_features(complex).beyond_f32, 0);
  EXPECT_EQ(check_canonical(complex), "");
}

TEST(Synthetic, TheSeedChangesThePattern) {
  SyntheticOptions options = small(find_archetype(ArchetypeKind::uniform));
  const Fingerprints first = fingerprints(made(options));
  EXPECT_EQ(fingerprints(made(options)).pattern, first.pattern);
  options.seed = 1;
  const Fingerprints other = fingerprints(made(options));
  EXPECT_NE(other.pattern, first.pattern);
  EXPECT_NE(other.values, first.values);
}

TEST(Synthetic, TheSmallestMatrices) {
  for (const Archetype& archetype : archetypes()) {
    SyntheticOptions options;
    options.kind = archetype.defaults.kind;
    options.rows = options.cols = archetype.side;
    options.mean = archetype.side;
    options.neighbours = 2.0 * (archetype.side - 1) / archetype.side;
    options.similarity = archetype.side == 1 ? 0 : 2.0 / 3;
    const Matrix matrix = made(options);
    EXPECT_EQ(matrix.nnz(), archetype.side * archetype.side) << archetype.name;
    options.rows = 5, options.cols = 7, options.mean = 3;
    EXPECT_EQ(made(options).nnz(), 15) << archetype.name;
    options.mean = 0;
    EXPECT_EQ(made(options).nnz(), 0) << archetype.name;
  }
}

TEST(Synthetic, FullRowsAreFull) {
  SyntheticOptions options;
  options.kind = ArchetypeKind::rmat;
  options.rows = 40, options.cols = 50, options.mean = 50;
  options.bandwidth = 1, options.neighbours = 2, options.similarity = 1;
  EXPECT_EQ(made(options).nnz(), 2000);
}

TEST(Synthetic, RefusesWhatCannotBe) {
  const SyntheticOptions good = small(find_archetype(ArchetypeKind::uniform));
  const auto refused = [&](auto change) {
    SyntheticOptions options = good;
    change(options);
    return reason(options);
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& o) { o.rows = 0; }),
            "--rows of uniform is from 1 to 2147483647, not 0");
  EXPECT_EQ(refused([](auto& o) { o.mean = 1e9; }),
            "--mean of uniform is from 0 to 20000, not 1000000000");
  EXPECT_EQ(refused([](auto& o) { o.std = NAN; }),
            "--std of uniform is from 0 to 2147483647, not nan");
  EXPECT_EQ(refused([](auto& o) { o.bandwidth = 1.5; }),
            "--bandwidth of uniform is from 0 to 1, not 1.5");
  EXPECT_EQ(refused([](auto& o) { o.kind = ArchetypeKind::fem; }),
            "--neighbours of fem is from 1.333 to 2, not 0");
  EXPECT_EQ(refused([](auto& o) { o.skew = 5000; }),
            "--mean 20 and --skew 5000 make a row of 100020 entries, more than the 20000 columns");
  EXPECT_NE(
      refused([](auto& o) { o.std = 500; }).find("--std and --skew do not go together: rows of"),
      std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.std = 0, o.skew = 900; }).find("deviate by"),
            std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.rows = 2'000'000'000; }).find("a matrix holds 2147483647"),
            std::string::npos);
}

TEST(Synthetic, AnyOptionsGiveAMatrixOrAReason) {
  Random random(1, 1);
  int matrices = 0;
  for (int i = 0; i < 320; ++i) {
    const Archetype& archetype = archetypes()[static_cast<std::size_t>(i) % archetypes().size()];
    const double inside = static_cast<double>(archetype.side - 1) / archetype.side;
    SyntheticOptions options;
    options.kind = archetype.defaults.kind;
    options.rows = 1 + random.below(200);
    options.cols = 1 + random.below(i % 3 == 0 ? 40 : 2000);
    options.mean =
        random.fraction() * static_cast<double>(std::min<std::int64_t>(options.cols, 60));
    options.std = random.below(4) == 0 ? 0 : random.fraction() * options.mean;
    options.skew = random.below(3) == 0 ? 0 : random.fraction() * 4;
    options.bandwidth = random.fraction();
    options.neighbours = 2 * (inside + (1 - inside) * random.fraction());
    options.similarity = inside + (1 - inside) * random.fraction();
    options.seed = random.bits();
    const Result<Matrix> matrix = synthetic_matrix(options);
    if (!matrix) {
      EXPECT_TRUE(matrix.reason().starts_with("--")) << matrix.reason();
      continue;
    }
    ++matrices;
    EXPECT_EQ(check_canonical(*matrix), "") << archetype.name << " " << i;
  }
  EXPECT_GT(matrices, 80);
}

/// Fingerprints of each archetype's small matrix: with every compiler and on every machine.
struct Golden {
  std::string_view name;
  const char* pattern;
  const char* values;
};

const Golden golden[] = {
    {"fem", "875000fb11f1ccb0c88989bd708042ff", "164920e750889c816528fba74093f633"},
    {"stencil", "5232bcc170704d22aa6f6488fa3df3b3", "f4638a9f58dec56c3e310cee6956dd3e"},
    {"chemistry", "0b9728adbb7c3aafbb72d3837cd6c21f", "3371aed933fb4d5ccd1e7a7edc7ca2d9"},
    {"circuit", "eed3259e0b08ae5f48821d848ceba5ef", "4c2d8d33f95068669e83466b33a49b04"},
    {"rmat", "afd2bd906df81ecc94a1b864d870637a", "a1791e956d0a22df587b6b5ca638ca44"},
    {"road", "492f0418740100f58717c42d086e641c", "5f392a85f47d8113013421bb67ada01d"},
    {"lp", "a38a2cee1a2f94ebe614e7523806febb", "e735215b8c99578dda00cd5c77c94bd9"},
    {"uniform", "31cc9dcc14a46e7e75d9b0411e9bce29", "4196a94f2eac8f88215d598421770031"},
};

TEST(Synthetic, FingerprintsAreTheSameEverywhere) {
  ASSERT_EQ(std::size(golden), archetypes().size());
  for (std::size_t i = 0; i < archetypes().size(); ++i) {
    EXPECT_EQ(golden[i].name, archetypes()[i].name);
    const Fingerprints prints = fingerprints(made(small(archetypes()[i])));
    EXPECT_EQ(prints.pattern, golden[i].pattern) << golden[i].name;
    EXPECT_EQ(prints.values, golden[i].values) << golden[i].name;
  }
}

}  // namespace
}  // namespace alphasparse
