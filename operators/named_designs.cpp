#include "operators/named_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "generator/facts/store.h"
#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"

namespace alphasparse {

const std::vector<NamedDesign>& named_designs() {
  static const std::vector<NamedDesign> all = {
      {"csr-scalar",
       "compress | thread_rows rows=1 | thread_total batch=8 | global_store | launch threads=256",
       "One thread a row over plain CSR (Bell, Garland 2009). Good for short rows of equal "
       "length. Neighbouring threads read far apart, and one long row holds up its warp.",
       "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes"},
      {"csr-vector",
       "compress | thread_cols lanes=32 | thread_total batch=8 | warp_total | global_store | "
       "launch threads=256",
       "A warp, or some lanes of one, adds each row of plain CSR (Bell, Garland 2009). Good for "
       "rows of some dozen entries and more. `lanes` near the mean row length keeps lanes busy.",
       "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch "
       "tasks=bytes"},
      {"csr-stream",
       "compress | block_rows nnz=1024 | thread_nnz nnz=1 | thread_total | shared_offset | "
       "global_store | launch threads=256",
       "The stream case of CSR-Adaptive (Greathouse, Daga 2014). A block multiplies neighbouring "
       "rows of at most 1024 entries into shared memory, and reads without gaps. Then it adds up "
       "each row's slice. A longer row has a block to itself. Good for short rows of any "
       "lengths. It costs shared memory and a barrier.",
       ""},
      {"merge-csr",
       "compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | "
       "shared_offset | global_carry | launch threads=128",
       "Each thread takes equally many row ends and non-zeros, counted together, of plain CSR "
       "(Merrill, Garland 2016). A second launch adds the rows that blocks share. Good for any "
       "row lengths, many empty rows included. Every run gives the same bits.",
       "compress | thread_merge_path items=256 | thread_merge | global_atomic | launch "
       "tasks=bytes"},
      {"acsr",
       "bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | global_store "
       "| launch threads=256 } { compress | thread_cols lanes=2 | thread_total | warp_total | "
       "global_store | launch threads=256 } { compress | thread_cols lanes=4 | thread_total | "
       "warp_total | global_store | launch threads=256 } { compress | thread_cols lanes=8 | "
       "thread_total | warp_total | global_store | launch threads=256 } { compress | thread_cols "
       "lanes=16 | thread_total | warp_total | global_store | launch threads=256 } { compress | "
       "thread_cols lanes=32 | thread_total | warp_total | global_store | launch threads=256 } { "
       "compress | block_rows rows=1 | thread_cols width=1 | thread_total | warp_total | "
       "shared_total | global_store | launch threads=256 }",
       "Rows lie in bins by length (Ashari, Sedaghati, Eisenlohr, Parthasarathy, Sadayappan "
       "2014). Each bin has as many lanes a row as its rows fill. The longest rows have a block "
       "each. Good for power laws. It costs a launch a bin.",
       "bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | "
       "global_store | launch tasks=bytes } { compress | thread_cols lanes=2 | thread_total | "
       "warp_total | global_store | launch tasks=bytes } { compress | thread_cols lanes=4 | "
       "thread_total | warp_total | global_store | launch tasks=bytes } { compress | "
       "thread_cols lanes=8 | thread_total | warp_total | global_store | launch tasks=bytes } "
       "{ compress | thread_cols lanes=16 | thread_total | warp_total | global_store | launch "
       "tasks=bytes } { compress | thread_cols lanes=32 | thread_total | warp_total | "
       "global_store | launch tasks=bytes } { compress | thread_cols lanes=32 | thread_total "
       "| warp_total | global_store | launch tasks=bytes }"},
      {"coo", "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256",
       "One thread an entry adds its product to y atomically (Bell, Garland 2009, there with a "
       "segmented sum). Good for a handful of entries in many empty rows, as the rest of a "
       "hybrid. Atomics rule it out elsewhere.",
       "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes"},
      {"row-grouped-csr",
       "compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave | "
       "thread_total batch=8 | global_store | launch threads=128",
       "Groups have as many rows as a block has threads (Oberhuber, Suzuki, Vacata 2011). Each "
       "is padded to its own longest row and stored column by column. Good where neighbouring "
       "rows have similar lengths. One long row pads its group only.",
       "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
       "thread_total | global_store | launch tasks=bytes"},
      {"ell",
       "compress | thread_rows rows=1 | thread_pad | interleave | thread_total batch=8 | "
       "global_store | launch threads=256",
       "Every row is padded to the longest and stored column by column (Grimes, Kincaid, Young "
       "1979; Bell, Garland 2009). Good where all rows are nearly equal. One long row pads all "
       "the others.",
       "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store "
       "| launch tasks=bytes"},
      {"ellpack-r",
       "compress | thread_rows rows=1 | thread_pad length=own | interleave | thread_total "
       "batch=8 | global_store | launch threads=256",
       "ELL with the length of each row beside it (Vazquez, Fernandez, Garzon 2011). A thread "
       "stops where its row ends and never reads a pad. Good where rows are of similar length, "
       "but not equal. The pads still take memory.",
       ""},
      {"jds",
       "sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | "
       "global_store | launch threads=256",
       "Rows are sorted by length and stored by jagged diagonals, without any pad (Saad 1989). "
       "Such a diagonal holds the k-th entries of all rows that have one. Good for uneven rows "
       "that ELL would pad. Sorting scatters the rows' reads of x and their writes of y.",
       "sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | "
       "global_store | launch tasks=bytes"},
      {"sell-c-sigma",
       "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
       "thread_pad | "
       "interleave | thread_total batch=8 | global_store | launch threads=256",
       "Slices of C = 32 rows are padded on their own (Kreutzer, Hager, Wellein, Fehske, Bishop "
       "2014). Rows are sorted by length inside bands of sigma. Good for moderately uneven rows.",
       "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
       "thread_pad | interleave | thread_total | global_store | launch tasks=bytes"},
      {"csr5",
       "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
       "warp_segment | "
       "global_atomic | launch threads=128",
       "Tiles of equal numbers of non-zeros are stored transposed and added by a segmented sum "
       "(Liu, Vinter 2015). Good for any row lengths. It costs a word a thread, and atomics at "
       "the tiles' edges.",
       "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
       "warp_segment | global_atomic | launch tasks=bytes"},
      {"hyb",
       "ell_peel width=third { compress | thread_rows rows=1 | thread_pad | interleave | "
       "thread_total | global_store | launch threads=256 } { compress | thread_nnz nnz=1 | "
       "thread_total | global_atomic | launch threads=256 }",
       "ELL takes of each row as many entries as a third of the rows have, and coordinates take "
       "the rest (Bell, Garland 2009). Good where most rows are nearly equal and a few are much "
       "longer.",
       "ell_peel width=third { compress | thread_rows rows=1 | thread_pad | interleave | "
       "thread_total | global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | "
       "thread_total | global_atomic | launch tasks=bytes }"},
      {"dia",
       "diagonal_peel share=0 { thread_rows rows=1 | thread_pad | interleave | thread_total | "
       "global_store | launch threads=256 } { compress | thread_nnz nnz=1 | thread_total | "
       "global_atomic | launch threads=256 }",
       "Every diagonal that holds an entry is stored in full (Saad, SPARSKIT 1990; Bell, Garland "
       "2009). Good for stencils on grids. A higher `share` leaves thin diagonals to the second "
       "branch.",
       "diagonal_peel share=0 { thread_rows rows=1 | thread_pad | interleave | thread_total | "
       "global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | "
       "global_atomic | launch tasks=bytes }"},
      {"bsr",
       "dense_block_peel rows=3 cols=3 share=0 { warp_rows rows=3 | thread_cols lanes=8 | "
       "thread_total | warp_total | global_store | launch threads=256 } { compress | thread_nnz "
       "nnz=1 | thread_total | global_atomic | launch threads=256 }",
       "Aligned blocks are stored in full (Pinar, Heath 1999; as in SPARSKIT). Good for meshes "
       "with several unknowns a node, because their entries come in dense blocks. A higher "
       "`share` leaves thin blocks to the second branch.",
       "dense_block_peel rows=3 cols=3 share=0 { warp_rows rows=3 | thread_cols lanes=8 | "
       "thread_total | warp_total | global_store | launch tasks=bytes } { compress | "
       "thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }"},
      {"bsell",
       "dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands "
       "bands=32 | thread_bands | thread_pad | interleave | thread_total | global_store | launch "
       "threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
       "threads=256 }",
       "New: each thread has a row of aligned blocks. Slices are padded on their own and stored "
       "as sell-c-sigma stores rows. A block has one column, and each element of x that is read "
       "serves all of its rows. Good for meshes with several unknowns a node.",
       "dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands "
       "bands=8 | thread_bands | thread_pad | interleave | thread_total | global_store | launch "
       "tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
       "tasks=bytes }"},
      {"runs",
       "dense_block_peel rows=2 cols=2 share=0 from=entry { sort_rows_in_bands rows=1024 | "
       "warp_bands bands=32 | thread_bands | thread_pad | interleave | thread_total | global_store "
       "| launch threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | "
       "launch threads=256 }",
       "Blocks of neighbouring columns begin at any entry and lie in the slices of bsell. They "
       "are those of SPC5 without its masks (Bramas, Kus 2018). On a CPU one load brings the "
       "elements of x of a whole run. Good where the columns of a row are neighbours. The places "
       "without an entry are stored.",
       "dense_block_peel rows=2 cols=2 share=0 from=entry { sort_rows_in_bands rows=1024 | "
       "warp_bands bands=8 | thread_bands | thread_pad | interleave run=cols | thread_total | "
       "global_store | compact columns=narrow structure=narrow values=full | launch tasks=bytes } "
       "{ compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }"},
      {"band-dia",
       "compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | "
       "thread_total | global_store | launch threads=256",
       "New: DIA band by band. The rows of a warp store the diagonals that any of them touches, "
       "and these read x in order. Good for stencils with diagonals that change along the "
       "matrix, as at the edges of a grid. Good also for stencils that are numbered piece by "
       "piece.",
       "compress | warp_rows rows=64 | thread_rows rows=1 | warp_diagonals | interleave | "
       "thread_total | global_store | launch tasks=bytes"},
      {"mix", "",
       "New: SELL of blocks of one row by four columns, which start at any entry. Single entries "
       "lie behind them in the same slice. Whole blocks of x are loaded at once. Good where rows "
       "have "
       "runs of neighbours, and entries between these.",
       "compress blocks=4 | sort_rows_in_bands rows=1024 | warp_rows rows=16 | thread_rows rows=1 "
       "| "
       "thread_pad | interleave | thread_total | global_store | launch tasks=bytes"},
  };
  return all;
}

std::vector<NamedDesign> named_designs(Target target) {
  std::vector<NamedDesign> all = named_designs();
  for (NamedDesign& design : all) design.line = design.target_line(target);
  std::erase_if(all, [](const NamedDesign& design) { return design.line.empty(); });
  return all;
}

std::string resolve_design(const std::string& name_or_text, Target target) {
  for (const NamedDesign& design : named_designs()) {
    if (design.name != name_or_text) continue;
    if (!design.target_line(target).empty()) return std::string(design.target_line(target));
    throw Error(fmt::format(
        "{} does not exist on a {}; `alphasparse designs` lists those that do", design.name,
        target == Target::cpu ? "CPU, whose cores have neither threads that share memory nor lanes "
                                "that end apart"
                              : "GPU, whose threads load one element of x each"));
  }
  return name_or_text;
}

namespace {

constexpr std::size_t combinations_max = 4096;

/// The places of a design that have a coarse grid.
struct Axis {
  std::size_t step;  ///< counted over all branches
  std::string parameter;
  std::vector<std::string> values;  ///< the design's own among them
};

Axis make_axis(std::size_t step, const Parameter& given, const std::vector<std::int64_t>& grid) {
  Axis axis{step, given.name, {}};
  for (const std::int64_t value : grid) axis.values.push_back(std::to_string(value));
  if (std::find(axis.values.begin(), axis.values.end(), given.value) == axis.values.end())
    axis.values.push_back(given.value);
  return axis;
}

std::vector<Axis> make_axes(const Design& design, const RowFacts& rows) {
  std::vector<Axis> axes;
  const Target target = find_target(design).value_or(Target::gpu);
  std::size_t index = 0;
  for_each_step(design, [&](const Step& step) {
    for (const ParameterSpec& spec : find_operator(step.op)->parameters) {
      const CoarseGrid coarse = get_coarse(spec, target);
      if (!coarse) continue;
      for (const Parameter& given : step.parameters) {
        if (spec.one_stays && given.value == "1") continue;
        if (given.name == spec.name) axes.push_back(make_axis(index, given, coarse(rows)));
      }
    }
    ++index;
  });
  return axes;
}

}  // namespace

CanonicalDesign make_canonical(const NamedDesign& named, Target target) {
  const Result<CanonicalDesign> design = CanonicalDesign::read(named.target_line(target));
  CHECK(design.ok());
  return *design;
}

Designs canonical_named_designs(Target target) {
  Designs designs;
  for (const NamedDesign& named : named_designs(target)) {
    designs.push_back(make_canonical(named, target));
  }
  return designs;
}

std::vector<std::string> named_lines(Target target) {
  return list_texts(canonical_named_designs(target));
}

namespace {

constexpr std::size_t designs_each = 16;  // designs, for each that may be chosen

/// At most so many of the designs, in their order. Even stretches of them give their first ones,
/// then their second ones, and so on, as far as they are wanted.
Designs spread(const Designs& designs, std::size_t most,
               const std::function<bool(const CanonicalDesign&)>& wanted) {
  const std::size_t parts = std::min(most, designs.size());
  std::set<std::size_t> chosen;
  std::size_t left = designs_each * parts;
  for (std::size_t turn = 0; turn < designs.size() && left > 0; ++turn) {
    bool is_over = true;
    for (std::size_t part = 0; part < parts && chosen.size() < parts && left > 0; ++part) {
      const std::size_t at = part * designs.size() / parts + turn;
      if (at >= (part + 1) * designs.size() / parts) continue;
      is_over = false;
      --left;
      if (!wanted || wanted(designs[at])) chosen.insert(at);
    }
    if (is_over) break;
  }
  Designs all;
  for (const std::size_t at : chosen) all.push_back(designs[at]);
  return all;
}

}  // namespace

Designs coarse_variants(const CanonicalDesign& design, const Matrix& matrix, std::size_t most,
                        const std::function<bool(const CanonicalDesign&)>& wanted) {
  const std::vector<Axis> axes = make_axes(design.tree(), row_facts(matrix.row_first));
  double count = 1;
  for (const Axis& axis : axes) count *= static_cast<double>(axis.values.size());
  // A design of many branches has too many combinations to write down: these are a regular sample.
  const auto end = static_cast<std::size_t>(std::min(count, 1e18));
  const std::size_t stride = end <= combinations_max ? 1 : end / combinations_max | 1;
  Designs designs;
  for (std::size_t index = 0; index < end; index += stride) {
    Design tree = design.tree();
    std::vector<Step*> steps;
    for_each_step(tree, [&](Step& step) { steps.push_back(&step); });
    std::size_t rest = index;
    for (const Axis& axis : axes) {
      set_parameter(*steps[axis.step], axis.parameter, axis.values[rest % axis.values.size()]);
      rest /= axis.values.size();
    }
    set_tied_parameters(tree);
    CanonicalDesign variant = CanonicalDesign::spelled(std::move(tree));
    const bool known =
        variant == design || std::find(designs.begin(), designs.end(), variant) != designs.end();
    if (!known) designs.push_back(std::move(variant));
  }
  return spread(designs, most, wanted);
}

}  // namespace alphasparse
