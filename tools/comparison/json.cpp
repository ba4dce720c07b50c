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

Json waits_json(const Waits& waits) {
  return {{"l1", waits.l1}, {"l2", waits.l2}, {"dram", waits.dram}};
}

Json work_json(const LaunchWork& work) {
  return {{"sectors", work.sectors},
          {"dram_sectors", work.dram_sectors},
          {"l2_whole", work.l2_whole},
          {"l2_scattered", work.l2_scattered},
          {"lsu_cycles", work.lsu_cycles},
          {"basic_blocks", work.basic_blocks},
          {"atomic_passes", work.atomic_passes},
          {"atomic_hottest", work.atomic_hottest},
          {"longest", waits_json(work.longest)},
          {"longest_basic_blocks", work.longest_basic_blocks},
          {"longest_begins", work.longest_begins},
          {"each", waits_json(work.each)},
          {"each_basic_blocks", work.each_basic_blocks},
          {"turns", work.turns},
          {"blocks", work.blocks},
          {"busy", work.busy},
          {"imbalance", work.imbalance}};
}

/// A list a share of L1, of its launches.
Json works_json(const Works& works) {
  Json json = Json::array();
  for (const std::vector<LaunchWork>& launches : works) {
    Json& list = json.emplace_back(Json::array());
    for (const LaunchWork& work : launches) list.push_back(work_json(work));
  }
  return json;
}

Json matrix_json(const ModelComparison& result, std::size_t matrix) {
  const MeasuredMatrix& measured = result.measured.matrices[result.origins[matrix]];
  Json json = {
      {"name", result.comparison.matrices[matrix]},
      {"dtype", dtype_name(measured.dtype)},
      {"cache", regime_name(measured.regime)},
      {"fingerprints",
       {{"pattern", measured.fingerprints.pattern}, {"values", measured.fingerprints.values}}}};
  for (std::size_t set = 0; set < result.modelled.size(); ++set) {
    json[key_of(set)] =
        agreement_json(matrix_agreement(result.comparison, result.modelled[set].times_us, matrix));
  }
  json["designs"] = Json::array();
  for (std::size_t i = 0; i < result.comparison.designs.size(); ++i) {
    const ComparedDesign& design = result.comparison.designs[i];
    if (design.matrix != matrix) continue;
    Json row = {
        {"name", design.name}, {"design", design.design}, {"measured_us", design.measured_us}};
    for (std::size_t set = 0; set < result.modelled.size(); ++set)
      row[key_of(set) + "_us"] = result.modelled[set].times_us[i];
    row["works"] = works_json(design.works);
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

/// The GPU's row of the table, and all constants, which modelled times are made from.
Json model_json(const GpuModel& gpu, const std::vector<double>& l1_shares) {
  const ModelConstants constants;
  return {{"gpu", gpu.name},
          {"gpu_name", gpu.full_name},
          {"version", gpu_models_version},
          {"l1_shares", l1_shares},
          {"table",
           {{"multiprocessors", gpu.multiprocessors},
            {"clock_ghz", gpu.clock_ghz},
            {"dram_gb_per_s", gpu.dram_gb_per_s},
            {"l2_gb_per_s", gpu.l2_gb_per_s},
            {"l2_scattered_gb_per_s", gpu.l2_scattered_gb_per_s},
            {"launch_us", gpu.launch_us},
            {"block_ns", gpu.block_ns},
            {"instructions_a_block", instructions_a_block(gpu)},
            {"l1_ns", gpu.l1_ns},
            {"l2_ns", gpu.l2_ns},
            {"dram_ns", gpu.dram_ns}}},
          {"constants",
           {{"launch_scale", constants.launch_scale},
            {"dram_efficiency", constants.dram_efficiency},
            {"l2_efficiency", constants.l2_efficiency},
            {"instructions_scale", constants.instructions_scale},
            {"issue_efficiency", constants.issue_efficiency},
            {"instruction_cycles", constants.instruction_cycles},
            {"atomic_pass_ns", constants.atomic_pass_ns},
            {"atomic_line_ns", constants.atomic_line_ns},
            {"longest_scale", constants.longest_scale},
            {"queued_scale", constants.queued_scale},
            {"tail", constants.tail},
            {"limits_order", constants.limits_order},
            {"l1_share", constants.l1_share}}}};
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
               {"modelled", model_json(result.comparison.gpu, result.comparison.l1_shares)},
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
