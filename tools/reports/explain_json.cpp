// explain_json: the JSON half of reports/explain.h.
#include <algorithm>
#include <string>

#include "tools/reports/explain.h"
#include "tools/reports/measured.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// A time in us by each limit, under names that go on "_us"; the longest of them.
Json limits_json(const std::optional<Timing>& timing) {
  if (!timing || !timing->limits) return nullptr;
  Json json = Json::object();
  for (const auto& [name, us] : limit_list(*timing->limits)) {
    std::string key(name);
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key + "_us"] = us;
  }
  json["bound_by"] = longest_limits(*timing->limits).front().first;
  return json;
}

/// How an outcome compares with the winner; null where either has no time.
Json comparison_json(const TuneResult& result, const Measurement& outcome) {
  Json json = measurement_json(outcome);
  const Measurement& winner = *result.winner;
  const bool timed = outcome.timing && outcome.verified && winner.timing;
  json["time_ratio"] = timed ? Json(outcome.timing->time_us / winner.timing->time_us) : Json();
  json["bytes_ratio"] = outcome.format_bytes && winner.format_bytes.value_or(0) > 0
                            ? Json(static_cast<double>(*outcome.format_bytes) /
                                   static_cast<double>(*winner.format_bytes))
                            : Json();
  json["tie"] =
      timed ? Json(is_tie(result.device.kind, outcome.timing->time_us, winner.timing->time_us))
            : Json();
  return json;
}

Json limited_json(const TuneResult& result, const Measurement& outcome) {
  Json json = comparison_json(result, outcome);
  json["limits"] = limits_json(outcome.timing);
  return json;
}

Json step_json(const TuneResult& result, const Reverted& reverted) {
  const Reversion& reversion = reverted.reversion;
  Json json = {{"step", reversion.step}, {"branch", reversion.branch}, {"what", reversion.what}};
  json["legal"] = reversion.reached ? Json(reversion.design.has_value()) : Json();
  if (!reversion.design) json["why_not"] = reversion.rejection;
  if (reversion.design) json["design"] = reversion.design->text();
  json["tried"] = reverted.outcome.has_value();
  if (reverted.outcome) json.update(comparison_json(result, *reverted.outcome));
  return json;
}

}  // namespace

Json explanation_json(const TuneResult& result, std::optional<double> empty_us) {
  Json json = Json::object();
  json["tier"] = tier_name(result.tier);
  json["winner"] = limited_json(result, *result.winner);
  json["empty_us"] = empty_us ? Json(*empty_us) : Json();
  json["pfs"] = result.pfs ? limited_json(result, *result.pfs) : Json();
  json["explained"] = result.explanation ? Json(result.explanation->design) : Json();
  json["steps"] = Json::array();
  json["beaten"] = Json::array();
  json["tried"] = 0;
  json["trials"] = result.trials_explaining;
  if (result.explanation) {
    for (const Reverted& reverted : result.explanation->steps)
      json["steps"].push_back(step_json(result, reverted));
    json["beaten"] = result.explanation->beaten;
    json["tried"] = result.explanation->tried;
  }
  const Measurement* const other = best_of_other_structure(result.outcomes, result.winner->design);
  json["runner_up"] = other ? comparison_json(result, *other) : Json();
  json["pruned"] = Json::array();
  for (const PrunedClass& one : pruned_classes(result.outcomes))
    json["pruned"].push_back(
        {{"reason", one.reason}, {"designs", one.designs}, {"example", one.example}});
  json["bans"] = Json::array();
  for (const auto& [rule, steps] : result.prunes)
    json["bans"].push_back({{"rule", rule}, {"steps", steps}});
  return json;
}

}  // namespace alphasparse
