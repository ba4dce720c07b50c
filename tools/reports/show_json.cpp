// show_json: the JSON half of show.h; report.h describes the JSON of every command.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/arrays/fragment.h"
#include "tools/reports/report.h"
#include "tools/reports/show.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json level_json(const LevelFacts& level) {
  return {{"level", level_name(level.level)}, {"parent", level_name(level.parent)},
          {"cut", tiling_name(level.tiling)}, {"units", level.parts},
          {"items", level.part_size},         {"lanes", level.lanes},
          {"rows_max", level.rows_max},       {"nz_max", level.nz_max},
          {"nz_min", level.nz_min},           {"children_max", level.children_max}};
}

Json stored_json(Key key, const std::vector<std::int32_t>& entries) {
  Json json = {{"key", key_text(key)}};
  for (const KeyDoc& doc : key_docs()) {
    if (doc.name == key.name) json["doc"] = doc.doc;
  }
  json["count"] = entries.size();
  const auto shown = static_cast<std::ptrdiff_t>(std::min(entries.size(), shown_entries_max));
  json["first"] = std::vector<std::int32_t>(entries.begin(), entries.begin() + shown);
  return json;
}

/// Whole numbers as such.
Json entries_json(const Array& array) {
  Json json = Json::array();
  for (const Number& entry : first_entries(array)) {
    if (is_complex(array.type)) {
      json.push_back({entry.re, entry.im});
      continue;
    }
    json.push_back(array.is_value() ? Json(entry.re) : Json(static_cast<std::int64_t>(entry.re)));
  }
  return json;
}

Json branch_json(const Store& store) {
  Json json = {{"about", store.description},  {"rows", store.rows()},
               {"cols", store.cols()},        {"nnz", store.nnz()},
               {"facts", store_facts(store)}, {"levels", Json::array()},
               {"chain", Json::array()}};
  for (const LevelFacts& level : store.levels()) json["levels"].push_back(level_json(level));
  for (const FragmentStep& step : store.chain())
    json["chain"].push_back({{"fragment", step.fragment->name}, {"lanes", step.lanes}});
  json["partial"] = {{"shape", shape_name(store.partial.shape)},
                     {"holder", worker_name(store.partial.holder)},
                     {"owner", worker_name(store.partial.owner)}};
  json["sink"] = store.epilogue;
  json["launch"] = {{"threads", store.launch.threads},
                    {"grid", store.launch.grid},
                    {"fused", store.launch.fused}};
  json["arrays"] = Json::array();
  for (const auto& [key, array] : store.arrays())
    json["arrays"].push_back(stored_json(key, *array));
  return json;
}

}  // namespace

std::string stores_json(const std::vector<Store>& branches, const std::string& design) {
  Json json = {{"schema", json_schema_version},
               {"stage", "store"},
               {"design", design},
               {"branches", Json::array()}};
  for (const Store& branch : branches) json["branches"].push_back(branch_json(branch));
  return json.dump(2) + "\n";
}

std::string format_json(const Kernel& kernel, std::int64_t csr_bytes) {
  Json json = {{"schema", json_schema_version},
               {"stage", "format"},
               {"design", kernel.design},
               {"dtype", dtype_name(kernel.dtype)},
               {"vectors", kernel.vectors},
               {"format_bytes", kernel.format_bytes()},
               {"full_format_bytes", full_format_bytes(kernel)},
               {"csr_bytes", csr_bytes},
               {"value_error", kernel.value_error},
               {"nonfinite", nonfinite_name(kernel.nonfinite())},
               {"launches", Json::array()},
               {"arrays", Json::array()},
               {"computed", Json::array()}};
  for (const Launch& launch : kernel.launches) {
    json["launches"].push_back(
        {{"kernel", launch.kernel}, {"blocks", launch.blocks}, {"threads", launch.threads}});
  }
  for (const Array& array : kernel.arrays) {
    json["arrays"].push_back({{"name", array.name},
                              {"type", element_safetensors_name(array.type)},
                              {"count", array.count},
                              {"bytes", array.bytes.size()},
                              {"doc", array.doc},
                              {"first", entries_json(array)}});
  }
  for (const ComputedArray& array : kernel.computed) {
    json["computed"].push_back({{"name", array.name},
                                {"model", write_code(array.entry).text()},
                                {"how", array.how},
                                {"count", array.count},
                                {"bytes_before", full_bytes(kernel, array)},
                                {"bytes", stored_bytes(kernel, array)},
                                {"doc", array.doc}});
  }
  return json.dump(2) + "\n";
}

}  // namespace alphasparse
