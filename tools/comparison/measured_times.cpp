#include "tools/comparison/measured_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "generator/result.h"
#include "runtime/device/vendor_kernels.h"
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
    refuse(file, "is no JSON, or not whole; write it with alphasparse bench MATRIX... --json");
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

DeviceInfo device_of(const Json& json) {
  DeviceInfo device;
  device.kind = TimeKind::measured;
  device.name = json.at("device");
  device.gpu = json.at("gpu").at("name");
  device.arch = json.at("gpu").at("arch");
  device.version = json.at("gpu").at("version");
  return device;
}

void add_design(const Json& json, MeasuredMatrix& matrix) {
  MeasuredDesign design;
  design.name = json.at("name");
  design.line = json.at("design");
  const auto time = json.find("time_us");
  if (find_vendor_algorithm(design.name) || find_vendor_algorithm(design.line)) {
    ++matrix.vendors;
  } else if (json.at("status") == status_name(Status::duplicate)) {
    ++matrix.duplicates;
  } else if (!json.at("verified").get<bool>() || time == json.end() || time->is_null()) {
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

MeasuredMatrix matrix_of(const Json& json) {
  MeasuredMatrix matrix;
  matrix.name = json.at("name");
  matrix.fingerprints = {json.at("fingerprints").at("pattern"),
                         json.at("fingerprints").at("values")};
  for (const Json& design : json.at("designs")) add_design(design, matrix);
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
    times.dtype = is_second(json, "dtype", "f32", "f64") ? Dtype::f64 : Dtype::f32;
    times.regime = is_second(json, "cache", "warm", "cold") ? CacheRegime::cold : CacheRegime::warm;
    for (const Json& matrix : json.at("matrices")) times.matrices.push_back(matrix_of(matrix));
  } catch (const Json::exception& error) {
    refuse(file, fmt::format("is not what alphasparse bench --json prints ({})", error.what()));
  } catch (const Error& error) {
    refuse(file, error.what());
  }
  return times;
}

}  // namespace alphasparse
