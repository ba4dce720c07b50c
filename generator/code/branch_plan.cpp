#include "generator/code/branch_plan.h"

namespace alphasparse {

const char* sink_fragment(Sink sink) {
  static constexpr const char* names[] = {"global_store", "global_add", "global_atomic"};
  return names[static_cast<int>(sink)];
}

}  // namespace alphasparse
