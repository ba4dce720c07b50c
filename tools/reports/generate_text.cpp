// generate_text: the matrix that generate made and those that it can make, as text and as JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "search/learning/features.h"
#include "tools/reports/generate.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

struct NamedStatistic {
  const char* name;
  double SyntheticOptions::*value;
};

constexpr NamedStatistic statistics[] = {
    {"mean", &SyntheticOptions::mean},
    {"std", &SyntheticOptions::std},
    {"skew", &SyntheticOptions::skew},
    {"bandwidth", &SyntheticOptions::bandwidth},
    {"neighbours", &SyntheticOptions::neighbours},
    {"similarity", &SyntheticOptions::similarity},
};

const char* values_name(SyntheticValues values) {
  static constexpr const char* names[] = {"random", "ones", "few"};
  return names[static_cast<int>(values)];
}

Json options_json(const SyntheticOptions& options) {
  Json json = {{"rows", options.rows}, {"cols", options.cols}};
  for (const auto& [name, value] : statistics) json[name] = options.*value;
  return json;
}

std::string options_text(const SyntheticOptions& options) {
  return fmt::format("{:>10} {:>10} {:>9.5g} {:>7.5g} {:>9.5g} {:>7.3g} {:>6.3g} {:>6.3g}",
                     options.rows, options.cols, options.mean, options.std, options.skew,
                     options.bandwidth, options.neighbours, options.similarity);
}

}  // namespace

std::string generate_command_line(const SyntheticOptions& options) {
  std::string text = fmt::format("alphasparse generate {} --rows {} --cols {}",
                                 find_archetype(options.kind).name, options.rows, options.cols);
  for (const auto& [name, value] : statistics)
    text += fmt::format(" --{} {}", name, options.*value);
  text += fmt::format(" --values {} --seed {}", values_name(options.values), options.seed);
  const NumberType& type = number_type(options.dtype);
  return text + (type.is_complex() ? fmt::format(" --dtype {}", type.name) : "");
}

std::vector<Obtained> obtained_statistics(const SyntheticOptions& options, const Matrix& matrix) {
  std::vector<std::int32_t> lengths;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) > 0) lengths.push_back(matrix.row_length(row));
  }
  const auto empty = matrix.rows - static_cast<std::int64_t>(lengths.size());
  const Distribution rows = make_distribution(std::move(lengths), empty);
  const Locality locality = find_locality(matrix);
  const double skew = rows.mean == 0 ? 0 : (static_cast<double>(rows.max) - rows.mean) / rows.mean;
  const double got[] = {rows.mean,          std::sqrt(rows.variance), skew,
                        locality.bandwidth, locality.neighbours,      locality.similarity};
  std::vector<Obtained> all;
  for (std::size_t i = 0; i < std::size(statistics); ++i)
    all.push_back({statistics[i].name, options.*statistics[i].value, got[i]});
  return all;
}

std::string generate_text(const GenerateReport& report) {
  std::string text = fmt::format("matrix     {}: {} x {}, {} non-zeros\n",
                                 find_archetype(report.options.kind).name, report.matrix.rows,
                                 report.matrix.cols, report.matrix.nnz());
  for (const Obtained& one : obtained_statistics(report.options, report.matrix))
    text += fmt::format("{:<10} {:.4g} of {:.4g} asked for\n", one.name, one.got, one.requested);
  return text + fmt::format("file       {}\n", report.file);
}

std::string generate_json(const GenerateReport& report) {
  const Fingerprints prints = fingerprints(report.matrix);
  Json json = {{"schema", json_schema_version},
               {"archetype", find_archetype(report.options.kind).name},
               {"rows", report.matrix.rows},
               {"cols", report.matrix.cols},
               {"nnz", report.matrix.nnz()},
               {"fingerprints", {{"pattern", prints.pattern}, {"values", prints.values}}},
               {"command", generate_command_line(report.options)},
               {"statistics", Json::object()}};
  for (const Obtained& one : obtained_statistics(report.options, report.matrix))
    json["statistics"][one.name] = {{"asked", one.requested}, {"got", one.got}};
  json["files"] = {{"matrix", report.file}};
  return json_text(json);
}

std::string synthetic_list_text() {
  const std::string head =
      fmt::format("{:>10} {:>10} {:>9} {:>7} {:>9} {:>7} {:>6} {:>6}\n", "rows", "cols", "mean",
                  "std", "skew", "bandw.", "neigh.", "simil.");
  std::string text = fmt::format("{:<22}{}", "archetype (defaults)", head);
  for (const Archetype& archetype : archetypes()) {
    text += fmt::format("{:<22}{}\n    {}\n", archetype.name, options_text(archetype.defaults),
                        archetype.doc);
    if (!archetype.limits.empty()) text += fmt::format("    {}\n", archetype.limits);
  }
  text += fmt::format("\n{:<22}{}", "twin", head);
  for (const Twin& twin : twins()) {
    text += fmt::format("twin:{:<17}{}  {}\n", twin.name, options_text(twin_options(twin, 1)),
                        find_archetype(twin.kind).name);
  }
  return text;
}

std::string synthetic_list_json() {
  Json json = {
      {"schema", json_schema_version}, {"archetypes", Json::array()}, {"twins", Json::array()}};
  for (const Archetype& archetype : archetypes()) {
    json["archetypes"].push_back({{"name", archetype.name},
                                  {"about", archetype.doc},
                                  {"limits", archetype.limits},
                                  {"defaults", options_json(archetype.defaults)}});
  }
  for (const Twin& twin : twins()) {
    json["twins"].push_back({{"name", twin.name},
                             {"archetype", find_archetype(twin.kind).name},
                             {"nnz", twin.nnz},
                             {"options", options_json(twin_options(twin, 1))}});
  }
  return json_text(json);
}

}  // namespace alphasparse
