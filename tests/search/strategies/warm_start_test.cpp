// warm_start_test: the designs that are taken from scripted databases - from where, in which order,
// and with which omissions.
#include "search/strategies/warm_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/version.h"
#include "runtime/system/sqlite.h"
#include "search/learning/design_features.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

const std::string stored_design =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
const std::string csr_vector =
    "compress | thread_cols lanes=32 | thread_total | warp_total | global_store | launch "
    "threads=256";
const std::string ell =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "launch threads=256";
const std::string coo =
    "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256";

std::string csr_scalar_of(int threads) {
  return "compress | thread_rows rows=1 | thread_total | global_store | launch threads=" +
         std::to_string(threads);
}

/// A matrix with rows that are all alike.
Features features_of_rows(std::int64_t rows, std::int64_t length) {
  Features features;
  features.rows = features.cols = rows;
  features.nnz = rows * length;
  features.row_lengths.min = features.row_lengths.max = length;
  features.row_lengths.mean = static_cast<double>(length);
  features.row_lengths.quantiles.fill(length);
  features.distinct_values = 1;
  return features;
}

Problem problem_of(const std::string& name) {
  Problem problem;
  problem.matrix = {"pattern of " + name, "values"};
  problem.matrix_name = name;
  problem.device = {"", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = generator_version;
  return problem;
}

Measurement stored_time(const std::string& design, double time_us) {
  Measurement measurement;
  measurement.design = design;
  measurement.verified = true;
  measurement.timing.emplace().time_us = time_us;
  return measurement;
}

struct WarmStartTest : ::testing::Test {
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);
  const Features asked = features_of_rows(1000, 8);

  void add(const Problem& problem, const std::optional<Features>& features,
           const std::vector<Measurement>& measurements, int version = features_version) {
    const std::string run = database.begin_run(problem, {60, 0, 0});
    for (const Measurement& measurement : measurements) database.record(run, measurement);
    if (!features) return;
    StoredFeatures stored{version, {}};
    for (const NamedFeature& feature : feature_list(*features))
      stored.numbers.emplace_back(feature.name, feature.value);
    database.keep_features(problem.matrix, stored);
  }

  WarmStart start(const WarmStartOptions& options = {}) {
    return warm_start(database, problem_of("mine"), asked, options);
  }
};

TEST_F(WarmStartTest, AnEmptyDatabaseKnowsNothing) {
  const WarmStart warm = start();
  EXPECT_FALSE(warm.is_elsewhere);
  EXPECT_TRUE(warm.designs.empty());
  EXPECT_TRUE(warm.rows.empty());
}

TEST_F(WarmStartTest, TheNearestComeFirstAndInTurn) {
  add(problem_of("far"), features_of_rows(100'000, 500),
      {stored_time(csr_vector, 5), stored_time(coo, 7)});
  add(problem_of("near"), features_of_rows(1100, 8),
      {stored_time(ell, 5), stored_time(stored_design, 6)});
  WarmStartOptions options;
  options.cover = 0;
  const WarmStart warm = start(options);
  EXPECT_FALSE(warm.is_elsewhere);
  EXPECT_EQ(list_texts(warm.only_designs()), (Names{ell, csr_vector, stored_design, coo}));
  EXPECT_EQ(warm.matrix_names(), (Names{"near", "far"}));
  ASSERT_EQ(warm.similar.size(), 2U);
  EXPECT_EQ(warm.similar.front().us, (std::map<std::string, double>{{ell, 5}, {stored_design, 6}}));
  EXPECT_GT(warm.similar.front().weight, warm.similar.back().weight);
  options.nearest = 1;
  EXPECT_EQ(list_texts(start(options).only_designs()), (Names{ell, stored_design}));
  options.designs_max = 1;
  EXPECT_EQ(list_texts(start(options).only_designs()), (Names{ell}));
}

TEST_F(WarmStartTest, DesignsOfOneMatrixHaveDistinctStructures) {
  add(problem_of("near"), features_of_rows(1100, 8),
      {stored_time(csr_scalar_of(512), 5), stored_time(csr_scalar_of(128), 6),
       stored_time(ell, 7)});
  WarmStartOptions options;
  options.cover = 0;
  EXPECT_EQ(list_texts(start(options).only_designs()), (Names{csr_scalar_of(512), ell}));
}

TEST_F(WarmStartTest, OtherConditionsMakeMatricesLessAlike) {
  Problem other = problem_of("other dtype");
  other.dtype = Dtype::f64;
  add(other, features_of_rows(1000, 8), {stored_time(csr_vector, 5)});
  add(problem_of("same dtype"), features_of_rows(1020, 8), {stored_time(ell, 5)});
  add(problem_of("far"), features_of_rows(100'000, 500), {stored_time(coo, 5)});
  WarmStartOptions options;
  options.cover = 0;
  EXPECT_EQ(start(options).matrix_names(), (Names{"same dtype", "other dtype", "far"}));
}

// The same pattern with other conditions, and with other values.
TEST_F(WarmStartTest, ThePatternElsewhereComesBeforeTheNearest) {
  Problem elsewhere = problem_of("mine elsewhere");
  elsewhere.matrix.pattern = problem_of("mine").matrix.pattern;
  elsewhere.dtype = Dtype::f64;
  add(elsewhere, std::nullopt, {stored_time(csr_vector, 5), stored_time(coo, 9)});
  add(problem_of("near"), features_of_rows(1000, 8), {stored_time(ell, 5)});
  const WarmStart warm = start();
  EXPECT_TRUE(warm.is_elsewhere);
  EXPECT_EQ(list_texts(warm.only_designs()), (Names{csr_vector, coo, ell}));
  EXPECT_EQ(warm.matrix_names(), (Names{"mine elsewhere", "near"}));
}

/// `mine` on a device of another kind.
Problem stored_on_cpu(const std::string& name, int threads) {
  Problem problem = problem_of(name);
  problem.device = {"", "some processor", TimeKind::measured, std::to_string(threads) + " threads",
                    "x86-64"};
  problem.device.target = Target::cpu;
  return problem;
}

const std::string cpu_scalar =
    "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes";
const std::string cpu_ell =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "launch tasks=bytes";

// Its own target's devices first, then the others in its words.
TEST_F(WarmStartTest, DesignsOfOtherDevicesComeInTheTargetsWords) {
  add(problem_of("mine"), asked,
      {stored_time(csr_scalar_of(512), 5), stored_time(csr_scalar_of(64), 6)});
  add(stored_on_cpu("mine", 1), asked, {stored_time(cpu_ell, 50)});
  const WarmStart cpu = warm_start(database, stored_on_cpu("mine", 2), asked);
  EXPECT_TRUE(cpu.is_elsewhere);
  EXPECT_EQ(list_texts(cpu.only_designs()), (Names{cpu_ell, cpu_scalar}));
  Problem other_gpu = problem_of("mine");
  other_gpu.device.gpu = "a100";
  const WarmStart gpu = warm_start(database, other_gpu, asked);
  EXPECT_EQ(list_texts(gpu.only_designs()), (Names{csr_scalar_of(512), ell}));
}

TEST_F(WarmStartTest, NoMoreOfOtherDevicesThanThereArePlaces) {
  for (int i = 0; i < 9; ++i) {
    Problem problem = problem_of("mine");
    problem.device.gpu = "gpu " + std::to_string(i);
    add(problem, asked, {stored_time(stored_design, 5), stored_time(ell, 6), stored_time(coo, 7)});
    add(problem_of("other " + std::to_string(i)), features_of_rows(900 + i, 8),
        {stored_time(csr_vector, 5), stored_time(ell, 6)});
  }
  WarmStartOptions options;
  options.designs_max = 2;
  const WarmStart cpu = warm_start(database, stored_on_cpu("mine", 1), asked, options);
  EXPECT_EQ(cpu.designs.size(), 2U);
  for (const std::string& design : list_texts(cpu.only_designs()))
    EXPECT_NE(design.find("tasks=bytes"), std::string::npos) << design;
}

TEST_F(WarmStartTest, TimesOfAnotherTargetTeachNoModel) {
  add(problem_of("mine"), asked, {stored_time(stored_design, 5), stored_time(ell, 6)});
  add(problem_of("near"), features_of_rows(1100, 8), {stored_time(csr_vector, 5)});
  const WarmStart cpu = warm_start(database, stored_on_cpu("mine", 1), asked);
  EXPECT_FALSE(cpu.designs.empty());
  EXPECT_TRUE(cpu.rows.empty());
  add(stored_on_cpu("near", 1), features_of_rows(1100, 8),
      {stored_time(cpu_ell, 5), stored_time(cpu_scalar, 7)});
  EXPECT_EQ(warm_start(database, stored_on_cpu("mine", 1), asked).rows.size(), 2U);
  EXPECT_EQ(start().rows.size(), 1U) << "of the matrix nearby, on a GPU";
}

TEST_F(WarmStartTest, TheProblemItselfIsNotElsewhere) {
  add(problem_of("mine"), asked, {stored_time(csr_vector, 5)});
  EXPECT_TRUE(start().designs.empty());
}

TEST_F(WarmStartTest, PatternsLeftOutWereNeverSeen) {
  Problem elsewhere = problem_of("mine");
  elsewhere.dtype = Dtype::f64;
  add(elsewhere, asked, {stored_time(csr_vector, 5)});
  add(problem_of("near"), features_of_rows(1100, 8), {stored_time(ell, 5)});
  add(problem_of("other"), features_of_rows(1200, 8), {stored_time(coo, 5)});
  WarmStartOptions options;
  options.patterns_left_out = {"pattern of mine", "pattern of near"};
  const WarmStart warm = start(options);
  EXPECT_FALSE(warm.is_elsewhere);
  EXPECT_EQ(list_texts(warm.only_designs()), (Names{coo}));
  for (const TrainingRow& row : warm.rows) EXPECT_EQ(row.problem, 1);
}

// Three far matrices have winners of their own, and one design that serves them all.
TEST_F(WarmStartTest, FarFromAllTheCoverComesFirst) {
  const std::vector<std::string> winners = {csr_vector, ell, coo};
  for (std::size_t i = 0; i < winners.size(); ++i) {
    add(problem_of("m" + std::to_string(i)), features_of_rows(100'000 << i, 500),
        {stored_time(winners[i], 10), stored_time(stored_design, 10.4)});
  }
  WarmStartOptions options;
  options.far = 0.1;
  EXPECT_EQ(list_texts(start(options).only_designs()).front(), stored_design);
  options.far = 100;
  EXPECT_EQ(list_texts(start(options).only_designs()),
            (Names{csr_vector, ell, coo, stored_design}));
  options.designs_max = 3;
  options.cover = 1;
  EXPECT_EQ(list_texts(start(options).only_designs()), (Names{csr_vector, ell, stored_design}))
      << "a place is kept for it";
}

TEST_F(WarmStartTest, TheNextNumberOfVectorsComesBeforeOtherConditions) {
  const auto add_of = [&](int vectors, const std::string& gpu, const std::string& design) {
    Problem problem = problem_of("mine");
    problem.options += vectors_option(vectors);
    problem.device.gpu = gpu;
    add(problem, asked, {stored_time(design, 5)});
  };
  add_of(1, "a100", ell);
  add_of(64, "h200", coo);
  add_of(4, "h200", csr_vector + " columns=4");
  EXPECT_EQ(list_texts(start().only_designs()), (Names{csr_vector, coo, ell}));
}

TEST_F(WarmStartTest, WhatCannotBeUsedIsLeftOut) {
  add(problem_of("no features"), std::nullopt, {stored_time(csr_vector, 5)});
  add(problem_of("stale"), features_of_rows(1000, 8), {stored_time(csr_vector, 5)},
      features_version + 1);
  Problem vendor = problem_of("vendor");
  vendor.options = vendor_options;
  add(vendor, features_of_rows(1000, 8), {stored_time(csr_vector, 5)});
  Measurement wrong = stored_time(csr_vector, 5);
  wrong.status = Status::wrong_result;
  wrong.verified = false;
  add(problem_of("wrong"), features_of_rows(1001, 8), {wrong});
  add(problem_of("near"), features_of_rows(1100, 8),
      {stored_time("once_an_operator | launch threads=256", 1), stored_time(ell, 5)});
  const WarmStart warm = start();
  EXPECT_EQ(list_texts(warm.only_designs()), (Names{ell}));
  EXPECT_EQ(warm.rows.size(), 1U);
  Sqlite(path).run("UPDATE matrix_features SET numbers = x'0102'");
  EXPECT_TRUE(start().designs.empty());
}

TEST_F(WarmStartTest, RowsAreOfDesignFeaturesAndWeighLessWithDistance) {
  Problem elsewhere = problem_of("mine");
  elsewhere.regime = CacheRegime::cold;
  add(elsewhere, asked, {stored_time(csr_vector, 5)});
  const Features far = features_of_rows(100'000, 500);
  Measurement crashed = stored_time(coo, 1);
  crashed.status = Status::crash;
  crashed.timing.reset();
  add(problem_of("far"), far, {stored_time(ell, 5), crashed});
  add(problem_of("near"), features_of_rows(1100, 8), {stored_time(ell, 6)});
  const WarmStart warm = start();
  ASSERT_EQ(warm.rows.size(), 4U);
  EXPECT_LT(warm.rows[0].weight, 1);
  EXPECT_GT(warm.rows[0].weight, 0.3) << "the same pattern";
  EXPECT_GT(warm.rows[1].weight, warm.rows[2].weight) << "the nearer one";
  EXPECT_EQ(warm.rows[2].problem, 3);
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const std::vector<float> expected = *DesignFeatures(far, 1).of(parse_design(ell).value());
  ASSERT_EQ(warm.rows[2].features.size(), expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), warm.rows[2].features.begin(), same));
  EXPECT_EQ(warm.rows[2].time_us, 5);
  EXPECT_FALSE(warm.rows[3].time_us) << "it failed";
}

TEST_F(WarmStartTest, OfManyRowsTheFastestAndSomeOfAllOthers) {
  std::vector<Measurement> measurements;
  for (int threads = 32; threads <= 1024; threads += 32)
    measurements.push_back(stored_time(csr_scalar_of(threads), threads));
  add(problem_of("near"), features_of_rows(1100, 8), measurements);
  WarmStartOptions options;
  options.rows_max = 8;
  const WarmStart warm = start(options);
  std::vector<double> times;
  for (const TrainingRow& row : warm.rows) times.push_back(*row.time_us);
  EXPECT_EQ(times, (std::vector<double>{32, 64, 96, 128, 160, 384, 608, 832}));
}

}  // namespace
}  // namespace alphasparse
