// json: the suite as one JSON object.
#include <nlohmann/json.hpp>

#include "tools/reports/measured.h"
#include "tools/suite/suite.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json outcomes_json(const Outcomes& outcomes) {
  Json list = Json::array();
  for (const auto& [design, outcome] : outcomes) list.push_back(measurement_json(outcome));
  return list;
}

Json row_json(const SuiteReport& report, const SuiteRow& row) {
  Json json = {{"matrix", row.matrix},
               {"twin", row.is_twin},
               {"rows", row.rows},
               {"cols", row.cols},
               {"nnz", row.nnz},
               {"dtype", dtype_name(row.dtype)},
               {"cache", regime_name(row.regime)},
               {"problem", row.problem}};
  json["fingerprints"] = {{"pattern", row.result.fingerprints.pattern},
                          {"values", row.result.fingerprints.values}};
  json["csr_bytes"] = row.result.csr_bytes;
  json["seconds"] = row.result.seconds;
  json["ready_seconds"] = row.seconds_ready;
  json["winner"] = row.result.winner ? measurement_json(*row.result.winner) : Json();
  json["any_values"] = row.result.any_values ? measurement_json(*row.result.any_values) : Json();
  json.update(vendor_json(row.result));
  json["vendor_seconds"] = row.seconds_vendor;
  json["pfs"] = row.result.pfs ? measurement_json(*row.result.pfs) : Json();
  json["pfs_name"] = row.result.pfs_name;
  const std::optional<double> spmvs = row.result.spmvs_to_pay();
  json["spmvs_to_pay"] = spmvs ? Json(*spmvs) : Json();
  if (row.is_timed()) {
    json["ahead"] = row.ahead();
    json["ahead_any_values"] = row.ahead_any_values() > 0 ? Json(row.ahead_any_values()) : Json();
    json["gb_per_s"] = row.gb_per_s();
    json["least_format_bytes"] = row.least_format_bytes();
    const std::optional<bool> beyond = report.beyond_l2(row);
    json["beyond_l2"] = beyond ? Json(*beyond) : Json();
    json["csr_gb_per_s"] = row.csr_gb_per_s();
    if (report.roofline) {
      json["copy_share"] = row.gb_per_s() / report.roofline->copy_gb_per_s;
      json["memory_share"] = row.memory_share(*report.roofline);
    }
  }
  json["statuses"] = row.result.statuses();
  json["outcomes"] = outcomes_json(row.result.outcomes);
  json["vendor_outcomes"] = outcomes_json(row.result.baseline_outcomes);
  return json;
}

}  // namespace

std::string suite_json(const SuiteReport& report) {
  Json json = {{"schema", 1},
               {"program", ALPHASPARSE_VERSION},
               {"device", report.device.name},
               {"gpu", report.device.gpu},
               {"version", report.device.version},
               {"kind", time_kind_name(report.device.kind)},
               {"l2_bytes", report.device.l2_bytes > 0 ? Json(report.device.l2_bytes) : Json()},
               {"seconds", report.seconds},
               {"making_seconds", report.seconds_making},
               {"reading_seconds", report.seconds_reading},
               {"planned", report.planned},
               {"vectors", report.vectors}};
  json["roofline"] = report.roofline ? roofline_json(*report.roofline) : Json();
  json["groups"] = Json::array();
  for (const SuiteGroup& group : report.groups()) {
    json["groups"].push_back({{"twins", group.is_twin},
                              {"dtype", dtype_name(group.dtype)},
                              {"cache", regime_name(group.regime)},
                              {"searched", group.searched},
                              {"compared", group.these_values.compared},
                              {"beyond_l2", group.beyond_l2},
                              {"partial", group.partial},
                              {"losses", group.these_values.losses},
                              {"ahead_mean", group.these_values.mean.value().value_or(0)},
                              {"ahead_least", group.these_values.least},
                              {"any_values",
                               {{"compared", group.any_values.compared},
                                {"losses", group.any_values.losses},
                                {"ahead_mean", group.any_values.mean.value().value_or(0)},
                                {"ahead_least", group.any_values.least}}}});
  }
  json["left_out"] = Json::array();
  for (const LeftOut& one : report.left_out) {
    json["left_out"].push_back({{"matrix", one.matrix},
                                {"twin", one.is_twin},
                                {"dtype", dtype_name(one.dtype)},
                                {"cache", regime_name(one.regime)},
                                {"why", one.reason}});
  }
  json["rows"] = Json::array();
  for (const SuiteRow& row : report.rows) json["rows"].push_back(row_json(report, row));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alphasparse
