#include "generator/code/branch_plan.h"

namespace alphasparse {

const char* epilogue_fragment(Epilogue epilogue) {
  static constexpr const char* names[] = {"global_store", "global_add", "global_atomic"};
  return names[static_cast<int>(epilogue)];
}

}  // namespace alphasparse
