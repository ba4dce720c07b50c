// report_json: the JSON half of report.h.
#include <nlohmann/json.hpp>

#include "runtime/system/machine/memory.h"
#include "tools/reports/explain.h"
#include "tools/reports/hardware.h"
#include "tools/reports/measured.h"
#include "tools/reports/ratios.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json object() { return {{"schema", json_schema_version}}; }

Json device_json(const DeviceInfo& device) {
  Json json = {{"device", device.name}};
  json.update(hardware_json(device));
  json["kind"] = time_kind_name(device.kind);
  if (device.target == Target::cpu && device.threads > 0) {
    json["clock"] = device.threads == 1 ? "processor time" : "wall clock";
  }
  return json;
}

Json underflow_json(const Underflow& underflow) {
  return {{"zeros", underflow.zeros}, {"denormals", underflow.denormals}};
}

/// The beginning of every report on a matrix.
Json matrix_json(const InputMatrix& input, const Fingerprints& prints) {
  return {{"schema", json_schema_version},
          {"matrix", input.path},
          {"name", input.name},
          {"transposed", input.transposed},
          {"rows", input.matrix.rows},
          {"cols", input.matrix.cols},
          {"nnz", input.matrix.nnz()},
          {"underflow", underflow_json(input.underflow)},
          {"fingerprints", {{"pattern", prints.pattern}, {"values", prints.values}}}};
}

/// The beginning of every report on a matrix and a device.
Json head(const InputMatrix& input, const Fingerprints& prints, const DeviceInfo& device) {
  Json json = matrix_json(input, prints);
  json.update(device_json(device));
  return json;
}

Json files_json(const OutputFiles& files) {
  Json json = {{"source", files.source}, {"header", files.header}, {"format", files.format}};
  if (files.source.ends_with(".cu")) json["cu"] = files.source;
  if (!files.kernels.empty()) json["kernels"] = files.kernels;
  if (!files.runtime.empty()) json["runtime"] = files.runtime;
  return json;
}

Json parameter_json(const ParameterSpec& parameter) {
  Json json = {{"name", parameter.name}, {"doc", parameter.doc}};
  json["default"] = parameter.fallback.empty() ? Json() : Json(parameter.fallback);
  if (parameter.choices.empty()) {
    json["least"] = parameter.least;
    json["most"] = parameter.most;
  } else {
    json["words"] = parameter.choices;
  }
  return json;
}

/// The data of the fine grid's model, and how well it ranked each batch that it chose.
Json model_json(const FineGridState& model) {
  Json verdicts = Json::array();
  for (const ModelVerdict& verdict : model.verdicts) {
    verdicts.push_back(
        {{"rank_correlation", verdict.rank_correlation}, {"random_share", verdict.random_share}});
  }
  return {{"designs", model.own_rows},
          {"designs_from_elsewhere", model.prior_rows},
          {"batches", std::move(verdicts)}};
}

/// The question of a search.
Json question_json(const TuneReport& report) {
  return {{"dtype", dtype_name(report.options.dtype)},
          {"vectors", report.options.vectors},
          {"cache", regime_name(report.options.regime)},
          {"values", report.options.values_vary ? "varying" : "fixed"},
          {"values_precision", report.options.may_round ? "f32" : "full"},
          {"vectors_order", report.options.own_order ? "own" : "given"},
          {"value_error", report.value_error},
          {"deterministic", report.options.deterministic},
          {"nonfinite", report.options.nonfinite_exact ? "exact" : "pads"}};
}

Json winner_json(const TuneReport& report) {
  const Measurement& winner = *report.result.winner;
  return {{"design", winner.design},
          {"gflop_per_s", winner.timing ? Json(report.gflop_per_s()) : Json()},
          {"gb_per_s", winner.timing ? Json(report.gb_per_s()) : Json()},
          {"time_us", winner.timing ? Json(winner.timing->time_us) : Json()},
          {"time_us_min", shortest_json(winner.timing)},
          {"empty_us", report.empty_us ? Json(*report.empty_us) : Json()},
          {"format_bytes", number_json(winner.format_bytes)},
          {"csr_bytes", report.result.csr_bytes}};
}

/// The winner beside known formats and other libraries.
Json comparison_json(const TuneResult& result) {
  Json json;
  json["pfs"] = result.pfs ? Json{{"name", result.pfs_name},
                                  {"design", result.pfs->design},
                                  {"time_us", result.pfs->timing->time_us},
                                  {"time_us_min", shortest_json(result.pfs->timing)},
                                  {"untried", result.named_untried}}
                           : Json();
  json.update(vendor_json(result));
  json["peers"] = peers_json(result.baselines_in_order());
  const auto vendor = result.vendor ? result.vendor->timing : std::nullopt;
  json.update(times_vendor_json(result.winner->timing, vendor));
  json["any_values"] = result.any_values ? measurement_json(*result.any_values) : Json();
  if (result.any_values)
    json["any_values"]["times_vendor"] = number_json(result.times_vendor(result.any_values));
  const std::optional<double> spmvs = result.spmvs_to_pay();
  json["spmvs_to_pay"] = spmvs ? Json(*spmvs) : Json();
  json["convert_us"] = number_json(result.winner->convert_us);
  json["load_us"] = number_json(result.winner->load_us);
  json["noisy"] = result.winner->timing && result.winner->timing->noisy;
  return json;
}

/// The worth of an own order of x and y, and the orders that the search looked at.
Json own_order_json(const TuneResult& result) {
  Json json = {{"orders", Json::array()}};
  for (const VectorOrder& order : result.vector_orders) {
    json["orders"].push_back({{"by", order.by},
                              {"seconds", order.seconds},
                              {"lines_ratio", order.lines_ratio},
                              {"why_not", order.rejection}});
  }
  if (!result.order_worth) return json;
  const OrderWorth& worth = *result.order_worth;
  const auto timed = [](const std::optional<Measurement>& one) {
    return one ? Json{{"design", one->design}, {"time_us", one->timing->time_us}} : Json();
  };
  json["order_seconds"] = worth.order_seconds;
  json["permuted_vendor"] = timed(worth.vendor);
  json["times_permuted_vendor"] =
      worth.vendor ? Json(worth.vendor->timing->time_us / worth.in_turn->time_us) : Json();
  json["given_order"] = timed(worth.given);
  json["permutations_us"] = number_json(worth.permutations_us);
  json["products_to_pay"] = number_json(worth.products_to_pay(*result.winner));
  return json;
}

Json strategies_json(const std::vector<ProposerRecord>& strategies) {
  Json json = Json::array();
  for (const ProposerRecord& strategy : strategies) {
    json.push_back({{"name", strategy.name},
                    {"proposed", strategy.proposed},
                    {"verified", strategy.verified},
                    {"bests", strategy.bests},
                    {"gained", strategy.gained}});
  }
  return json;
}

Json samples_json(const std::vector<SampledSearch>& samples) {
  Json json = Json::array();
  for (const SampledSearch& sample : samples) {
    json.push_back({{"nnz", sample.nnz},
                    {"share", sample.share},
                    {"cache", regime_name(sample.regime)},
                    {"trials", sample.trials},
                    {"pruned", sample.pruned},
                    {"seconds", sample.seconds}});
  }
  return json;
}

/// The course of a search.
Json search_json(const TuneResult& result) {
  const auto origin = result.origins.find(result.winner->design);
  return {{"tier", tier_name(result.tier)},
          {"warm_matrices", result.warm_matrices},
          {"similar_matrices", result.similar_matrices},
          {"shipped_matrices", result.shipped_matrices},
          {"ways", strategies_json(result.strategies)},
          {"model", model_json(result.model)},
          {"way", origin == result.origins.end() ? Json() : Json(origin->second)},
          {"samples", samples_json(result.samples)},
          {"trials", result.trials},
          {"trials_now", result.trials_now},
          {"statuses", result.statuses()},
          {"least_us", result.least_us ? Json(*result.least_us) : Json()},
          {"skipped", result.skipped},
          {"disturbed", result.disturbed},
          {"interrupted", result.interrupted},
          {"seconds", result.seconds},
          {"peak_bytes", peak_memory_bytes()}};
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  const TuneResult& result = report.result;
  Json json = head(report.input, result.fingerprints, result.device);
  json.update(question_json(report));
  json.update(winner_json(report));
  json.update(comparison_json(result));
  if (report.options.own_order) json["own_order"] = own_order_json(result);
  json.update(search_json(result));
  json["files"] = files_json(report.files);
  json["files"]["database"] = report.database;
  if (!report.page.empty()) json["files"]["report"] = report.page;
  if (report.explain) {
    json["explanation"] = explanation_json(result, report.empty_us);
    json["outcomes"] = Json::array();
    for (const auto& [design, outcome] : result.outcomes)
      json["outcomes"].push_back(measurement_json(outcome));
  }
  return json_text(json);
}

std::string emit_json(const EmitReport& report) {
  Json json = head(report.input, report.fingerprints, report.device);
  json["design"] = report.kernel.design;
  json["dtype"] = dtype_name(report.kernel.dtype);
  json["vectors"] = report.kernel.vectors;
  json["verified"] = true;
  if (report.timing)
    json.update(timing_json(*report.timing));
  else
    json["time_us"] = Json();
  json["format_bytes"] = report.kernel.format_bytes();
  json["csr_bytes"] = csr_bytes(report.input.matrix, report.kernel.dtype);
  json["value_error"] = report.kernel.value_error;
  json["nonfinite"] = nonfinite_name(report.kernel.nonfinite());
  json["files"] = files_json(report.files);
  return json_text(json);
}

std::string ablate_json(const AblateReport& report) {
  Json json = head(report.input, report.fingerprints, report.device);
  json["csr_bytes"] = report.csr_bytes;
  json["empty_us"] = report.empty_us ? Json(*report.empty_us) : Json();
  json["rows"] = Json::array();
  for (const Ablated& row : report.rows) {
    Json entry = {{"passes", row.passes}};
    entry.update(measurement_json(row.outcome));
    json["rows"].push_back(std::move(entry));
  }
  return json_text(json);
}

namespace {

Json benched_matrix_json(const BenchReport& report, const BenchedMatrix& matrix) {
  const std::optional<Roofline>& roofline = report.roofline;
  Json json = {{"matrix", matrix.path},
               {"name", matrix.name},
               {"rows", matrix.rows},
               {"cols", matrix.cols},
               {"nnz", matrix.nnz},
               {"underflow", underflow_json(matrix.underflow)},
               {"fingerprints",
                {{"pattern", matrix.fingerprints.pattern}, {"values", matrix.fingerprints.values}}},
               {"csr_bytes", matrix.csr_bytes},
               {"designs", Json::array()}};
  const double best_us = best_time_us(matrix.entries);
  const BenchEntry* const vendor = find_fastest(matrix.entries, true);
  const std::vector<const Measurement*> peers = find_baseline_outcomes(matrix.entries);
  json["vendor"] = vendor ? Json{{"name", vendor->name},
                                 {"time_us", vendor->outcome.timing->time_us},
                                 {"note", vendor->outcome.timing->note}}
                          : Json();
  if (vendor) json["vendor"].update(library_json(vendor->outcome, peers));
  json.update(vendor_count_json(report.device, report.operands.vectors, peers));
  json["peers"] = peers_json(peers);
  const auto best_json = [&](const BenchEntry* ours) {
    if (!ours) return Json();
    const double time_us = ours->outcome.timing->time_us;
    return Json{
        {"name", ours->name},
        {"time_us", time_us},
        {"format_bytes", number_json(ours->outcome.format_bytes)},
        {"times_vendor", vendor ? Json(vendor->outcome.timing->time_us / time_us) : Json()}};
  };
  json["one_vector_us"] = number_json(matrix.one_vector_us);
  json["any_values"] = best_json(fastest_for_any_values(matrix.entries));
  json["these_values"] = best_json(find_fastest(matrix.entries, false));
  for (const BenchEntry& entry : matrix.entries) {
    Json design = {{"name", entry.name}, {"verified", entry.outcome.verified}};
    design.update(measurement_json(entry.outcome));
    const bool timed = entry.is_timed();
    design["time_us_min"] = shortest_json(entry.outcome.timing);
    design["gflop_per_s"] =
        timed ? Json(matrix.gflop_per_s(entry.outcome.timing->time_us)) : Json();
    design["times_products"] =
        timed ? number_json(matrix.times_products(entry.outcome.timing->time_us)) : Json();
    design["ratio"] = timed ? Json(entry.outcome.timing->time_us / best_us) : Json();
    const double time_us = timed ? entry.outcome.timing->time_us : 0;
    const std::int64_t format_bytes = entry.outcome.format_bytes.value_or(0);
    const double gb_per_s = timed ? matrix.gb_per_s(format_bytes, time_us) : 0;
    design["gb_per_s"] = timed ? Json(gb_per_s) : Json();
    design["csr_gb_per_s"] = timed ? Json(matrix.gb_per_s(matrix.csr_bytes, time_us)) : Json();
    design["memory_share"] =
        timed && roofline ? Json(matrix.memory_share(*roofline, format_bytes, time_us)) : Json();
    design["copy_share"] = timed && roofline ? Json(gb_per_s / roofline->copy_gb_per_s) : Json();
    design["times_vendor"] =
        timed && vendor ? Json(vendor->outcome.timing->time_us / time_us) : Json();
    design["any_values"] = timed ? Json(entry.takes_any_values) : Json();
    json["designs"].push_back(design);
  }
  return json;
}

}  // namespace

std::string bench_json(const BenchReport& report) {
  Json json = object();
  json.update(device_json(report.device));
  json["dtype"] = dtype_name(report.operands.dtype);
  json["vectors"] = report.operands.vectors;
  json["cache"] = regime_name(report.regime);
  json["interrupted"] = report.interrupted;
  json["roofline"] = report.roofline ? roofline_json(*report.roofline) : Json();
  json["matrices"] = Json::array();
  for (const BenchedMatrix& matrix : report.matrices)
    json["matrices"].push_back(benched_matrix_json(report, matrix));
  json["designs"] = Json::array();
  for (const BenchSummary& summary : report.summaries()) {
    json["designs"].push_back(
        {{"name", summary.name},
         {"matrices", summary.matrices},
         {"verified", summary.verified},
         {"wins", summary.wins},
         {"ties", summary.ties},
         {"ratio_mean", summary.timed > 0 ? Json(summary.ratio_mean) : Json()}});
  }
  return json_text(json);
}

std::string inspect_json(const InspectReport& report) {
  const Matrix& matrix = report.input.matrix;
  Json json = matrix_json(report.input, fingerprints(matrix));
  for (const NumberType& type : number_types)
    if (type.is_complex() == matrix.is_complex())
      json["csr_bytes"][type.name] = csr_bytes(matrix, type.dtype);
  Json features = Json::object();
  for (const NamedFeature& feature : feature_list(report.features)) {
    const auto whole = static_cast<std::int64_t>(feature.value);
    features[std::string(feature.name)] =
        static_cast<double>(whole) == feature.value ? Json(whole) : Json(feature.value);
  }
  json["features"] = features;
  json["files"] = Json::object();
  if (!report.picture.empty()) json["files"]["picture"] = report.picture;
  return json_text(json);
}

std::string operators_json(const std::vector<const Operator*>& operators) {
  Json json = object();
  json["operators"] = Json::array();
  for (const Operator* op : operators) {
    Json entry = {{"name", op->name},
                  {"stage", stage_name(op->stage)},
                  {"paper", op->paper},
                  {"about", op->doc},
                  {"parameters", Json::array()}};
    for (const ParameterSpec& parameter : op->parameters)
      entry["parameters"].push_back(parameter_json(parameter));
    json["operators"].push_back(entry);
  }
  return json_text(json);
}

std::string designs_json(const std::vector<NamedDesign>& designs) {
  Json json = object();
  json["designs"] = Json::array();
  for (const NamedDesign& named : designs) {
    json["designs"].push_back({{"name", named.name},
                               {"design", named.line.empty() ? Json() : Json(named.line)},
                               {"cpu", named.cpu.empty() ? Json() : Json(named.cpu)},
                               {"about", named.doc}});
  }
  return json_text(json);
}

std::string devices_json(const std::vector<DeviceListing>& devices) {
  Json json = object();
  json["devices"] = Json::array();
  for (const DeviceListing& device : devices) {
    json["devices"].push_back(
        {{"name", device.name}, {"available", device.available}, {"text", device.text}});
  }
  return json_text(json);
}

}  // namespace alphasparse
