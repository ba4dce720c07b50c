// sample: a part of a matrix that a search can try designs on, in its place.
//
// Panels of neighbouring rows, drawn over the whole length, lie one below the other; x is whole.
// Example: of 1,000,000 rows of 50 non-zeros a sample of 1,000,000 non-zeros has 32 panels of some
// 600 rows each.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/device/device.h"
#include "runtime/device/whole_sizes.h"

namespace alphasparse {

/// About `nnz` of the non-zeros (more where rows are long), at least one row, from so many panels
/// at most. Values and columns as in the matrix. O(sample).
Matrix make_sample(const Matrix& matrix, std::int64_t nnz, std::int64_t panels = 32);

/// A small part of a matrix on which operators can tell whether they apply: some 128,000 non-zeros.
/// From a square matrix it is square: it has rows and columns of the same numbers, so that
/// symmetric or diagonal entries stay so. Of a graph few entries lie in both. So the part has more
/// rows there, up to half of them, until these keep an eighth of their entries. From another matrix
/// it has all columns. Where those are far more than non-zeros it has the touched ones in their
/// order. None: no part does, or the matrix has no more than twice as many non-zeros. O(nnz of its
/// rows), or O(cols).
std::optional<Matrix> make_miniature(const Matrix& matrix);

/// The part of a large matrix that is asked whether operators apply. None: the matrix itself has to
/// be asked.
std::optional<Matrix> part_to_apply(const Matrix& matrix);

/// The non-zeros of the samples that a matrix of so many is searched on, the smallest first; none:
/// it is tried whole at once.
std::vector<std::int64_t> sample_sizes(std::int64_t nnz, const DeviceInfo& device);

/// The non-zeros of a second sample beside the smallest one. The best designs are timed again on
/// it. Both times tell the part that grows with the matrix (sampled_times.h). On a GPU it is half
/// as large. On a CPU it is a quarter of a matrix for which the next sample would be too large.
/// None: a model tells the part, or another sample does.
std::optional<std::int64_t> second_size(std::int64_t smallest_nnz, std::int64_t whole_nnz,
                                        const DeviceInfo& device);

/// About the most memory, in bytes, that building, verifying and timing one design of so many
/// non-zeros takes, ours and the device's worker's together. On one thread of a CPU, 74 and 51 a
/// non-zero were measured, of a matrix of 19 million in float32.
std::int64_t candidate_bytes(std::int64_t nnz);

/// sample_sizes where so many bytes are free: half of them must do for a design of a sample. Where
/// they do not even do for one of the matrix itself, there is a sample that they do for.
std::vector<std::int64_t> fitting_sizes(std::int64_t nnz, const DeviceInfo& device,
                                        std::int64_t bytes_free);

/// The caches in which a sample is timed, so that it meets the same memory as the whole. A
/// modelled device takes the caches of the whole into account by itself (WholeSizes).
CacheRegime sample_regime(CacheRegime requested, std::int64_t whole_bytes,
                          std::int64_t sample_bytes, const DeviceInfo& device);

/// The sizes with which a modelled device tells the time of the whole from counts of its sample.
/// longest_times is that of a kernel with workers that take whole rows. O(nnz).
WholeSizes size_whole(const Matrix& whole, const Matrix& sample, Dtype dtype);

}  // namespace alphasparse
