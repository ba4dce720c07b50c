#include "operators/operator.h"

#include "generator/result.h"

namespace alphasparse {

const char* stage_name(Stage stage) {
  static constexpr const char* names[] = {"converting", "mapping", "implementing"};
  return names[static_cast<int>(stage)];
}

std::int64_t Arguments::integer(std::string_view name) const { return std::stoll(word(name)); }

const std::string& Arguments::word(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  CHECK(found != values_.end());
  return found->second;
}

}  // namespace alphasparse
