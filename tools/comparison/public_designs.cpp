#include "tools/comparison/public_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace alphasparse {

namespace {

/// What decides which kernel a library takes.
struct RowLengths {
  std::int64_t longest = 0;
  std::int64_t nnz = 0;
};

RowLengths row_lengths(const Matrix& matrix) {
  RowLengths lengths{0, matrix.nnz()};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    lengths.longest =
        std::max<std::int64_t>(lengths.longest, matrix.row_first[row + 1] - matrix.row_first[row]);
  }
  return lengths;
}

/// A part of a warp a row, as wide as the longest row fills.
std::string lanes_a_row(const RowLengths& rows) {
  int lanes = 32;
  while (lanes > rows.longest && lanes > 1) lanes /= 2;
  if (lanes == 1) return "csr-scalar";
  return fmt::format(
      "compress | thread_cols lanes={} | thread_total | warp_total | global_store | launch "
      "threads=256",
      lanes);
}

/// Ginkgo's choice by itself: balanced where there is much or a row is long.
std::string ginkgo_csr(const RowLengths& rows) {
  return rows.nnz > 1'000'000 || rows.longest > 1024 ? "csr5" : lanes_a_row(rows);
}

template <const char* text>
std::string always(const RowLengths&) {
  return text;
}

constexpr char csr_scalar[] = "csr-scalar", csr5[] = "csr5", merge_csr[] = "merge-csr",
               ell[] = "ell";
constexpr char slices_of_64[] =
    "compress | block_rows rows=64 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch threads=64";

struct PublicFormat {
  std::string_view project;  ///< that a source's name begins with
  std::string_view format;
  std::string (*design)(const RowLengths&);
};

// Nearest, not the same: Ginkgo's balanced csr and its coo add up within a warp before they are
// atomic, as csr5 does over tiles; merge-path and CUB are both merge-csr. Left out are what has no
// near design (hybrid's coordinates are summed by warps, hyb's are not), cuSPARSE's own, and
// kernels that pay for launches and allocations that others of their source do not (csrm).
constexpr PublicFormat public_formats[] = {
    {"ginkgo-project/", "csr", ginkgo_csr},
    {"ginkgo-project/", "csrc", lanes_a_row},
    {"ginkgo-project/", "csri", always<csr5>},
    {"ginkgo-project/", "coo", always<csr5>},
    {"ginkgo-project/", "ell", always<ell>},
    {"ginkgo-project/", "sellp", always<slices_of_64>},
    {"gunrock/loops", "thread-mapped", always<csr_scalar>},
    {"gunrock/loops", "merge-path", always<merge_csr>},
    {"gunrock/loops", "cub", always<merge_csr>},
};

const PublicFormat* find_format(const std::string& source, const std::string& format) {
  for (const PublicFormat& each : public_formats) {
    if (source.starts_with(each.project) && format == each.format) return &each;
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

std::optional<std::string> nearest_design(const std::string& source, const std::string& format,
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
