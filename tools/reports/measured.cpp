#include "tools/reports/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/device/vendor_kernels.h"
#include "runtime/device/vendor_library.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json count_json(std::int64_t count) { return count < 0 ? Json() : Json(count); }

std::string count_text(std::int64_t count) {
  return count < 0 ? "not known" : fmt::format("{}", count);
}

Json shortest_json(const std::optional<Timing>& timing) {
  return timing && timing->time_us_min > 0 ? Json(timing->time_us_min) : Json();
}

Json timing_json(const Timing& timing) {
  return {{"time_us", timing.time_us},
          {"time_us_min", shortest_json(timing)},
          {"time_us_p20", timing.time_us_p20},
          {"time_us_p80", timing.time_us_p80},
          {"samples", timing.samples},
          {"registers", count_json(timing.registers)},
          {"spill_bytes", count_json(timing.spill_bytes)},
          {"sectors", count_json(timing.sectors)},
          {"dram_bytes", count_json(timing.dram_bytes)},
          {"sm_mhz", count_json(timing.sm_mhz)},
          {"slowed", timing.slowed},
          {"noisy", timing.noisy},
          {"rounds", timing.rounds},
          {"note", timing.note}};
}

Json us_json(double us) { return us < 0 ? Json() : Json(us); }

std::optional<double> known(const Result<double>& number) {
  return number ? std::optional(*number) : std::nullopt;
}

std::string empty_text(std::optional<double> empty_us) {
  if (!empty_us) return "";
  return fmt::format("empty    a kernel that does nothing takes {:.3g} us\n", *empty_us);
}

Json measurement_json(const Measurement& outcome) {
  Json json = {{"design", outcome.design}, {"status", status_name(outcome.status)}};
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  json["format_bytes"] = count_json(outcome.format_bytes);
  json["convert_us"] = us_json(outcome.convert_us);
  json["load_us"] = us_json(outcome.load_us);
  if (outcome.timing) json.update(timing_json(*outcome.timing));
  return json;
}

Json peer_json(const Measurement& outcome) {
  const VendorAlgorithm* const algorithm = find_vendor_algorithm(outcome.design);
  const std::optional<Timing>& timing = outcome.timing;
  const LibraryFacts facts = timing ? library_of(timing->note) : LibraryFacts();
  const auto text_json = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  Json json = {{"name", outcome.design},
               {"library", algorithm ? Json(algorithm->library) : Json()},
               {"version", text_json(facts.version)},
               {"code_path", text_json(facts.code_path)},
               {"status", status_name(outcome.status)}};
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  json["verified"] = outcome.verified;
  json["time_us"] = timing ? Json(timing->time_us) : Json();
  json["time_us_min"] = shortest_json(timing);
  return json;
}

bool is_library_missing(const Measurement& outcome) {
  const VendorAlgorithm* const algorithm = find_vendor_algorithm(outcome.design);
  return algorithm && is_library_missing(algorithm->library, outcome.reason);
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
