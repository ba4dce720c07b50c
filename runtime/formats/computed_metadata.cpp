#include "runtime/formats/computed_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "generator/computed_facts.h"
#include "runtime/formats/expression_json.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// Beside what is computed for stored positions, rows and columns there are tensors of the host's,
/// so a long array is no longer than its file; what claims to be would keep a reader busy.
std::int64_t count_most(const host::Header& header) {
  constexpr std::int64_t few = 1 << 20;
  if (header.tensors.empty()) return few;
  return std::max(few, static_cast<std::int64_t>(header.tensors.back().end));
}

std::int64_t count_of(const Json& json, std::int64_t most) {
  const auto count = json.get<std::int64_t>();
  if (count < 0 || count > most) throw host::BadFile("a computed array is longer than its file");
  return count;
}

std::string entry_text(const Expression& entry) {
  return text_of(entry, [](const std::string& array, const std::string& index) {
    return fmt::format("{}({})", array, index);
  });
}

/// No array is computed from itself, and none by way of many others.
void check_depth(const std::map<std::string, Expression>& entries) {
  constexpr int levels_most = 8;
  const std::function<void(const Expression&, int)> visit = [&](const Expression& entry, int left) {
    if (left == 0) throw host::BadFile("computed arrays come from each other");
    for_each(entry, [&](const Expression& part) {
      const auto found = entries.find(part.array);
      if (found != entries.end()) visit(found->second, left - 1);
    });
  };
  for (const auto& [name, entry] : entries) visit(entry, levels_most);
}

}  // namespace

std::string computed_json(const Kernel& kernel) {
  const std::vector<const ComputedArray*> checked = arrays_to_check(kernel);
  Json computed = Json::array();
  for (const ComputedArray& array : kernel.computed) {
    computed.push_back({{"name", array.name},
                        {"shape", {array.count}},
                        {"layout", array.doc},
                        {"how", array.how},
                        {"entry", expression_json(array.entry)}});
    if (std::find(checked.begin(), checked.end(), &array) == checked.end()) continue;
    computed.back()["least"] = array.range->least;
    computed.back()["most"] = array.range->most;
    computed.back()["ascending"] = array.range->ascending;
  }
  return computed.dump(-1, ' ', true);
}

std::string steps_json(const Kernel& kernel) {
  Json steps = Json::array();
  for (const StepWalk& walk : kernel.steps) {
    steps.push_back({{"name", walk.name},
                     {"first", expression_json(walk.first)},
                     {"step", expression_json(walk.step)},
                     {"first_thread", expression_json(walk.first_thread)},
                     {"first_position", expression_json(walk.first_position)},
                     {"parents", walk.parents},
                     {"stride", walk.stride},
                     {"least", walk.least},
                     {"most", walk.most}});
  }
  return steps.dump(-1, ' ', true);
}

const char* ComputedMetadata::keep(std::string text) {
  return texts_.emplace_back(std::move(text)).c_str();
}

ComputedMetadata::ComputedMetadata(const host::Header& header) {
  const std::int64_t most = count_most(header);
  const auto text = [&](const Json& json) { return keep(entry_text(expression_of(json))); };
  std::map<std::string, Expression> entries;
  try {
    for (const Json& json : Json::parse(header.text("computed"))) {
      if (!json.contains("least")) continue;
      const auto name = json.at("name").get<std::string>();
      entries[name] = expression_of(json.at("entry"));
      computed.push_back({keep(name), text(json.at("entry")),
                          count_of(json.at("shape").at(0), most), json.at("least"), json.at("most"),
                          json.at("ascending")});
    }
    for (const Json& json : Json::parse(header.text("steps"))) {
      steps.push_back({keep(json.at("name")), text(json.at("first")), text(json.at("step")),
                       text(json.at("first_thread")), text(json.at("first_position")),
                       count_of(json.at("parents"), most), json.at("stride"), json.at("least"),
                       json.at("most")});
      if (steps.back().stride < 1) throw host::BadFile("steps with a stride below 1");
    }
  } catch (const nlohmann::json::exception& error) {
    throw host::BadFile(std::string("metadata \"computed\" or \"steps\": ") + error.what());
  }
  check_depth(entries);
}

}  // namespace alphasparse
