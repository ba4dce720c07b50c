#include "operators/named_designs.h"

#include <algorithm>

#include "generator/store.h"
#include "operators/catalogue.h"

namespace alphasparse {

const std::vector<NamedDesign>& named_designs() {
  static const std::vector<NamedDesign> all = {
      {"csr-scalar",
       "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256",
       "One thread a row over plain CSR (Bell, Garland 2009). Good for short rows of equal length; "
       "neighbouring "
       "threads read far apart, and one long row holds up its warp."},
      {"csr-vector",
       "compress | thread_cols lanes=32 | thread_total | warp_total | global_store | launch "
       "threads=256",
       "A warp, or a part of one, a row over plain CSR (Bell, Garland 2009). Good for rows of some "
       "dozen entries "
       "and more; `lanes` near the mean row length keeps lanes busy."},
      {"csr-stream",
       "compress | block_rows nnz=1024 | thread_nnz nnz=1 | thread_total | shared_offset | "
       "global_store | launch threads=256",
       "The stream case of CSR-Adaptive: a block multiplies neighbouring rows of at most 1024 "
       "entries into shared memory, reading without gaps, then adds up each row's slice; a longer "
       "row has a block to itself (Greathouse, Daga 2014). Good for short rows of any lengths; "
       "costs shared memory and a barrier."},
      {"merge-csr",
       "compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | "
       "shared_offset | global_carry | launch threads=128",
       "Equal numbers of row ends and non-zeros a thread over plain CSR; rows that blocks share "
       "are "
       "added by a second launch (Merrill, Garland 2016). Good whatever the row lengths are, many "
       "empty rows included; the same bits in every run."},
      {"coo", "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256",
       "One thread an entry, every product added to y atomically (Bell, Garland 2009, there with a "
       "segmented sum). Good for a handful of entries in many empty rows, as the rest of a hybrid; "
       "atomics rule it out elsewhere."},
      {"row-grouped-csr",
       "compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave | "
       "thread_total | global_store | launch threads=128",
       "Groups of as many rows as a block has threads, each padded to its own longest row and "
       "stored column by column (Oberhuber, Suzuki, Vacata 2011). Good where neighbouring rows "
       "have similar lengths; one long row pads its group only."},
      {"ell",
       "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
       "launch "
       "threads=256",
       "Every row padded to the longest, stored column by column (Grimes, Kincaid, Young 1979; "
       "Bell, Garland "
       "2009). Good where all rows are nearly equal; one long row pads all the others."},
      {"sell-c-sigma",
       "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
       "thread_pad | "
       "interleave | thread_total | global_store | launch threads=256",
       "Slices of C = 32 rows padded on their own, rows sorted by length inside bands of sigma "
       "(Kreutzer, Hager, "
       "Wellein, Fehske, Bishop 2014). Good for moderately uneven rows."},
      {"csr5",
       "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
       "warp_segment | "
       "global_atomic | launch threads=128",
       "Tiles of equal numbers of non-zeros, stored transposed, added by a segmented sum (Liu, "
       "Vinter 2015). Good "
       "whatever the row lengths are; costs a word a thread and atomics at the tiles' edges."},
  };
  return all;
}

std::string resolve_design(const std::string& name_or_text) {
  for (const NamedDesign& design : named_designs()) {
    if (design.name == name_or_text) return std::string(design.line);
  }
  return name_or_text;
}

namespace {

/// The places of a design that have a coarse grid.
struct Axis {
  std::size_t step;
  std::string parameter;
  std::vector<std::int64_t> values;
};

std::vector<Axis> axes_of(const Design& design, const RowFacts& rows) {
  std::vector<Axis> axes;
  for (std::size_t step = 0; step < design.steps.size(); ++step) {
    for (const ParameterSpec& spec : find_operator(design.steps[step].op)->parameters) {
      if (!spec.coarse) continue;
      for (const Parameter& given : design.steps[step].parameters) {
        if (spec.one_stays && given.value == "1") continue;
        if (given.name == spec.name) axes.push_back({step, given.name, spec.coarse(rows)});
      }
    }
  }
  return axes;
}

void set_parameter(Step& step, const std::string& name, std::int64_t value) {
  for (Parameter& parameter : step.parameters) {
    if (parameter.name == name) parameter.value = std::to_string(value);
  }
}

/// Sets the parameters that follow from the next step's.
void set_tied_parameters(Design& design) {
  for (std::size_t step = 0; step + 1 < design.steps.size(); ++step) {
    for (const ParameterSpec& spec : find_operator(design.steps[step].op)->parameters) {
      if (spec.times_next == 0) continue;
      for (const Parameter& next : design.steps[step + 1].parameters) {
        if (next.name != spec.name) continue;
        set_parameter(design.steps[step], next.name, spec.times_next * std::stoll(next.value));
      }
    }
  }
}

}  // namespace

std::vector<std::string> coarse_variants(const std::string& line, const Matrix& matrix,
                                         std::size_t most) {
  const Result<Design> parsed = parse_design(line);
  CHECK(parsed.ok());
  const Design design = *canonical_design(*parsed);
  const std::vector<Axis> axes = axes_of(design, row_facts(matrix.row_first));
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.values.size();
  std::vector<std::string> lines;
  for (std::size_t index = 0; index < count; ++index) {
    Design variant = design;
    std::size_t rest = index;
    for (const Axis& axis : axes) {
      set_parameter(variant.steps[axis.step], axis.parameter,
                    axis.values[rest % axis.values.size()]);
      rest /= axis.values.size();
    }
    set_tied_parameters(variant);
    const std::string text = print_design(variant);
    const bool known =
        text == print_design(design) || std::find(lines.begin(), lines.end(), text) != lines.end();
    if (!known) lines.push_back(text);
  }
  if (lines.size() <= most) return lines;
  std::vector<std::string> spread;
  for (std::size_t i = 0; i < most; ++i) spread.push_back(lines[i * lines.size() / most]);
  return spread;
}

}  // namespace alphasparse
