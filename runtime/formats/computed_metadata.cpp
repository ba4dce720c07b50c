#include "runtime/formats/computed_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "generator/text/computed_checks.h"
#include "runtime/formats/expression_json.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// Arrays that are computed for stored positions, rows and columns stand beside tensors of the
/// host, so a long array is no longer than its file. An array that claims more would keep a reader
/// busy.
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

/// The arrays that a file says are computed, and what it takes to compute them.
class Workload {
 public:
  explicit Workload(const host::Header& header) : header_(header) {}

  void add(const std::string& name, Expression entry, std::int64_t count) {
    const bool is_new = arrays_.try_emplace(name, Computed{std::move(entry), count}).second;
    if (!is_new || header_.find(name)) {
      throw host::BadFile("two arrays are called \"" + name + "\"");
    }
  }

  /// Checks that no array depends on itself, or on a long chain of others, and that computing all
  /// takes little time.
  void check() {
    const auto& tensors = header_.tensors;
    const double bytes = tensors.empty() ? 0 : static_cast<double>(tensors.back().end);
    double parts = 0;
    for (auto& [name, array] : arrays_) {
      weigh(array, 0);
      parts += static_cast<double>(array.count) * array.parts;
    }
    if (parts > parts_most + parts_a_byte_most * bytes) {
      throw host::BadFile("the computed arrays take too long to compute");
    }
  }

 private:
  static constexpr int levels_most = 8;
  // An entry of ten bytes or more, its host-only tensors included, takes under a hundred.
  static constexpr double parts_most = 1e8, parts_a_byte_most = 100;

  struct Computed {
    Expression entry;
    std::int64_t count;
    double parts = 0;  ///< of expressions that one entry takes; 0: not weighed yet
    int levels = 0;    ///< of computed arrays that it depends on
  };

  void weigh(Computed& array, int levels_above) {
    if (array.parts > 0) return;
    double parts = 0;
    for_each(array.entry, [&](const Expression& part) {
      ++parts;
      const auto found = arrays_.find(part.array);
      if (found == arrays_.end()) return;
      if (levels_above < levels_most) weigh(found->second, levels_above + 1);
      parts += found->second.parts;
      array.levels = std::max(array.levels, 1 + found->second.levels);
    });
    if (levels_above + array.levels >= levels_most) {
      throw host::BadFile("computed arrays come from each other");
    }
    array.parts = parts;
  }

  const host::Header& header_;
  std::map<std::string, Computed> arrays_;
};

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

std::string rules_json(const Kernel& kernel) {
  const Rules rules = rules_to_check(kernel);
  Json entries = Json::array(), spans = Json::array(), bits = Json::array();
  for (const EntryRule& rule : rules.entries) {
    entries.push_back({{"name", rule.name},
                       {"entry", expression_json(rule.entry)},
                       {"count", rule.count},
                       {"least", rule.least},
                       {"most", rule.most}});
  }
  for (const SpanRule& rule : rules.spans) {
    spans.push_back({{"name", rule.name},
                     {"first", expression_json(rule.first)},
                     {"base", expression_json(rule.base)},
                     {"entry", expression_json(rule.entry)},
                     {"parents", rule.parents},
                     {"least", rule.least},
                     {"most", rule.most}});
  }
  for (const BitRule& rule : rules.bits) {
    bits.push_back({{"name", rule.name},
                    {"words", rule.words},
                    {"base", expression_json(rule.base)},
                    {"items", rule.items},
                    {"bits", rule.bits},
                    {"period", rule.period},
                    {"least", rule.least},
                    {"most", rule.most}});
  }
  return Json{{"entries", entries}, {"spans", spans}, {"bits", bits}}.dump(-1, ' ', true);
}

ComputedNumbers computed_numbers(const host::Header& header) {
  const std::int64_t most = count_most(header);
  ComputedNumbers numbers;
  Workload workload(header);
  try {
    for (const Json& json : Json::parse(header.text("computed"))) {
      if (!json.contains("least")) continue;
      ComputedArray& array = numbers.arrays.emplace_back();
      array.name = json.at("name").get<std::string>();
      array.entry = expression_of(json.at("entry"));
      array.count = count_of(json.at("shape").at(0), most);
      array.range = EntryRange{json.at("least"), json.at("most"), json.at("ascending")};
      workload.add(array.name, array.entry, array.count);
    }
    for (const Json& json : Json::parse(header.text("steps"))) {
      StepWalk& walk = numbers.steps.emplace_back();
      walk.name = json.at("name").get<std::string>();
      walk.first = expression_of(json.at("first"));
      walk.step = expression_of(json.at("step"));
      walk.first_thread = expression_of(json.at("first_thread"));
      walk.first_position = expression_of(json.at("first_position"));
      walk.parents = count_of(json.at("parents"), most);
      walk.stride = count_of(json.at("stride"), most);
      walk.least = json.at("least");
      walk.most = json.at("most");
      if (walk.stride < 1) throw host::BadFile("steps with a stride below 1");
    }
  } catch (const nlohmann::json::exception& error) {
    throw host::BadFile(std::string("metadata \"computed\" or \"steps\": ") + error.what());
  }
  workload.check();
  return numbers;
}

}  // namespace alphasparse
