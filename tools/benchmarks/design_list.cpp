#include "tools/benchmarks/design_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "operators/named_designs.h"
#include "search/estimates/sample.h"
#include "search/learning/rank.h"
#include "search/trial/trial.h"

namespace alphasparse {

namespace {

using Lines = std::array<std::string_view, 12>;

// SELL with coded columns, batches and other bands; rows by fewer lanes; others with coded columns.
constexpr Lines for_gpus = {
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=packed | launch "
    "threads=256",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=narrow | launch "
    "threads=256",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total batch=4 | global_store | compact columns=packed | "
    "launch threads=256",
    "sort_rows_in_bands rows=16384 | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=packed | launch "
    "threads=256",
    "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | compact columns=packed | launch threads=256",
    "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
    "| global_store | compact columns=packed | launch threads=256",
    "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | launch "
    "threads=256",
    "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch "
    "threads=256",
    "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
    "warp_segment | global_atomic | compact columns=packed | launch threads=128",
    "compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | compact columns=packed | launch threads=128",
    "compress | block_rows nnz=1024 | thread_nnz nnz=1 | thread_total | shared_offset | "
    "global_store | compact columns=packed | launch threads=256",
    "compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | "
    "shared_offset | global_carry | compact columns=narrow | launch threads=128"};

// SELL with narrow columns, gangs of other sizes, in other bands or unsorted; without narrow
// columns, by the hardware's gathers, with runs of columns; rows by lanes; blocks with narrow
// columns.
constexpr Lines for_cpus = {
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=8 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=narrow "
    "structure=narrow values=full | launch tasks=bytes",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=16 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=narrow "
    "structure=narrow values=full | launch tasks=bytes",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=64 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=narrow "
    "structure=narrow values=full | launch tasks=bytes",
    "sort_rows_in_bands rows=16384 | compress | warp_rows rows=16 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=narrow "
    "structure=narrow values=full | launch tasks=bytes",
    "sort_rows | compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | compact columns=narrow structure=narrow values=full | launch "
    "tasks=bytes",
    "compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | thread_total "
    "| global_store | compact columns=narrow structure=narrow values=full | launch tasks=bytes",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=16 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | launch tasks=bytes",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total gather=hardware | global_store | launch tasks=bytes",
    "sort_rows_in_bands rows=1024 | compress | warp_rows rows=16 | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_store | compact columns=runs "
    "structure=full | launch tasks=bytes",
    "compress | thread_cols lanes=16 | thread_total | warp_total | global_store | launch "
    "tasks=bytes",
    "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | compact "
    "columns=narrow structure=narrow values=full | launch tasks=bytes",
    "dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands bands=8 "
    "| thread_bands | thread_pad | interleave | thread_total | global_store | compact "
    "columns=narrow structure=narrow values=full | launch tasks=bytes } { compress | thread_nnz "
    "nnz=1 | thread_total | global_atomic | launch tasks=bytes }"};

Designs listed_designs(Target target) {
  Designs designs = canonical_named_designs(target);
  for (const std::string_view line : target == Target::gpu ? for_gpus : for_cpus)
    designs.push_back(*Subject::read(std::string(line)).value().design());
  return designs;
}

/// The outcomes of designs on a matrix; `whole` as for Trial::stand_for.
Outcomes try_designs(const Matrix& matrix, Device& device, const TuneOptions& options,
                     const Designs& designs, const std::optional<WholeSizes>& whole) {
  Trial trial(matrix, device, options, 0);
  if (whole) trial.stand_for(*whole);
  Outcomes outcomes;
  for (const CanonicalDesign& design : designs) outcomes[design.text()] = trial.run(design, {});
  return outcomes;
}

/// Compares the times of designs from a sample with those of the whole.
void compare(const Outcomes& sampled, ListedTimes& listed) {
  std::vector<double> from_sample, of_whole;
  for (const auto& [design, outcome] : listed.outcomes) {
    const auto known = sampled.find(design);
    if (!outcome.timing || known == sampled.end() || !known->second.timing) continue;
    from_sample.push_back(known->second.timing->time_us);
    of_whole.push_back(outcome.timing->time_us);
    listed.error_max =
        std::max(listed.error_max, std::abs(from_sample.back() / of_whole.back() - 1));
  }
  listed.rank_correlation = spearman(from_sample, of_whole);
}

}  // namespace

ListedTimes try_list(const Matrix& matrix, Device& device, const TuneOptions& options) {
  const Designs designs = listed_designs(device.info().target);
  const bool is_modelled = device.info().kind == TimeKind::modelled;
  ListedTimes listed;
  listed.listed = designs.size();
  listed.outcomes = try_designs(
      matrix, device, options, designs,
      is_modelled ? std::optional(size_whole(matrix, matrix, options.dtype)) : std::nullopt);
  if (const Measurement* const best = find_best(listed.outcomes)) listed.best = *best;
  const std::vector<std::int64_t> sizes = sample_sizes(matrix.nnz(), device.info());
  if (!is_modelled || sizes.empty()) return listed;
  const Matrix sample = make_sample(matrix, sizes.front());
  compare(try_designs(sample, device, options, designs, size_whole(matrix, sample, options.dtype)),
          listed);
  return listed;
}

}  // namespace alphasparse
