#include "tools/reports/many.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/printable.h"
#include "tools/reports/db.h"
#include "tools/reports/ratios.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// "2.925 us modelled", or that it has no time.
std::string time_text(const Json& tuned) {
  if (tuned["time_us"].is_null()) return "not timed";
  return fmt::format("{:.4g} us {}", tuned["time_us"].get<double>(),
                     tuned["kind"].get<std::string>());
}

/// How much longer the best named design takes; 0 where that is not known.
double times_pfs(const Json& tuned) {
  if (tuned["pfs"].is_null() || tuned["time_us"].is_null()) return 0;
  return tuned["pfs"]["time_us"].get<double>() / tuned["time_us"].get<double>();
}

double times_vendor(const Json& tuned) {
  return tuned["times_vendor"].is_null() ? 0 : tuned["times_vendor"].get<double>();
}

/// 0 where that is the best of those alone that there was time for.
double times_whole_vendor(const Json& tuned) {
  return tuned["vendor_untried"] == 0 ? times_vendor(tuned) : 0;
}

std::string ratio_text(double times) { return times > 0 ? times_text(times) : "-"; }

std::string range_text(const Json& range) {
  return range.is_null() ? "-" : Ratio{0, range[0], range[1]}.range();
}

/// "mean     1.16 times as fast as ... over 3 matrices"; empty where nothing is known.
std::string mean_text(const std::vector<Json>& all, double (*times)(const Json&),
                      const char* than) {
  double logarithms = 0;
  int known = 0;
  for (const Json& tuned : all) {
    if (times(tuned) <= 0) continue;
    logarithms += std::log(times(tuned));
    ++known;
  }
  if (known == 0) return "";
  return fmt::format("mean     {} times as fast as {}, in geometric mean over {}\n",
                     times_text(std::exp(logarithms / known)), than, known);
}

/// The matrices that have no part in the mean; empty where all with a vendor's time have a part.
std::string left_out_text(const std::vector<Json>& all) {
  std::string names;
  for (const Json& tuned : all) {
    if (times_vendor(tuned) <= 0 || times_whole_vendor(tuned) > 0) continue;
    names += fmt::format(
        "{}{} ({} of {})", names.empty() ? "" : ", ", printable(tuned["name"].get<std::string>()),
        tuned["vendor_tried"].get<std::int64_t>(), tuned["vendor_algorithms"].get<std::int64_t>());
  }
  if (names.empty()) return "";
  return fmt::format("untried  some of the baselines' algorithms, so not in that mean: {}\n",
                     names);
}

/// "present  OpenMP, Eigen" and "missing  MKL: not installed (pip install mkl)", over all matrices.
std::string baselines_text(const std::vector<Json>& all) {
  std::set<std::string> present, missing;
  for (const Json& tuned : all) {
    for (const Json& library : tuned["baselines_present"]) present.insert(library);
    for (const Json& one : tuned["baselines_missing"]) {
      missing.insert(fmt::format("{}: not installed ({})", one["library"].get<std::string>(),
                                 one["install"].get<std::string>()));
    }
  }
  std::string text;
  if (!present.empty()) text += fmt::format("present  {}\n", fmt::join(present, ", "));
  if (!missing.empty()) text += fmt::format("missing  {}\n", fmt::join(missing, "; "));
  return text;
}

Json failed_json(const FailedMatrix& failed) {
  return {
      {"matrix", failed.matrix}, {"error", failed.error}, {"exit", static_cast<int>(failed.exit)}};
}

std::string write_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::set<std::filesystem::path> list_headers(const ManyReport& report) {
  std::set<std::filesystem::path> headers;
  for (const std::string& tuned : report.tuned)
    headers.insert(Json::parse(tuned)["files"]["header"].get<std::string>());
  return headers;
}

std::string tuned_json_line(const std::string& tuned) { return write_line(Json::parse(tuned)); }

std::string failed_json_line(const FailedMatrix& failed) { return write_line(failed_json(failed)); }

bool is_result_line(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_discarded())
    return json.contains("matrix") && (json.contains("design") || json.contains("error"));
  for (const std::string_view opening : {R"({"schema":)", R"({"matrix":)"})
    if (line.starts_with(opening.substr(0, line.size()))) return true;
  return false;
}

std::string many_json(const ManyReport& report) {
  Json json = {{"schema", json_schema_version}, {"matrices", Json::array()}};
  for (const std::string& tuned : report.tuned) json["matrices"].push_back(Json::parse(tuned));
  json["failed"] = Json::array();
  for (const FailedMatrix& failed : report.failed) json["failed"].push_back(failed_json(failed));
  json["not_begun"] = report.not_begun;
  json["interrupted"] = report.interrupted;
  json["seconds"] = report.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string many_text(const ManyReport& report, TableWidth width) {
  std::vector<Json> all;
  for (const std::string& tuned : report.tuned) all.push_back(Json::parse(tuned));
  std::string text;
  if (!all.empty()) {
    std::vector<TableRow> rows = {{"~matrix", ">non-zeros", "~device", ">time", ">x known",
                                   ">x baseline", "+>range", "+design"}};
    for (const Json& tuned : all) {
      rows.push_back({printable(tuned["name"].get<std::string>()),
                      fmt::format("{}", tuned["nnz"].get<std::int64_t>()), tuned["device"],
                      time_text(tuned), ratio_text(times_pfs(tuned)),
                      ratio_text(times_vendor(tuned)), range_text(tuned["times_vendor_range"]),
                      tuned["design"]});
    }
    text += table_text(std::move(rows), width);
    text += mean_text(all, times_pfs, "the best known format");
    text += mean_text(all, times_whole_vendor, "the best baseline");
    text += left_out_text(all) + baselines_text(all);
  }
  for (const FailedMatrix& failed : report.failed) {
    const bool names_it = failed.error.starts_with(failed.matrix);
    text += fmt::format("failed   {}{}\n", names_it ? "" : failed.matrix + ": ", failed.error);
  }
  for (const std::string& matrix : report.not_begun)
    text += fmt::format("left     {}\n", printable(matrix));
  return text + fmt::format("tuned    {}, {} failed, {} left, in {:.1f} s\n", report.tuned.size(),
                            report.failed.size(), report.not_begun.size(), report.seconds);
}

std::string tuned_line(std::size_t done, std::size_t count, const std::string& tuned) {
  const Json json = Json::parse(tuned);
  const std::string tier = json["tier"] == "exact" ? ", from the database" : "";
  return fmt::format("alphasparse: {}/{} {}: {}{}\n", done, count,
                     printable(json["name"].get<std::string>()), time_text(json), tier);
}

}  // namespace alphasparse
