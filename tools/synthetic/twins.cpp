// The twins' parameters: facts about matrices of the SuiteSparse Matrix Collection as computed by
// cslab-ntua (pmpakos/SpMV-Research-benchmarks), rounded; mean = nnz / rows. Each is larger in CSR
// than any GPU's second-level cache.
#include <algorithm>
#include <cmath>

#include "tools/synthetic/synthetic.h"

namespace alphasparse {

const std::vector<Twin>& twins() {
  using enum ArchetypeKind;
  //   name, archetype, rows, cols, nnz, longest row, std, bandwidth, neighbours, similarity
  static const std::vector<Twin> all = {
      {"ldoor", fem, 952'203, 952'203, 46'522'475, 77, 11.9, 0.204, 1.80, 0.91},
      {"audikw_1", fem, 943'695, 943'695, 77'651'847, 345, 42.4, 0.623, 1.58, 0.82},
      {"CurlCurl_2", stencil, 806'529, 806'529, 8'921'789, 13, 0.9, 0.028, 0.72, 0.52},
      {"Ga41As41H72", chemistry, 268'096, 268'096, 18'488'476, 702, 105.4, 0.172, 1.18, 0.97},
      {"rajat31", circuit, 4'690'002, 4'690'002, 20'316'253, 1'252, 1.1, 0.001, 0.55, 0.65},
      {"circuit5M", circuit, 5'558'326, 5'558'326, 59'524'291, 1'290'501, 1356.6, 0.503, 1.07,
       0.94},
      {"kron_g500-logn18", rmat, 262'144, 262'144, 21'165'908, 49'163, 453.7, 0.552, 0.02, 0.02},
      {"soc-LiveJournal1", rmat, 4'847'571, 4'847'571, 68'993'773, 20'293, 36.1, 0.347, 0.28, 0.28},
      {"delaunay_n22", road, 4'194'304, 4'194'304, 25'165'738, 23, 1.3, 0.420, 0.49, 0.48},
      {"kmer_V2a", road, 55'042'369, 55'042'369, 117'217'600, 39, 0.7, 0.337, 0.06, 0.12},
      {"rail4284", lp, 4'284, 1'096'894, 11'284'032, 56'182, 4209.3, 0.956, 1.58, 0.27},
      {"GL7d20", uniform, 1'437'547, 1'911'130, 29'893'084, 395, 4.1, 0.538, 0.00, 0.00},
      {"dgreen", uniform, 1'200'611, 1'200'611, 38'259'877, 187, 11.4, 0.550, 0.05, 0.17},
  };
  return all;
}

SyntheticOptions twin_options(const Twin& twin, double scale) {
  const auto scaled = [&](std::int64_t count) {
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(static_cast<double>(count) * scale + 0.5)));
  };
  SyntheticOptions options;
  options.kind = twin.kind;
  options.rows = scaled(twin.rows);
  options.cols = scaled(twin.cols);
  options.mean = static_cast<double>(twin.nnz) / static_cast<double>(twin.rows);
  double above = static_cast<double>(twin.longest) - options.mean;
  options.std = twin.std;
  const double part = above * above / static_cast<double>(twin.rows) / (twin.std * twin.std);
  if (scale < 1) {
    const double room = std::max(0.0, static_cast<double>(options.cols) / 4 - options.mean);
    if (above > room) options.std *= std::sqrt(room / above);
    const double limit =
        options.std * std::sqrt(std::max(part, 0.25) * static_cast<double>(options.rows));
    above = std::min({above, room, limit});
  }
  options.skew = above / options.mean;
  options.bandwidth = twin.bandwidth;
  options.neighbours = twin.neighbours;
  options.similarity = twin.similarity;
  return options;
}

}  // namespace alphasparse
