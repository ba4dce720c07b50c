// text_subjects: the kernels of targets that run none: every named design for GPUs, with and
// without compact. There are two regular matrices with arrays that are mostly computed from their
// index alone. Three others leave the sources of computed arrays stored: heads and words of fields,
// steps, codes. The last one is Hermitian.
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/battery.h"

namespace alphasparse {

std::vector<FormatSubject> make_format_subjects() {
  std::vector<FormatSubject> subjects;
  for (const char* const name :
       {"one_entry", "diagonal_32", "first_rows_empty", "runs_of_empty_rows", "wide_70x500"}) {
    add_named_subjects(battery_matrix(name), Target::gpu,
                       {"compact", "compact columns=deltas", "compact columns=packed"}, subjects);
  }
  const Matrix hermitian = complex_of(battery_matrix("diagonal_32"), Mirror::conjugate);
  for (const Dtype dtype : {Dtype::c64, Dtype::c128})
    add_named_subjects(hermitian, Target::gpu, {"compact", "compact values=coded"}, subjects,
                       dtype);
  return subjects;
}

}  // namespace alphasparse
