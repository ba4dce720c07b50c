#include "runtime/formats/kernel_metadata.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/formats/expression_json.h"
#include "templates/host/format_reader.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

std::string arrays_json(const Kernel& kernel) {
  Json arrays = Json::array();
  for (const Array& array : kernel.arrays) {
    arrays.push_back({{"name", array.name},
                      {"dtype", element_safetensors_name(array.type)},
                      {"shape", element_shape(array.type, array.count)},
                      {"layout", array.doc}});
    if (array.is_dictionary()) arrays.back()["dictionary"] = true;
    if (array.rounded) arrays.back()["rounded"] = true;
  }
  return arrays.dump(-1, ' ', true);
}

std::string computed_json(const Kernel& kernel) {
  Json computed = Json::array();
  for (const ComputedArray& array : kernel.computed) {
    computed.push_back({{"name", array.name},
                        {"shape", {array.count}},
                        {"layout", array.doc},
                        {"how", array.how},
                        {"entry", expression_json(array.entry)}});
  }
  return computed.dump(-1, ' ', true);
}

std::string steps_json(const Kernel& kernel) {
  Json steps = Json::array();
  for (const StepWalk& walk : kernel.steps) {
    steps.push_back({{"name", walk.name},
                     {"first", expression_json(walk.first)},
                     {"step", expression_json(walk.step)},
                     {"first_thread", expression_json(walk.first_thread)},
                     {"first_position", expression_json(walk.first_position)},
                     {"parents", walk.parents},
                     {"stride", walk.stride},
                     {"pad", walk.pad}});
  }
  return steps.dump(-1, ' ', true);
}

std::string workspaces_json(const Kernel& kernel) {
  Json workspaces = Json::array();
  for (const Workspace& scratch : kernel.workspaces) {
    workspaces.push_back({{"name", scratch.name},
                          {"dtype", element_safetensors_name(scratch.type)},
                          {"shape", element_shape(scratch.type, scratch.count)},
                          {"pointer", scratch.pointer},
                          {"layout", scratch.doc}});
  }
  return workspaces.dump(-1, ' ', true);
}

std::string launches_json(const Kernel& kernel) {
  Json launches = Json::array();
  for (const Launch& launch : kernel.launches) {
    Json& entry = launches.emplace_back(
        Json{{"kernel", launch.kernel}, {"blocks", launch.blocks}, {"threads", launch.threads}});
    if (kernel.vectors > 1) entry["first_column"] = launch.first_column;
  }
  return launches.dump(-1, ' ', true);
}

/// Entries of all value arrays, with pads.
std::int64_t stored_entries(const std::vector<Array>& arrays) {
  std::int64_t stored = 0;
  for (const Array& array : arrays) stored += array.is_value() ? array.count : 0;
  return stored;
}

}  // namespace

Metadata kernel_metadata(const Kernel& kernel, const Fingerprints& fingerprints,
                         const std::string& structure, const std::string& generator_version,
                         const std::string& prefix) {
  Metadata metadata = {{"format", "alphasparse-format"},
                       {"version", "1"},
                       {"checksum", std::string(host::checksum_digits, '0')},
                       {"structure", structure},
                       {"design", kernel.design},
                       {"dtype", dtype_name(kernel.dtype)},
                       {"rows", std::to_string(kernel.rows)},
                       {"cols", std::to_string(kernel.cols)},
                       {"nnz", std::to_string(kernel.nnz)},
                       {"mirrored", mirror_kind(kernel.mirror).in_files},
                       {"value_error", fmt::format("{}", kernel.value_error)},
                       {"stored", std::to_string(stored_entries(kernel.arrays))},
                       {"pattern", fingerprints.pattern},
                       {"values", fingerprints.values},
                       {"generator", generator_version},
                       {"prefix", prefix},
                       {"arrays", arrays_json(kernel)},
                       {"computed", computed_json(kernel)},
                       {"steps", steps_json(kernel)},
                       {"workspaces", workspaces_json(kernel)},
                       {"launches", launches_json(kernel)}};
  if (kernel.vectors > 1) metadata.push_back({"vectors", std::to_string(kernel.vectors)});
  return metadata;
}

std::string metadata_comment(const Metadata& metadata) {
  std::string text =
      "\n// A loader refuses a format file with other metadata.\n// clang-format off\n";
  for (const auto& [key, value] : metadata) {
    if (key != "checksum") text += fmt::format("//= {} {}\n", key, value);
  }
  return text + "// clang-format on\n";
}

}  // namespace alphasparse
