#include "tests/support/rejected_cases.h"

namespace alphasparse {

const std::vector<RejectedCase>& rejected_cases() {
  static const std::vector<RejectedCase> cases = [] {
    std::vector<RejectedCase> all;
    for (const auto of_subject : {rejected_lines, rejected_layouts, rejected_reductions,
                                  rejected_epilogues, rejected_mirrors}) {
      for (const RejectedCase& entry : of_subject()) all.push_back(entry);
    }
    return all;
  }();
  return cases;
}

}  // namespace alphasparse
