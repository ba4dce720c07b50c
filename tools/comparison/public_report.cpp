// public_report: what public times say of the model, for people and for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/emulated/gpu_models.h"
#include "tools/comparison/public_sources.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

std::string number_text(const std::optional<double>& number, int digits) {
  return number ? fmt::format("{:.{}f}", *number, digits) : "-";
}

Json number_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

const char* constants_name(const SourceVerdict& verdict) {
  return verdict.fitted_on ? "fitted" : "shipped";
}

Json constants_json(const ModelConstants& constants) {
  Json json;
  for (const ConstantRange& range : constant_ranges()) json[range.name] = constants.*range.member;
  return json;
}

Json times_json(const SourceVerdict& verdict) {
  const Comparison& comparison = verdict.source->comparison;
  Json json = Json::array();
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) {
    const ComparedDesign& design = comparison.designs[i];
    json.push_back({{"matrix", comparison.matrices[design.matrix]},
                    {"formats", design.name},
                    {"measured_us", design.measured_us},
                    {"modelled_us", verdict.times_us[i]}});
  }
  return json;
}

Json verdict_json(const SourceVerdict& verdict) {
  const PublicSource& source = *verdict.source;
  const PublicFigures& figures = verdict.figures;
  return {{"source", source.source},
          {"gpu", source.gpu},
          {"model", source.comparison.gpu.name},
          {"dtype", dtype_name(source.dtype)},
          {"constants", constants_name(verdict)},
          {"fitted_on", verdict.fitted_on ? Json(*verdict.fitted_on) : Json()},
          {"pairs_right", number_json(figures.pairs_right)},
          {"error_factor", figures.error_factor},
          {"pick_cost", number_json(figures.pick_cost)},
          {"ratio", figures.ratio},
          {"spearman", number_json(figures.spearman)},
          {"host_us", figures.host_us},
          {"pairs", figures.pairs},
          {"designs", figures.designs},
          {"matrices", figures.matrices},
          {"rows_used", source.rows_used},
          {"rows_left_out", source.rows_left_out()},
          {"values", constants_json(verdict.constants)},
          {"times", times_json(verdict)}};
}

}  // namespace

std::string sources_text(const std::vector<PublicSource>& sources,
                         const std::vector<SourceVerdict>& verdicts) {
  std::string text = fmt::format("modelled by {}\n", gpu_models_version);
  for (const PublicSource& source : sources) {
    text += fmt::format("\n{}, {} in {}: {} rows used, {} left out\n", source.source, source.gpu,
                        dtype_name(source.dtype), source.rows_used, source.rows_left_out());
    for (const auto& [why, count] : source.left_out) text += fmt::format("  {} {}\n", count, why);
  }
  text += fmt::format("\n{:<44} {:<9} {:<8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>8} {:>6}\n", "source",
                      "model", "values", "matrices", "pairs", "right", "error", "pick", "modelled",
                      "host");
  for (const SourceVerdict& verdict : verdicts) {
    const PublicFigures& figures = verdict.figures;
    text += fmt::format("{:<44} {:<9} {:<8} {:>8} {:>6} {:>6} {:>6.2f} {:>6} {:>8.2f} {:>6.1f}\n",
                        verdict.source->source, verdict.source->comparison.gpu.name,
                        constants_name(verdict), figures.matrices, figures.pairs,
                        number_text(figures.pairs_right, 3), figures.error_factor,
                        number_text(figures.pick_cost, 3), figures.ratio, figures.host_us);
  }
  return text +
         "values: constants as shipped, or fitted on the other sources; pairs: of designs of one "
         "matrix whose\nmeasured times are over 20 % apart; right: share of them in the right "
         "order; error: exp of the standard\ndeviation of log(modelled / measured); pick: measured "
         "time of the design that is modelled fastest over\nthe least; modelled: over measured, "
         "median; host: us of the source's own that are added to modelled times\n";
}

std::string sources_json(const std::vector<PublicSource>& sources,
                         const std::vector<SourceVerdict>& verdicts) {
  Json json = {{"schema", json_schema_version},
               {"kind", time_kind_name(TimeKind::modelled)},
               {"version", gpu_models_version},
               {"sources", Json::array()},
               {"left_out", Json::array()}};
  for (const SourceVerdict& verdict : verdicts) json["sources"].push_back(verdict_json(verdict));
  for (const PublicSource& source : sources) {
    for (const auto& [why, count] : source.left_out) {
      json["left_out"].push_back(
          {{"source", source.source}, {"gpu", source.gpu}, {"why", why}, {"rows", count}});
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alphasparse
