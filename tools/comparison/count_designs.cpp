// count_designs: the counts that modelled times are made from, of designs that were measured.
#include <fmt/format.h>

#include <new>
#include <utility>

#include "operators/designer.h"
#include "runtime/device/verify.h"
#include "tools/comparison/compare_model.h"

namespace alphasparse {

namespace {

Result<Works> count_design(const EmulatorToolchain& tools, Designer& designer,
                           const MeasuredMatrix& measured, const MeasuredDesign& design,
                           const std::vector<double>& l1_shares) {
  try {
    const Result<Kernel> kernel = designer.build(design.line, measured.dtype);
    if (!kernel) return kernel.failure();
    if (kernel->format_bytes() != design.format_bytes) {
      return Failure{Status::pruned,
                     fmt::format("its format has {} bytes here and had {} where it was measured",
                                 kernel->format_bytes(), design.format_bytes)};
    }
    return works_of(tools, *kernel, measured.regime, l1_shares);
  } catch (const std::bad_alloc&) {
    return Failure{Status::out_of_memory, "this machine's memory does not hold it"};
  }
}

}  // namespace

void check_counts(const EmulatorToolchain& tools) {
  if (tools.counts_verdict().empty()) return;
  throw Error(ExitCode::no_device, fmt::format("the counts of g++ {} cannot be trusted ({})",
                                               tools.compiler().version, tools.counts_verdict()));
}

Result<Works> works_of(const EmulatorToolchain& tools, const Kernel& kernel, CacheRegime regime,
                       const std::vector<double>& l1_shares) {
  EmulatedKernel loaded(tools, kernel);
  if (auto failure = loaded.build()) return *failure;
  const SpmvCase input = rounded_case(kernel, 1);
  Works works;
  for (const double share : l1_shares) {
    const auto counts = loaded.count(input, regime, share);
    if (!counts) return counts.failure();
    works.push_back(launch_works(tools.gpu(), kernel, *counts));
  }
  return works;
}

void add_counted(const EmulatorToolchain& tools, const Matrix& matrix, std::size_t measured,
                 Counted& counted) {
  Comparison& comparison = counted.comparison;
  const MeasuredMatrix& of_matrix = counted.measured.matrices[measured];
  Designer designer(matrix);
  std::vector<ComparedDesign> designs;
  for (const MeasuredDesign& design : of_matrix.designs) {
    Result<Works> works = count_design(tools, designer, of_matrix, design, comparison.l1_shares);
    if (works) {
      designs.push_back({comparison.matrices.size(), design.name, design.time_us, std::move(*works),
                         design.line});
    } else {
      counted.left_out.push_back(
          fmt::format("{} on {}: {}", design.name, of_matrix.name, works.reason()));
    }
  }
  for (const auto& [count, what] : {std::pair(of_matrix.vendors, "of cuSPARSE"),
                                    {of_matrix.untimed, "without a right time"},
                                    {of_matrix.duplicates, "with the kernel of another"},
                                    {of_matrix.beyond_bound, "beyond --designs-max"}}) {
    if (count > 0)
      counted.left_out.push_back(fmt::format("{} {} on {}", count, what, of_matrix.name));
  }
  if (designs.empty()) return;
  comparison.matrices.push_back(of_matrix.name);
  counted.origins.push_back(measured);
  for (ComparedDesign& design : designs) comparison.designs.push_back(std::move(design));
}

}  // namespace alphasparse
