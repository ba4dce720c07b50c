// json: the comparison for programs, one object.
#include <nlohmann/json.hpp>

#include "runtime/emulated/gpu_models.h"
#include "tools/comparison/compare_model.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json coefficient_json(const std::optional<double>& coefficient) {
  return coefficient ? Json(*coefficient) : Json();
}

Json agreement_json(const Agreement& agreement) {
  return {{"designs", agreement.designs},
          {"spearman", coefficient_json(agreement.spearman)},
          {"kendall", coefficient_json(agreement.kendall)},
          {"error_factor", agreement.error_factor},
          {"pick_ratio", agreement.pick_ratio},
          {"pairs", agreement.pairs},
          {"misranked", agreement.misranked}};
}

/// A key for each set of constants.
std::string key_of(std::size_t index) {
  static const char* const keys[] = {"assumed", "fitted", "held_out"};
  return keys[index];
}

Json matrix_json(const ModelComparison& result, std::size_t matrix) {
  Json json = {{"name", result.comparison.matrices[matrix]}};
  for (std::size_t set = 0; set < result.modelled.size(); ++set) {
    json[key_of(set)] =
        agreement_json(matrix_agreement(result.comparison, result.modelled[set].times_us, matrix));
  }
  json["designs"] = Json::array();
  for (std::size_t i = 0; i < result.comparison.designs.size(); ++i) {
    const ComparedDesign& design = result.comparison.designs[i];
    if (design.matrix != matrix) continue;
    Json row = {{"name", design.name}, {"measured_us", design.measured_us}};
    for (std::size_t set = 0; set < result.modelled.size(); ++set)
      row[key_of(set) + "_us"] = result.modelled[set].times_us[i];
    json["designs"].push_back(std::move(row));
  }
  return json;
}

Json misrankings_json(const ModelComparison& result) {
  const std::vector<double>& times = result.modelled.front().times_us;
  const std::vector<ComparedDesign>& designs = result.comparison.designs;
  Json json = Json::array();
  for (const MisrankedPair& pair : worst_misrankings(result.comparison, times, misrankings_told)) {
    json.push_back({{"matrix", result.comparison.matrices[designs[pair.preferred].matrix]},
                    {"modelled_first", designs[pair.preferred].name},
                    {"measured_first", designs[pair.better].name},
                    {"factor", pair.factor}});
  }
  return json;
}

Json constants_json(const ModelComparison& result) {
  Json json = Json::array();
  for (const ConstantRow& row : result.constants) {
    json.push_back({{"name", row.name},
                    {"assumed", row.assumed},
                    {"fitted", row.fitted},
                    {"times_moved", row.times_moved},
                    {"at_bound", row.at_bound}});
  }
  return json;
}

}  // namespace

std::string comparison_json(const ModelComparison& result) {
  const MeasuredTimes& measured = result.measured;
  Json json = {{"schema", json_schema_version},
               {"measured",
                {{"file", measured.file},
                 {"device", measured.device.name},
                 {"gpu", measured.device.gpu},
                 {"version", measured.device.version}}},
               {"modelled",
                {{"gpu", result.comparison.gpu.name},
                 {"version", gpu_models_version},
                 {"l1_shares", result.comparison.l1_shares}}},
               {"dtype", dtype_name(measured.dtype)},
               {"cache", regime_name(measured.regime)},
               {"matrices", Json::array()}};
  for (std::size_t matrix = 0; matrix < result.comparison.matrices.size(); ++matrix)
    json["matrices"].push_back(matrix_json(result, matrix));
  json["misrankings"] = misrankings_json(result);
  json["constants"] = constants_json(result);
  for (std::size_t set = 0; set < result.modelled.size(); ++set)
    json["agreement"][key_of(set)] = agreement_json(result.modelled[set].agreement);
  json["fit_holds"] = result.is_held_out() ? Json(result.fit_holds()) : Json();
  json["not_compared"] = result.left_out;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alphasparse
