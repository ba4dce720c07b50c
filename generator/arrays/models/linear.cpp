// linear: a * i + b.
#include "generator/arrays/model_kinds.h"

namespace alphasparse {

std::vector<Proposal> linear_models(const Integers& entries) {
  const std::int64_t step = usual_step(entries);
  return {{step == 0 ? "constant" : "linear", set_level(constant(step) * the_index(), entries)}};
}

}  // namespace alphasparse
