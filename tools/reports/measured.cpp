#include "tools/reports/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/system/machine/memory.h"
#include "search/tune_result.h"
#include "tools/reports/ratios.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string count_text(std::optional<std::int64_t> count) {
  return count ? fmt::format("{}", *count) : "not known";
}

std::string known_bytes_text(std::optional<std::int64_t> bytes) {
  return bytes ? byte_count_text(*bytes) : "-";
}

Json shortest_json(const std::optional<Timing>& timing) {
  return timing ? number_json(timing->time_us_min) : Json();
}

Json timing_json(const Timing& timing) {
  return {{"time_us", timing.time_us},
          {"time_us_min", shortest_json(timing)},
          {"time_us_p20", timing.time_us_p20},
          {"time_us_p80", timing.time_us_p80},
          {"samples", timing.samples},
          {"registers", number_json(timing.registers)},
          {"spill_bytes", number_json(timing.spill_bytes)},
          {"sectors", number_json(timing.sectors)},
          {"dram_bytes", number_json(timing.dram_bytes)},
          {"sm_mhz", number_json(timing.sm_mhz)},
          {"slowed", timing.slowed},
          {"noisy", timing.noisy},
          {"rounds", timing.rounds},
          {"note", timing.note}};
}

std::optional<double> known(const Result<double>& number) {
  return number ? std::optional(*number) : std::nullopt;
}

std::string empty_text(std::optional<double> empty_us) {
  if (!empty_us) return "";
  return fmt::format("empty    a kernel that does nothing takes {:.3g} us\n", *empty_us);
}

Json measurement_json(const Measurement& outcome) {
  Json json = {{"design", outcome.design}, {"status", status_name(outcome.status)}};
  if (const std::string reason = shown_reason(outcome); !reason.empty()) json["reason"] = reason;
  json["format_bytes"] = number_json(outcome.format_bytes);
  json["convert_us"] = number_json(outcome.convert_us);
  json["load_us"] = number_json(outcome.load_us);
  if (outcome.timing) json.update(timing_json(*outcome.timing));
  return json;
}

namespace {

Json peer_json(const Measurement& outcome, const std::vector<const Measurement*>& outcomes) {
  const std::optional<Timing>& timing = outcome.timing;
  Json json = {{"name", outcome.design}};
  json.update(library_json(outcome, outcomes));
  json["status"] = is_library_missing(outcome) ? "missing" : status_name(outcome.status);
  if (const std::string reason = shown_reason(outcome); !reason.empty()) json["reason"] = reason;
  json["verified"] = outcome.verified;
  json["time_us"] = timing ? Json(timing->time_us) : Json();
  json["time_us_min"] = shortest_json(timing);
  return json;
}

}  // namespace

Json peers_json(const std::vector<const Measurement*>& outcomes) {
  Json peers = Json::array();
  for (const Measurement* const outcome : outcomes) peers.push_back(peer_json(*outcome, outcomes));
  return peers;
}

Json library_json(const Measurement& outcome, const std::vector<const Measurement*>& outcomes) {
  const Baseline* const algorithm = find_baseline(outcome.design);
  const LibraryFacts facts =
      algorithm ? facts_of_library(algorithm->library, outcomes) : LibraryFacts();
  const auto text_json = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"library", algorithm ? Json(algorithm->library) : Json()},
          {"version", text_json(facts.version)},
          {"code_path", text_json(facts.code_path)}};
}

std::string library_text(const Measurement& outcome,
                         const std::vector<const Measurement*>& outcomes) {
  const Baseline* const algorithm = find_baseline(outcome.design);
  if (!algorithm) return "";
  const LibraryFacts facts = facts_of_library(algorithm->library, outcomes);
  return fmt::format("{} {}{}{}", algorithm->library,
                     facts.version.empty() ? "of unknown version" : facts.version,
                     facts.code_path.empty() ? "" : ", ", facts.code_path);
}

Json vendor_count_json(const DeviceInfo& device, int vectors,
                       const std::vector<const Measurement*>& outcomes) {
  if (device.kind == TimeKind::modelled)
    return {{"vendor_algorithms", Json()},
            {"vendor_tried", Json()},
            {"baselines_present", Json::array()},
            {"baselines_missing", Json::array()}};
  const BaselineCount count = count_baselines(baselines(device, vectors), outcomes);
  Json missing = Json::array();
  for (const auto& [library, install] : baselines_missing(outcomes))
    missing.push_back({{"library", library}, {"install", install}});
  return {{"vendor_algorithms", count.all},
          {"vendor_tried", count.tried},
          {"baselines_present", baselines_present(outcomes)},
          {"baselines_missing", missing}};
}

Json vendor_json(const TuneResult& result) {
  const std::vector<const Measurement*> outcomes = result.baselines_in_order();
  Json json = {{"vendor", Json()}};
  if (result.vendor) {
    json["vendor"] = measurement_json(*result.vendor);
    json["vendor"].update(library_json(*result.vendor, outcomes));
  }
  json.update(vendor_count_json(result.device, result.vectors, outcomes));
  json["vendor_untried"] = result.untried_baselines();
  return json;
}

Json times_vendor_json(const std::optional<Timing>& ours, const std::optional<Timing>& theirs) {
  if (!ours || !theirs) return {{"times_vendor", Json()}, {"times_vendor_range", Json()}};
  const Ratio ratio = make_ratio(*ours, *theirs);
  return {{"times_vendor", ratio.value}, {"times_vendor_range", {ratio.least, ratio.most}}};
}

std::string tried_text(const BaselineCount& count) {
  return fmt::format("{} of {}", count.tried, count.all);
}

bool is_library_missing(const Measurement& outcome) {
  const Baseline* const algorithm = find_baseline(outcome.design);
  return algorithm && !find_missing(*algorithm, outcome.reason).empty();
}

std::string missing_text(const std::vector<const Measurement*>& outcomes) {
  std::vector<std::pair<std::string, std::string>> names_of;  // a reason each
  for (const Measurement* const outcome : outcomes) {
    if (!is_library_missing(*outcome)) continue;
    const auto same = std::find_if(names_of.begin(), names_of.end(), [&](const auto& entry) {
      return entry.first == outcome->reason;
    });
    if (same == names_of.end()) {
      names_of.emplace_back(outcome->reason, outcome->design);
    } else {
      same->second += ", " + outcome->design;
    }
  }
  std::string text;
  for (const auto& [reason, names] : names_of)
    text += fmt::format("missing  {}: {}\n", names, reason);
  return text;
}

Json roofline_json(const Roofline& roofline) {
  return {{"copy_gb_per_s", roofline.copy_gb_per_s},
          {"read_gb_per_s", roofline.read_gb_per_s},
          {"gather_l2_per_ns", roofline.gather_l2_per_ns},
          {"gather_dram_per_ns", roofline.gather_dram_per_ns},
          {"empty_warm_us", roofline.empty_warm_us},
          {"empty_cold_us", roofline.empty_cold_us}};
}

std::string roofline_text(const Roofline& roofline) {
  return fmt::format(
      "memory   copies {:.0f} GB/s, reads {:.0f} GB/s, gathers {:.3g} sectors/ns from L2, {:.3g} "
      "from DRAM\n"
      "empty    a kernel that does nothing takes {:.3g} us warm, {:.3g} us cold\n",
      roofline.copy_gb_per_s, roofline.read_gb_per_s, roofline.gather_l2_per_ns,
      roofline.gather_dram_per_ns, roofline.empty_warm_us, roofline.empty_cold_us);
}

}  // namespace alphasparse
