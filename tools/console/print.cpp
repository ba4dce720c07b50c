#include "tools/console/print.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace alphasparse {

void print_report(bool is_json, const std::string& report) {
  fmt::print("{}", is_json ? printable_json(report) : printable_lines(report));
}

}  // namespace alphasparse
