#include "operators/operator.h"

#include <fmt/format.h>

#include <sstream>

#include "base/result.h"
#include "operators/targets.h"

namespace alphasparse {

const char* stage_name(Stage stage) {
  static constexpr const char* names[] = {"converting", "mapping", "implementing"};
  return names[static_cast<int>(stage)];
}

std::int64_t Arguments::integer(std::string_view name) const { return std::stoll(text(name)); }

std::vector<std::int64_t> Arguments::integers(std::string_view name) const {
  std::vector<std::int64_t> values;
  std::istringstream entries(text(name));
  for (std::string entry; std::getline(entries, entry, ',');) values.push_back(std::stoll(entry));
  return values;
}

const std::string& Arguments::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  CHECK(found != values_.end());
  return found->second;
}

Operator weighed(Operator op, Weight weight, const OnCpu& on_cpu) {
  op.weight = weight;
  op.on_cpu = on_cpu;
  return op;
}

std::optional<std::string> cannot_apply(const Operator& op, const Store& store,
                                        const Arguments& arguments) {
  if (auto reason = cannot_have(op, store.target(), arguments)) return reason;
  if (auto reason = op.applies(store, arguments)) return reason;
  if (auto reason = cannot_on_cpu(op, store, arguments)) return reason;
  for (const Key key : op.required) {
    if (!store.has(key)) {
      return fmt::format("it needs {}, which no step has made", key_text(key));
    }
  }
  return std::nullopt;
}

}  // namespace alphasparse
