#include "tests/support/refused_cases.h"

namespace alphasparse {

const std::vector<RefusedCase>& refused_cases() {
  static const std::vector<RefusedCase> cases = [] {
    std::vector<RefusedCase> all;
    for (const auto of_subject :
         {refused_lines, refused_cuts, refused_reductions, refused_sinks, refused_mirrors}) {
      for (const RefusedCase& entry : of_subject()) all.push_back(entry);
    }
    return all;
  }();
  return cases;
}

}  // namespace alphasparse
