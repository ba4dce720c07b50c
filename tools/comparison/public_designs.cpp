#include "tools/comparison/public_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string_view>
#include <utility>

namespace alphasparse {

namespace {

/// What decides which kernel a library takes.
struct RowLengths {
  std::int64_t rows = 0;
  std::int64_t longest = 0;
  std::int64_t nnz = 0;
};

RowLengths row_lengths(const Matrix& matrix) {
  RowLengths lengths{matrix.rows, 0, matrix.nnz()};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    lengths.longest =
        std::max<std::int64_t>(lengths.longest, matrix.row_first[row + 1] - matrix.row_first[row]);
  }
  return lengths;
}

using Nearest = std::optional<NearestDesign>;

constexpr char csr_scalar[] = "csr-scalar", csr5[] = "csr5", merge_csr[] = "merge-csr",
               ell[] = "ell", ellpack_r[] = "ellpack-r", sell[] = "sell-c-sigma";

constexpr char slices_of_64[] =
    "compress | block_rows rows=64 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch threads=64";

// Ginkgo's kernels, as its sources have them: its loops wait term by term; what adds atomically
// clears y by a launch of its own, always; its ELL leaves a row at the first column that is less
// than its place, as the first pad's 0 is: what is behind is never read, as in ELLPACK-R, and
// values wait for columns.
constexpr OtherKernel one_by_one = {.terms_in_flight = 1};
constexpr OtherKernel onto_zeros = {.terms_in_flight = 1, .launches = 2};
constexpr OtherKernel columns_first = {.terms_in_flight = 1, .values_wait = true};

/// A part of a warp a row, as wide as that many entries fill.
std::string lanes_a_row(std::int64_t entries) {
  int lanes = 32;
  while (lanes > entries && lanes > 1) lanes /= 2;
  if (lanes == 1) return "csr-scalar";
  return fmt::format(
      "compress | thread_cols lanes={} | thread_total | warp_total | global_store | launch "
      "threads=256",
      lanes);
}

/// Ginkgo takes as many lanes as its longest row fills.
Nearest ginkgo_classical(const RowLengths& rows) {
  return NearestDesign{lanes_a_row(rows.longest), one_by_one};
}

/// About as many entries a thread as Ginkgo gives it, by what is known of it, not read anew: 2
/// warps of work a multiprocessor, 8, 32 or 128 times, by the non-zeros.
Nearest ginkgo_balanced(const RowLengths& rows) {
  const std::int64_t warps = rows.nnz < 200'000 ? 1'500 : rows.nnz < 2'000'000 ? 6'000 : 24'000;
  int items = 1;
  while (items < 16 && items * 32 * warps < rows.nnz) items *= 2;
  return NearestDesign{
      fmt::format("compress | warp_nnz nnz={} | thread_nnz nnz={} | interleave | thread_bitmap | "
                  "warp_segment | global_atomic | launch threads=128",
                  32 * items, items),
      onto_zeros};
}

/// Ginkgo's choice by itself: balanced where there is much or a row is long.
Nearest ginkgo_csr(const RowLengths& rows) {
  return rows.nnz > 1'000'000 || rows.longest > 1024 ? ginkgo_balanced(rows)
                                                     : ginkgo_classical(rows);
}

/// Where rows are long and few, Ginkgo's ELL is taken to have several threads a row: its times say
/// so.
Nearest ginkgo_ell(const RowLengths& rows) {
  if (100 * rows.longest > rows.rows) return std::nullopt;
  return NearestDesign{ellpack_r, columns_first};
}

Nearest ginkgo_sellp(const RowLengths&) { return NearestDesign{slices_of_64, one_by_one}; }

/// CUB's and loops' blocks find their coordinates on the merge path by halving all rows; ours have
/// them in the format.
Nearest searched_merge(const RowLengths& rows) {
  const int halvings = std::bit_width(static_cast<std::uint64_t>(rows.rows));
  return NearestDesign{merge_csr, {.searches = halvings}};
}

Nearest vector_csr(const RowLengths& rows) {
  return NearestDesign{lanes_a_row(rows.rows == 0 ? 1 : rows.nnz / rows.rows), {}};
}

template <const char* text>
Nearest always(const RowLengths&) {
  return NearestDesign{text, {}};
}

struct PublicFormat {
  std::string_view project;  ///< that a source's name begins with
  std::string_view format;
  Nearest (*design)(const RowLengths&);
};

// Nearest, not the same: Ginkgo's balanced csr and its coo add up within a warp before they are
// atomic, as csr5 does over tiles; merge-path and CUB are both merge-csr. Left out are what has no
// near design (hybrid's coordinates are summed by warps, hyb's are not), cuSPARSE's own, and
// kernels that pay for launches and allocations that others of their source do not (csrm). The
// last lines are for sources that are not named: there
// a format is what its name commonly means.
constexpr PublicFormat public_formats[] = {
    {"ginkgo-project/", "csr", ginkgo_csr},
    {"ginkgo-project/", "csrc", ginkgo_classical},
    {"ginkgo-project/", "csri", ginkgo_balanced},
    {"ginkgo-project/", "coo", ginkgo_balanced},
    {"ginkgo-project/", "ell", ginkgo_ell},
    {"ginkgo-project/", "sellp", ginkgo_sellp},
    {"ginkgo-project/", "", nullptr},
    {"gunrock/loops", "thread-mapped", always<csr_scalar>},
    {"gunrock/loops", "merge-path", searched_merge},
    {"gunrock/loops", "cub", searched_merge},
    {"gunrock/loops", "", nullptr},
    {"", "csr", vector_csr},
    {"", "csr-vector", vector_csr},
    {"", "csr-scalar", always<csr_scalar>},
    {"", "csr5", always<csr5>},
    {"", "merge", always<merge_csr>},
    {"", "merge-csr", always<merge_csr>},
    {"", "merge-path", always<merge_csr>},
    {"", "cub", always<merge_csr>},
    {"", "ell", always<ell>},
    {"", "sell", always<sell>},
    {"", "sell-c-sigma", always<sell>},
    {"", "sellp", always<slices_of_64>},
};

const PublicFormat* find_format(const std::string& source, const std::string& format) {
  for (const PublicFormat& each : public_formats) {
    if (!source.starts_with(each.project)) continue;
    if (format == each.format && each.design) return &each;
    if (!each.design) return nullptr;  // the end of a source that is named
  }
  return nullptr;
}

/// GPUs that a source calls less than they are.
struct NamedGpu {
  std::string_view project, gpu, model;
};
constexpr NamedGpu named_gpus[] = {{"ginkgo-project/", "A100", "a100_40"}};

std::string letters_of(const std::string& name) {
  std::string letters;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) letters += c;
  }
  return letters;
}

bool has_name(const std::string& gpu, const std::string& model) {
  std::string last, word;
  for (const char c : gpu + " ") {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      const std::string two = last + word;
      if (word == model || two == model || two == model + "gb") return true;
      last = std::exchange(word, "");
    }
  }
  return false;
}

}  // namespace

std::optional<NearestDesign> nearest_design(const std::string& source, const std::string& format,
                                            const Matrix& matrix) {
  const PublicFormat* const found = find_format(source, format);
  if (!found) return std::nullopt;
  return found->design(row_lengths(matrix));
}

bool has_design(const std::string& source, const std::string& format) {
  return find_format(source, format) != nullptr;
}

const GpuModel* model_called(const std::string& gpu) {
  const GpuModel* longest = nullptr;
  for (const GpuModel& model : gpu_models()) {
    if (!has_name(gpu, letters_of(model.name))) continue;
    if (!longest || model.name.size() > longest->name.size()) longest = &model;
  }
  return longest;
}

const GpuModel* model_of_source(const std::string& source, const std::string& gpu) {
  for (const NamedGpu& named : named_gpus) {
    if (source.starts_with(named.project) && gpu == named.gpu)
      return find_gpu_model(std::string(named.model));
  }
  return model_called(gpu);
}

}  // namespace alphasparse
