// measured_times_test: what bench prints on a GPU is read back; everything else is refused in one
// line that names the file.
#include "tools/comparison/measured_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

using Json = nlohmann::json;

Json design(const std::string& name, const std::string& status, const Json& time_us) {
  return {{"name", name},           {"verified", status == "ok" || status == "duplicate"},
          {"design", "of " + name}, {"status", status},
          {"format_bytes", 100},    {"time_us", time_us},
          {"registers", nullptr}};
}

Json measured_json() {
  const Json designs = {design("csr-scalar", "ok", 4.5), design("ell", "pruned", nullptr),
                        design("cusparse-csr-1", "ok", 3), design("jds", "duplicate", 4.5),
                        design("coo", "ok", 6)};
  return {{"schema", 1},
          {"device", "cuda:0"},
          {"gpu", {{"name", "NVIDIA H200"}, {"arch", "sm_90"}, {"version", "driver 1"}}},
          {"kind", "measured"},
          {"dtype", "f64"},
          {"cache", "cold"},
          {"interrupted", false},
          {"matrices",
           {{{"name", "m"},
             {"fingerprints", {{"pattern", "p"}, {"values", "v"}}},
             {"a field to come", 1},
             {"designs", designs}}}}};
}

struct MeasuredTimesTest : ::testing::Test {
  MeasuredTimes read(const std::string& text) {
    set_contents(folder / "m.json", text);
    return read_measured_times((folder / "m.json").string());
  }

  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      const std::string what = error.what();
      EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 0) << what;
      EXPECT_TRUE(what.starts_with((folder / "m.json").string() + ": ")) << what;
      return what;
    }
    return "";
  }

  /// What is said of the good file with one thing changed.
  std::string refusal_with(const std::string& pointer, const Json& value) {
    Json json = measured_json();
    json[Json::json_pointer(pointer)] = value;
    return refusal(json.dump());
  }

  TestFolder folder;
};

TEST_F(MeasuredTimesTest, AreThoseOfDesignsThatAreRightAndTimedByThemselves) {
  const MeasuredTimes times = read(measured_json().dump(2));
  EXPECT_EQ(times.device.name, "cuda:0");
  EXPECT_EQ(times.device.gpu, "NVIDIA H200");
  EXPECT_EQ(times.device.kind, TimeKind::measured);
  ASSERT_EQ(times.matrices.size(), 1u);
  const MeasuredMatrix& matrix = times.matrices[0];
  EXPECT_EQ(matrix.dtype, Dtype::f64);
  EXPECT_EQ(matrix.regime, CacheRegime::cold);
  EXPECT_EQ(matrix.fingerprints.pattern, "p");
  EXPECT_EQ(matrix.fingerprints.values, "v");
  ASSERT_EQ(matrix.designs.size(), 2u);
  EXPECT_EQ(matrix.designs[0].name, "csr-scalar");
  EXPECT_EQ(matrix.designs[0].line, "of csr-scalar");
  EXPECT_EQ(matrix.designs[0].time_us, 4.5);
  EXPECT_EQ(matrix.designs[0].format_bytes, 100);
  EXPECT_EQ(matrix.designs[1].name, "coo");
  EXPECT_EQ(matrix.noisy, 0);
  EXPECT_EQ(matrix.vendors, 1);
  EXPECT_EQ(matrix.untimed, 1);
  EXPECT_EQ(matrix.duplicates, 1);
}

TEST_F(MeasuredTimesTest, NoisyOnesAreTakenAndCounted) {
  Json json = measured_json();
  for (Json& design : json["matrices"][0]["designs"]) design["noisy"] = true;
  const MeasuredTimes times = read(json.dump());
  EXPECT_EQ(times.matrices[0].designs.size(), 2u);
  EXPECT_EQ(times.matrices[0].noisy, 2) << "of those that are compared";
}

/// What bench_suite writes of two searches; an outcome has no name, and no time where it failed.
Json suite_json() {
  const auto outcome = [](const std::string& line, const std::string& status, const Json& time_us) {
    Json json = {{"design", line}, {"status", status}, {"format_bytes", 7}};
    if (!time_us.is_null()) json["time_us"] = time_us;
    return json;
  };
  const auto row = [&](const std::string& dtype, const std::string& cache, const Json& outcomes) {
    return Json{{"matrix", "m"},        {"dtype", dtype},
                {"cache", cache},       {"fingerprints", {{"pattern", "p"}, {"values", dtype}}},
                {"outcomes", outcomes}, {"vendor_outcomes", {outcome("cusparse-csr-1", "ok", 3)}}};
  };
  return {{"schema", 1},
          {"device", "cuda:0"},
          {"gpu", "NVIDIA H100"},
          {"version", "driver 2"},
          {"kind", "measured"},
          {"rows",
           {row("f32", "warm",
                {outcome("a", "ok", 2), outcome("b", "duplicate", 2), outcome("c", "pruned", {}),
                 outcome("d", "ok", 5)}),
            row("f64", "cold", Json::array())}}};
}

TEST_F(MeasuredTimesTest, AreThoseOfEverySearchOfTheSuite) {
  const MeasuredTimes times = read(suite_json().dump());
  EXPECT_EQ(times.device.gpu, "NVIDIA H100");
  EXPECT_EQ(times.device.version, "driver 2");
  ASSERT_EQ(times.matrices.size(), 2u);
  const MeasuredMatrix& matrix = times.matrices[0];
  EXPECT_EQ(matrix.name, "m");
  EXPECT_EQ(matrix.dtype, Dtype::f32);
  EXPECT_EQ(matrix.regime, CacheRegime::warm);
  ASSERT_EQ(matrix.designs.size(), 2u);
  EXPECT_EQ(matrix.designs[1].name, "d") << "a design's text is its name";
  EXPECT_EQ(matrix.designs[1].line, "d");
  EXPECT_EQ(matrix.designs[1].time_us, 5);
  EXPECT_EQ(matrix.duplicates, 1);
  EXPECT_EQ(matrix.untimed, 1);
  EXPECT_EQ(times.matrices[1].dtype, Dtype::f64);
  EXPECT_EQ(times.matrices[1].regime, CacheRegime::cold);
  EXPECT_TRUE(times.matrices[1].designs.empty());
  Json broken = suite_json();
  broken["rows"][0]["outcomes"][0].erase("design");
  EXPECT_NE(refusal(broken.dump()).find("bench_suite --json"), std::string::npos);
}

TEST_F(MeasuredTimesTest, OfManyDesignsAreKeptFastestSlowestAndBetween) {
  MeasuredMatrix matrix;
  for (const int time_us : {9, 1, 8, 2, 7, 3, 6, 4, 5}) {
    MeasuredDesign& design = matrix.designs.emplace_back();
    design.time_us = time_us;
  }
  keep_spread(matrix, 9);
  EXPECT_EQ(matrix.designs.size(), 9u);
  EXPECT_EQ(matrix.designs[0].time_us, 9) << "all are left as they are";
  keep_spread(matrix, 5);
  std::vector<double> kept;
  for (const MeasuredDesign& design : matrix.designs) kept.push_back(design.time_us);
  EXPECT_EQ(kept, (std::vector<double>{1, 3, 5, 7, 9}));
  EXPECT_EQ(matrix.beyond_bound, 4);
}

TEST_F(MeasuredTimesTest, ModelledOnesAreNone) {
  Json json = measured_json();
  json["kind"] = "modelled";
  json["device"] = "emulated:h200";
  EXPECT_NE(refusal(json.dump()).find("its times are modelled, by emulated:h200"),
            std::string::npos);
}

TEST_F(MeasuredTimesTest, WhatBenchDoesNotPrintIsRefused) {
  EXPECT_NE(refusal("").find("no JSON"), std::string::npos);
  const std::string whole = measured_json().dump();
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)).find("not whole"), std::string::npos);
  EXPECT_NE(
      refusal("[1, 2]").find("not what alphasparse bench --json or bench_suite --json prints"),
      std::string::npos);
  EXPECT_NE(refusal("{}").find("schema"), std::string::npos);
  EXPECT_NE(refusal_with("/schema", 2).find("schema is not 1"), std::string::npos);
  EXPECT_NE(refusal_with("/dtype", "f16").find("neither f32 nor f64"), std::string::npos);
  EXPECT_NE(refusal_with("/cache", "hot").find("neither warm nor cold"), std::string::npos);
  EXPECT_NE(refusal_with("/matrices", 7).find("not what"), std::string::npos);
  EXPECT_NE(refusal_with("/matrices/0/fingerprints", nullptr).find("not what"), std::string::npos);
  EXPECT_NE(refusal_with("/matrices/0/designs/0/time_us", "4.5").find("not what"),
            std::string::npos);
  for (const double time_us : {0.0, -1.0}) {
    EXPECT_NE(refusal_with("/matrices/0/designs/0/time_us", time_us).find("csr-scalar on m takes"),
              std::string::npos);
  }
  EXPECT_EQ(refusal_with("/matrices", Json::array()), "") << "an empty one is well, though empty";
  EXPECT_THROW(read_measured_times((folder / "missing").string()), Error);
}

}  // namespace
}  // namespace alphasparse
