// thread_terms: the number of terms that a thread adds up, as far as the plan of a branch knows it,
// and the call that suits it. A term is a product, or the sum of those that a wide load brings.
#pragma once
#include "generator/arrays/fragment.h"
#include "generator/code/composition.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// The call by which a step adds up a thread's terms.
struct TermsCall {
  const Fragment* fragment;
  bool is_single = false;  ///< every thread has exactly one term, which is the sum
  int batch = 1;           ///< for TemplateRole::batch
  int count = 0;           ///< for TemplateRole::count
  InFlight in_flight = {};
};

/// For a step whose fragment takes nothing, on the layout that `reads` belongs to.
TermsCall call_of_terms(const Composition& composition, const FragmentStep& step,
                        const Reads& reads);

}  // namespace alphasparse
