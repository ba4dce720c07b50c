// public_sources: modelled times beside those that others have published, a source at a time.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/learning/gpu_model_public.h"
#include "tools/comparison/public_times.h"

namespace alphasparse {

/// The times of one source, of one GPU and one type.
struct PublicSource {
  std::string source;
  std::string gpu;  ///< as the source calls it
  Dtype dtype = Dtype::f32;
  Comparison comparison;  ///< its gpu is the model's; shares of L1: the assumed one alone
  std::int64_t rows_used = 0;
  std::map<std::string, std::int64_t> left_out;  ///< rows of the tables, by why

  std::int64_t rows_left_out() const;
};

struct PublicRequest {
  std::vector<std::string> files;
  std::string matrices;      ///< folder
  std::int64_t nnz_max = 0;  ///< rows of larger matrices are left out; 0: none
  bool quiet = false;
};

/// Reads the tables and counts what they speak of. Formats that are one design count once, with the
/// geometric mean of their times. A source that nothing is left of stays, without designs. Throws
/// Error.
std::vector<PublicSource> counted_sources(const PublicRequest& request);

/// How one set of constants does on a source.
struct SourceVerdict {
  const PublicSource* source = nullptr;
  std::optional<std::vector<std::string>> fitted_on;  ///< nothing: the constants as shipped
  ModelConstants constants;
  std::vector<double> times_us;  ///< of the comparison's designs
  PublicFigures figures;
};

/// Every source that has designs by the shipped constants and, where there are several, by those
/// fitted on the others.
std::vector<SourceVerdict> judge_sources(const std::vector<PublicSource>& sources);

std::string sources_text(const std::vector<PublicSource>& sources,
                         const std::vector<SourceVerdict>& verdicts);
std::string sources_json(const std::vector<PublicSource>& sources,
                         const std::vector<SourceVerdict>& verdicts);

}  // namespace alphasparse
