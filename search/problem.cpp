#include "search/problem.h"

#include "base/version.h"

namespace alphasparse {

Problem make_conditions(const DeviceInfo& device, const TuneOptions& options) {
  Problem problem;
  problem.matrix_name = options.matrix_name;
  problem.device = device;
  problem.dtype = options.dtype;
  problem.regime = options.regime;
  problem.options = options.values_vary ? "values=varying" : "values=fixed";
  if (options.may_round) problem.options += " precision=f32";
  problem.options += vectors_option(options.vectors);
  if (options.own_order) problem.options += " order=own";
  if (options.deterministic) problem.options += " deterministic";
  if (options.nonfinite_exact) problem.options += " nonfinite=exact";
  problem.generator_version = generator_version;
  return problem;
}

Problem make_problem(const Matrix& matrix, const Fingerprints& prints, const DeviceInfo& device,
                     const TuneOptions& options) {
  Problem problem = make_conditions(device, options);
  problem.matrix = prints;
  problem.rows = matrix.rows;
  problem.cols = matrix.cols;
  problem.nnz = matrix.nnz();
  return problem;
}

Problem vendor_problem(Problem problem) {
  problem.options = std::string(vendor_options) + vectors_option(problem.vectors());
  return problem;
}

}  // namespace alphasparse
