// db_json: the JSON half of db.h.
#include <nlohmann/json.hpp>

#include "tools/reports/db.h"
#include "tools/reports/hardware.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

Json head(const std::string& database) {
  return {{"schema", json_schema_version}, {"database", database}};
}

Json stored_json(const Measurement& outcome) {
  Json json = {{"design", outcome.design},
               {"status", status_name(outcome.status)},
               {"reason", shown_reason(outcome)},
               {"verified", outcome.verified},
               {"counted", outcome.counted},
               {"format_bytes", number_json(outcome.format_bytes)},
               {"time_us", outcome.timing ? Json(outcome.timing->time_us) : Json()}};
  if (outcome.timing) {
    json["time_us_p20"] = outcome.timing->time_us_p20;
    json["time_us_p80"] = outcome.timing->time_us_p80;
    json["samples"] = outcome.timing->samples;
    json["rounds"] = outcome.timing->rounds;
    json["noisy"] = outcome.timing->noisy;
  }
  json["created_at"] = outcome.created_at;
  return json;
}

Json problem_json(const StoredProblem& stored) {
  const Problem& problem = stored.problem;
  const DeviceInfo& device = problem.device;
  Json json = {
      {"key", stored.key},
      {"name", problem.matrix_name},
      {"rows", problem.rows},
      {"cols", problem.cols},
      {"nnz", problem.nnz},
      {"fingerprints", {{"pattern", problem.matrix.pattern}, {"values", problem.matrix.values}}}};
  json.update(hardware_json(device));
  json.update(Json{{"kind", time_kind_name(device.kind)},
                   {"dtype", dtype_name(problem.dtype)},
                   {"cache", regime_name(problem.regime)},
                   {"options", problem.options},
                   {"vectors", problem.vectors()},
                   {"sample_nnz", number_json(problem.sample_nnz)},
                   {"vendor", stored.problem.is_baseline()},
                   {"generator", problem.generator_version},
                   {"runs", stored.runs},
                   {"measurements", stored.measurements},
                   {"best", stored.best ? stored_json(*stored.best) : Json()}});
  return json;
}

Json ratio_json(std::optional<double> ratio) { return ratio ? Json(*ratio) : Json(); }

Json pfs_json(const PfsPair& pair) {
  Json json = stored_json(pair.pfs);
  json["name"] = pair.pfs_name;
  json["speedup"] = pair.speedup();
  json["bytes_ratio"] = ratio_json(pair.bytes_ratio());
  json["sectors_ratio"] = ratio_json(pair.sectors_ratio());
  return json;
}

Json winners_json(const ListReport& report) {
  Json list = Json::array();
  for (const StoredProblem& stored : report.problems) {
    Json& problem = list.emplace_back(problem_json(stored));
    const auto pair = report.pairs.find(stored.key);
    problem["pfs"] = pair == report.pairs.end() ? Json() : pfs_json(pair->second);
    const auto found = report.baselines.find(stored.key);
    const bool has_baseline = found != report.baselines.end();
    problem.update(times_vendor_json(has_baseline ? stored.best->timing : std::nullopt,
                                     has_baseline ? std::optional(found->second) : std::nullopt));
  }
  return list;
}

Json summary_json(const PfsSummary& summary) {
  return {{"kind", time_kind_name(summary.kind)},
          {"near_floor", summary.near_floor},
          {"winners", summary.pairs},
          {"speedup", summary.speedup},
          {"bytes_ratio", ratio_json(summary.bytes_ratio)},
          {"sectors_ratio", ratio_json(summary.sectors_ratio)},
          {"faster", summary.faster},
          {"clearly_faster", summary.clearly_faster},
          {"equal", summary.equal},
          {"behind", summary.behind},
          {"no_named_design", summary.unnamed},
          {"no_named_structure", summary.other_structures}};
}

Json run_json(const StoredRun& run) {
  const char* const state = !run.end                               ? "no end"
                            : run.end->state == RunState::complete ? "complete"
                                                                   : "interrupted";
  return {{"key", run.key},
          {"begun", run.created_at},
          {"budget",
           {{"seconds", run.requested.seconds},
            {"trials", run.requested.trials > 0 ? Json(run.requested.trials) : Json()}}},
          {"seed", run.requested.seed},
          {"state", state},
          {"seconds", run.end ? Json(run.end->seconds) : Json()},
          {"trials", run.end ? Json(run.end->trials) : Json()},
          {"measurements", run.measurements}};
}

}  // namespace

std::string list_json(const ListReport& report) {
  Json json = head(report.database);
  json["problems"] = winners_json(report);
  json["against_pfs"] = Json::array();
  for (const PfsSummary& summary : report.summaries())
    json["against_pfs"].push_back(summary_json(summary));
  return json_text(json);
}

namespace {

/// Puts a problem and its history into an object.
void add_history(const ProblemHistory& shown, Json& json) {
  json["problem"] = problem_json(shown.stored);
  json["run_list"] = Json::array();
  for (const StoredRun& run : shown.history.runs) json["run_list"].push_back(run_json(run));
  json["outcomes"] = Json::array();
  for (const Measurement* const outcome : ranked(shown))
    json["outcomes"].push_back(stored_json(*outcome));
}

/// The first with the others as its baselines.
void add_histories(const std::vector<ProblemHistory>& shown, Json& json) {
  add_history(shown.front(), json);
  json["baselines"] = Json::array();
  for (std::size_t i = 1; i < shown.size(); ++i)
    add_history(shown[i], json["baselines"].emplace_back(Json::object()));
}

}  // namespace

std::string history_json(const std::vector<std::vector<ProblemHistory>>& shown,
                         const std::string& database) {
  Json json = head(database);
  if (shown.size() == 1) add_histories(shown.front(), json);
  for (std::size_t i = 0; shown.size() > 1 && i < shown.size(); ++i)
    add_histories(shown[i], json["problems"].emplace_back(Json::object()));
  return json_text(json);
}

std::string best_json(const BestReport& report) {
  Json json = head(report.winners.database);
  json["matrix"] = report.matrix;
  json["same_values"] = report.same_values;
  json["problems"] = winners_json(report.winners);
  return json_text(json);
}

std::string written_json(const std::string& file, const std::string& database) {
  Json json = head(database);
  json["file"] = file;
  return json_text(json);
}

std::string transfers_json(const std::vector<Transfer>& transfers, const std::string& database) {
  Json json = head(database);
  json["files"] = Json::array();
  for (const Transfer& transfer : transfers) {
    json["files"].push_back({{"file", transfer.file},
                             {"problems", transfer.added.problems},
                             {"runs", transfer.added.runs},
                             {"measurements", transfer.added.measurements},
                             {"skipped", Json::array()}});
    for (const auto& [reason, rows] : transfer.added.skipped) {
      json["files"].back()["skipped"].push_back({{"reason", reason}, {"rows", rows}});
    }
  }
  return json_text(json);
}

std::string prune_json(const PruneReport& report) {
  Json json = head(report.database);
  json["dry_run"] = report.dry_run;
  json["shrunk"] = report.shrunk;
  json["bytes_before"] = report.bytes_before;
  json["bytes"] = report.bytes;
  json["problems"] = Json::array();
  for (const PrunedProblem& pruned : report.problems) {
    json["problems"].push_back({{"key", pruned.before.key},
                                {"name", pruned.before.problem.matrix_name},
                                {"measurements", pruned.measurements},
                                {"runs", pruned.runs},
                                {"whole", pruned.whole}});
  }
  return json_text(json);
}

std::string complaints_json(const std::vector<std::string>& complaints, std::int64_t old_failures,
                            const std::string& database) {
  Json json = head(database);
  json["complaints"] = complaints;
  json["old_failures"] = old_failures;
  return json_text(json);
}

}  // namespace alphasparse
