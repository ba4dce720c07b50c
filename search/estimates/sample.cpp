#include "search/estimates/sample.h"

#include <algorithm>
#include <utility>

#include "runtime/emulated/lower_bound.h"

namespace alphasparse {

namespace {

constexpr std::int64_t aligned_rows = 192;  // a multiple of 3 and of 64
constexpr std::int64_t modelled_nnz = 250'000, cpu_nnz = 1'000'000, gpu_nnz = 8'000'000;
constexpr std::int64_t growth = 8;       // from one sample to the next
constexpr std::int64_t whole_least = 4;  // times the sample that a matrix must have
constexpr std::int64_t caches_beyond = 3;

/// Rows [first, end).
struct Panel {
  std::int32_t first = 0, end = 0;
};

std::vector<Panel> choose_panels(const Matrix& matrix, std::int64_t nnz, std::int64_t panels) {
  if (matrix.rows == 0) return {};
  const std::int64_t count = std::min<std::int64_t>(panels, matrix.rows);
  const std::int64_t alignment = matrix.rows >= count * aligned_rows ? aligned_rows : 1;
  const std::int64_t step = matrix.nnz() / count, wanted = std::max<std::int64_t>(nnz / count, 1);
  std::vector<Panel> all;
  std::int32_t done = 0;  // rows that panels have taken, or passed
  for (std::int64_t i = 0; i < count && done < matrix.rows; ++i) {
    const auto middle =
        static_cast<std::int32_t>(i * step + std::max<std::int64_t>((step - wanted) / 2, 0));
    const auto row = std::upper_bound(matrix.row_first.begin(), matrix.row_first.end(), middle) -
                     matrix.row_first.begin() - 1;
    Panel panel;
    panel.first =
        static_cast<std::int32_t>(std::max<std::int64_t>(row / alignment * alignment, done));
    std::int64_t end = panel.first;
    while (end < matrix.rows && matrix.row_first[end] - matrix.row_first[panel.first] < wanted)
      end = std::min<std::int64_t>(end + alignment, matrix.rows);
    panel.end = done = static_cast<std::int32_t>(end);
    if (panel.end > panel.first) all.push_back(panel);
  }
  return all;
}

/// The rows of the panels and the columns of the same numbers.
Matrix square_part(const Matrix& matrix, const std::vector<Panel>& panels) {
  Matrix part;
  part.row_first.push_back(0);
  std::vector<std::int32_t> begins;  // of the panels, in the part
  for (const Panel& panel : panels) {
    begins.push_back(part.rows);
    part.rows += panel.end - panel.first;
  }
  part.cols = part.rows;
  for (const Panel& from : panels) {
    for (std::int32_t row = from.first; row < from.end; ++row) {
      std::size_t panel = 0;
      for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
        const std::int32_t col = matrix.col[nz];
        while (panel < panels.size() && panels[panel].end <= col) ++panel;
        if (panel == panels.size()) break;
        if (col < panels[panel].first) continue;
        part.col.push_back(begins[panel] + col - panels[panel].first);
        part.value.push_back(matrix.value[nz]);
        if (matrix.is_complex()) part.imag.push_back(matrix.imag[nz]);
      }
      part.row_first.push_back(static_cast<std::int32_t>(part.col.size()));
    }
  }
  return part;
}

/// Leaves the columns that are touched, in their order.
void renumber_columns(Matrix& part) {
  std::vector<std::int32_t> touched = part.col;
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (std::int32_t& col : part.col) {
    col = static_cast<std::int32_t>(std::lower_bound(touched.begin(), touched.end(), col) -
                                    touched.begin());
  }
  part.cols = static_cast<std::int32_t>(touched.size());
}

std::int64_t longest_row(const Matrix& matrix) {
  std::int64_t longest = 1;
  for (std::size_t row = 0; row + 1 < matrix.row_first.size(); ++row)
    longest = std::max<std::int64_t>(longest, matrix.row_first[row + 1] - matrix.row_first[row]);
  return longest;
}

std::int64_t smallest_sample(const DeviceInfo& device) {
  if (device.kind == TimeKind::modelled) return modelled_nnz;
  return device.target == Target::cpu ? cpu_nnz : gpu_nnz;
}

}  // namespace

Matrix make_sample(const Matrix& matrix, std::int64_t nnz, std::int64_t panels) {
  Matrix sample;
  sample.cols = matrix.cols;
  sample.row_first.push_back(0);
  for (const Panel& panel : choose_panels(matrix, nnz, panels)) {
    const std::int32_t first = matrix.row_first[panel.first], end = matrix.row_first[panel.end];
    const std::int32_t shift = sample.row_first.back() - first;
    for (std::int32_t row = panel.first; row < panel.end; ++row)
      sample.row_first.push_back(matrix.row_first[row + 1] + shift);
    sample.col.insert(sample.col.end(), matrix.col.begin() + first, matrix.col.begin() + end);
    sample.value.insert(sample.value.end(), matrix.value.begin() + first,
                        matrix.value.begin() + end);
    if (!matrix.is_complex()) continue;
    sample.imag.insert(sample.imag.end(), matrix.imag.begin() + first, matrix.imag.begin() + end);
  }
  sample.rows = static_cast<std::int32_t>(sample.row_first.size()) - 1;
  return sample;
}

std::optional<Matrix> make_miniature(const Matrix& matrix) {
  constexpr std::int64_t nnz = 128'000, panels = 8, cols_most = 16;  // columns a non-zero
  if (matrix.nnz() <= 2 * nnz) return std::nullopt;
  if (matrix.rows == matrix.cols) {
    // Of a graph, entries with both row and column in the panels are few. Rows keep an eighth of
    // them at least, so that rules by row lengths hold.
    for (std::int64_t of_rows = nnz; of_rows <= matrix.nnz() / 2; of_rows *= 2) {
      Matrix part = square_part(matrix, choose_panels(matrix, of_rows, panels));
      if (part.nnz() >= of_rows / 8) return part;
    }
    return std::nullopt;
  }
  Matrix part = make_sample(matrix, nnz, panels);
  if (part.cols > cols_most * part.nnz()) renumber_columns(part);
  return part;
}

std::optional<Matrix> part_to_apply(const Matrix& matrix) {
  // A step of a design takes a second and some hundred megabytes on 1e7 non-zeros.
  constexpr std::int64_t applied_whole_most = 900'000;
  return matrix.nnz() > applied_whole_most ? make_miniature(matrix) : std::nullopt;
}

std::vector<std::int64_t> sample_sizes(std::int64_t nnz, const DeviceInfo& device) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = smallest_sample(device); whole_least * size <= nnz; size *= growth) {
    sizes.push_back(size);
    if (device.kind == TimeKind::modelled) break;  // its counts tell the time of the whole
  }
  return sizes;
}

std::optional<std::int64_t> second_size(std::int64_t smallest_nnz, std::int64_t whole_nnz,
                                        const DeviceInfo& device) {
  if (device.kind == TimeKind::modelled) return std::nullopt;
  if (device.target == Target::gpu) return smallest_nnz / 2;
  const bool has_another = whole_least * growth * smallest_nnz <= whole_nnz;
  const bool is_far = whole_nnz >= whole_least * whole_least * smallest_nnz;
  return is_far && !has_another ? std::optional(whole_nnz / whole_least) : std::nullopt;
}

std::int64_t candidate_bytes(std::int64_t nnz) {
  constexpr std::int64_t bytes_each = 130, bytes_always = 64 << 20;
  return bytes_each * nnz + bytes_always;
}

std::vector<std::int64_t> fitting_sizes(std::int64_t nnz, const DeviceInfo& device,
                                        std::int64_t bytes_free) {
  constexpr std::int64_t least = 10'000;
  std::vector<std::int64_t> sizes = sample_sizes(nnz, device);
  std::erase_if(sizes, [&](std::int64_t size) { return candidate_bytes(size) > bytes_free / 2; });
  if (!sizes.empty() || candidate_bytes(nnz) <= bytes_free) return sizes;
  std::int64_t size = nnz / 2;
  while (size > least && candidate_bytes(size) > bytes_free / 2) size /= 2;
  if (size > least) sizes.push_back(size);
  return sizes;
}

CacheRegime sample_regime(CacheRegime requested, std::int64_t whole_bytes,
                          std::int64_t sample_bytes, const DeviceInfo& device) {
  const bool changes = device.kind == TimeKind::measured && whole_bytes > device.l2_bytes &&
                       sample_bytes < caches_beyond * device.l2_bytes;
  return changes ? CacheRegime::cold : requested;
}

WholeSizes size_whole(const Matrix& whole, const Matrix& sample, Dtype dtype) {
  constexpr std::int64_t bytes_a_sector = 32;
  WholeSizes sizes;
  sizes.times = static_cast<double>(whole.nnz()) / static_cast<double>(sample.nnz());
  sizes.rows = whole.rows;
  sizes.cols = whole.cols;
  sizes.x_sectors = touched_x_bytes(whole, dtype) / bytes_a_sector;
  sizes.sample_x_sectors = touched_x_bytes(sample, dtype) / bytes_a_sector;
  sizes.longest_times = std::max(
      1.0, static_cast<double>(longest_row(whole)) / static_cast<double>(longest_row(sample)));
  return sizes;
}

}  // namespace alphasparse
