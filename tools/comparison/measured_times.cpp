#include "tools/comparison/measured_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/result.h"
#include "runtime/device/baseline_kernels.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(fmt::format("{}: {}", file, why));
}

Json parsed(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) refuse(file, "cannot be read");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    refuse(file,
           "is no JSON, or not whole; write it with alphasparse bench MATRIX... --json, or "
           "bench_suite --json FILE");
  }
  return json;
}

/// One of two words.
bool is_second(const Json& json, const char* key, const char* first, const char* second) {
  const std::string word = json.at(key);
  if (word == first || word == second) return word == second;
  throw Error(fmt::format("\"{}\" is neither {} nor {}", key, first, second));
}

void check_kind(const Json& json) {
  if (json.at("schema") != json_schema_version) {
    throw Error(fmt::format("its schema is not {}, which this program reads", json_schema_version));
  }
  if (json.at("kind") == time_kind_name(TimeKind::measured)) return;
  throw Error(fmt::format(
      "its times are {}, by {}; a model is compared with times that are measured on a GPU",
      json.at("kind").get<std::string>(), json.at("device").get<std::string>()));
}

/// The suite tells the GPU's name where bench has an object.
DeviceInfo device_of(const Json& json) {
  DeviceInfo device;
  device.kind = TimeKind::measured;
  device.name = json.at("device");
  const Json& gpu = json.at("gpu");
  if (gpu.is_string()) {
    device.gpu = gpu;
    device.version = json.at("version");
    return device;
  }
  device.gpu = gpu.at("name");
  device.arch = gpu.at("arch");
  device.version = gpu.at("version");
  return device;
}

/// An outcome of a search has no name of its own, and is verified where it is well.
void add_design(const Json& json, MeasuredMatrix& matrix) {
  MeasuredDesign design;
  design.line = json.at("design");
  design.name = json.value("name", design.line);
  const bool ok = json.at("status") == status_name(Status::ok);
  const auto time = json.find("time_us");
  if (find_baseline(design.name) || find_baseline(design.line)) {
    ++matrix.vendors;
  } else if (json.at("status") == status_name(Status::duplicate)) {
    ++matrix.duplicates;
  } else if (!json.value("verified", ok) || time == json.end() || time->is_null()) {
    ++matrix.untimed;
  } else {
    design.time_us = *time;
    design.format_bytes = json.at("format_bytes");
    if (!(design.time_us > 0) || !std::isfinite(design.time_us))
      throw Error(fmt::format("{} on {} takes {} us", design.name, matrix.name, design.time_us));
    matrix.noisy += json.value("noisy", false);
    matrix.designs.push_back(std::move(design));
  }
}

/// `regimes` says type and caches, `name` and `designs` are what the file calls them.
MeasuredMatrix matrix_of(const Json& json, const Json& regimes, const char* name,
                         const char* designs) {
  MeasuredMatrix matrix;
  matrix.name = json.at(name);
  matrix.dtype = is_second(regimes, "dtype", "f32", "f64") ? Dtype::f64 : Dtype::f32;
  matrix.regime =
      is_second(regimes, "cache", "warm", "cold") ? CacheRegime::cold : CacheRegime::warm;
  matrix.fingerprints = {json.at("fingerprints").at("pattern"),
                         json.at("fingerprints").at("values")};
  for (const Json& design : json.at(designs)) add_design(design, matrix);
  return matrix;
}

}  // namespace

MeasuredTimes read_measured_times(const std::string& file) {
  const Json json = parsed(file);
  MeasuredTimes times;
  times.file = file;
  try {
    check_kind(json);
    times.device = device_of(json);
    if (const auto rows = json.find("rows"); rows != json.end()) {
      for (const Json& row : *rows)
        times.matrices.push_back(matrix_of(row, row, "matrix", "outcomes"));
    } else {
      for (const Json& matrix : json.at("matrices"))
        times.matrices.push_back(matrix_of(matrix, json, "name", "designs"));
    }
  } catch (const Json::exception& error) {
    refuse(file,
           fmt::format("is not what alphasparse bench --json or bench_suite --json prints ({})",
                       error.what()));
  } catch (const Error& error) {
    refuse(file, error.what());
  }
  return times;
}

void keep_spread(MeasuredMatrix& matrix, std::size_t most) {
  CHECK(most >= 2);
  std::vector<MeasuredDesign>& designs = matrix.designs;
  if (designs.size() <= most) return;
  std::vector<std::size_t> order(designs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return designs[a].time_us < designs[b].time_us;
  });
  std::vector<MeasuredDesign> kept;
  for (std::size_t i = 0; i < most; ++i)
    kept.push_back(std::move(designs[order[i * (designs.size() - 1) / (most - 1)]]));
  matrix.beyond_bound += static_cast<std::int64_t>(designs.size() - most);
  designs = std::move(kept);
}

}  // namespace alphasparse
