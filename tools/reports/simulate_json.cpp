// simulate_json: the JSON half of simulate.h.
#include <nlohmann/json.hpp>

#include "tools/reports/report.h"
#include "tools/reports/simulate.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json number_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json reach_json(const Reach& reach) {
  return {{"share", reach.share},
          {"median", number_json(reach.median)},
          {"p90", number_json(reach.p90)}};
}

Json summary_json(const VariantSummary& row, bool near_floor) {
  return {{"name", row.name},
          {"near_floor", near_floor},
          {"replays", row.replays},
          {"evaluations_to_5_percent", reach_json(row.evaluations_5)},
          {"evaluations_to_1_percent", reach_json(row.evaluations_1)},
          {"seconds_to_5_percent", reach_json(row.seconds_5)},
          {"seconds_to_1_percent", reach_json(row.seconds_1)},
          {"behind", row.behind},
          {"behind_first", row.behind_first},
          {"behind_first_most", row.behind_first_most},
          {"behind_5_s", row.behind_5_s},
          {"behind_20_s", row.behind_20_s},
          {"in_common", row.in_common},
          {"missing", row.missing},
          {"faster", row.faster},
          {"tied", row.tied},
          {"slower", row.slower},
          {"in_turn", number_json(row.in_turn)}};
}

Json replay_json(const Replayed& replayed) {
  Json bests = Json::array();
  for (const ReplayStep& step : replayed.bests) {
    bests.push_back({{"evaluations", step.evaluations},
                     {"seconds", step.seconds},
                     {"time_us", step.time_us},
                     {"way", step.strategy},
                     {"design", step.design}});
  }
  return {{"evaluations", replayed.evaluations},
          {"seconds", replayed.seconds},
          {"missing", replayed.missing},
          {"would_end_after", replayed.exhausted_after ? Json(*replayed.exhausted_after) : Json()},
          {"bests", std::move(bests)}};
}

Json matrix_json(const SimulatedMatrix& matrix, const DeviceInfo& device,
                 const SimulationPlan& plan) {
  Json replays = Json::object();
  for (std::size_t variant = 0; variant < matrix.runs.size(); ++variant) {
    Json& of_variant = replays[std::string(plan.variants[variant].name)] = Json::array();
    for (const Replayed& replayed : matrix.runs[variant]) {
      of_variant.push_back(replay_json(replayed));
    }
  }
  Json in_turn = Json::array();
  for (const auto& [design, measured] : matrix.in_turn) {
    in_turn.push_back(
        {{"design", design}, {"ratio", measured.ratio}, {"half_width", measured.half_width}});
  }
  return {{"name", matrix.name},
          {"gpu", device.gpu},
          {"kind", time_kind_name(device.kind)},
          {"version", device.version},
          {"nnz", matrix.nnz},
          {"recorded", matrix.recorded},
          {"best_us", matrix.best_us},
          {"best_design", matrix.best_design},
          {"named_us", matrix.named_us > 0 ? Json(matrix.named_us) : Json()},
          {"near_floor", matrix.is_near_floor},
          {"spread", number_json(matrix.spread)},
          {"in_turn", std::move(in_turn)},
          {"replays", std::move(replays)}};
}

}  // namespace

std::string simulate_json(const SimulateReport& report) {
  Json variants = Json::array(), matrices = Json::array();
  for (const bool near_floor : {false, true}) {
    for (const VariantSummary& row :
         summarise_replays(report.matrices, report.plan.variants, near_floor)) {
      variants.push_back(summary_json(row, near_floor));
    }
  }
  for (std::size_t i = 0; i < report.matrices.size(); ++i) {
    matrices.push_back(matrix_json(report.matrices[i], report.devices[i], report.plan));
  }
  const Json json = {{"schema", json_schema_version},
                     {"corpus", report.corpus},
                     {"evaluations", report.plan.evaluations},
                     {"seeds", report.plan.seeds},
                     {"recorded", report.added},
                     {"variants", std::move(variants)},
                     {"matrices", std::move(matrices)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alphasparse
