// report: results as text for people and as JSON.
//
// The JSON of every command is one object. Its "schema" is its version: fields may be added without
// a change of it, but none is renamed, removed or given another meaning.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/operands.h"
#include "operators/named_designs.h"
#include "operators/operator.h"
#include "runtime/device/device.h"
#include "runtime/device/roofline.h"
#include "search/learning/features.h"
#include "search/trial/ablate.h"
#include "search/trial/bench.h"
#include "search/trial/tune_options.h"
#include "search/tune_result.h"
#include "tools/console/outputs.h"

namespace alphasparse {

inline constexpr int json_schema_version = 1;

/// "f32", of several vectors "f32, 8 vectors".
std::string operands_text(const Operands& operands);

/// The results that tune left behind.
struct TuneReport {
  const InputMatrix& input;
  const TuneOptions& options;
  const TuneResult& result;  ///< with a winner
  OutputFiles files;
  std::string database;
  bool details = false;  ///< of the result, behind its verdict
  bool explain = false;
  std::optional<double> empty_us;  ///< of a kernel that does nothing, where it was measured
  std::string page = {};           ///< the file of HTML that tells the same; empty: none
  double value_error = 0;          ///< largest relative error of a stored value

  /// Of a winner with a time: two operations for each non-zero and column, and its compulsory
  /// bytes, over the time.
  double gflop_per_s() const;
  double gb_per_s() const;
};

std::string tune_json(const TuneReport& report);
std::string tune_text(const TuneReport& report);

/// "matrix   NAME: 5 x 4, 7 non-zeros", and underflow_text.
std::string matrix_text(const InputMatrix& input);

/// A line on values that float32 does not hold; empty: there are none.
std::string underflow_text(const InputMatrix& input);

/// "219.6 kB, 1.04 times the bytes of CSR".
std::string bytes_text(std::int64_t format_bytes, std::int64_t csr);

/// A line on the error of stored values; empty where none is rounded.
std::string rounding_text(double value_error);

/// A line where vectors have an order of the design's own; else nothing.
std::string order_text(const std::string& design);

/// "32 registers, 0 bytes spilt"; empty where they are not known, as on CPUs.
std::string resources_text(const Timing& timing);

/// How many of each status, and for failures the most frequent reason: "20 ok, 3 pruned (...)".
std::string status_text(const TuneResult& result);

/// The time that a kernel takes before its first SpMV: "converted in 0.3 ms, loaded in 47 ms".
std::string preparation_text(const Measurement& outcome);

struct EmitReport {
  const InputMatrix& input;
  const Kernel& kernel;
  const DeviceInfo& device;
  Result<Timing> timing;
  Fingerprints fingerprints;
  OutputFiles files;
};

std::string emit_json(const EmitReport& report);
std::string emit_text(const EmitReport& report);

struct AblateReport {
  const InputMatrix& input;
  const DeviceInfo& device;
  std::int64_t csr_bytes = 0;
  std::vector<Ablated> rows;
  Fingerprints fingerprints;
  std::optional<double> empty_us;  ///< of a kernel that does nothing, where it was measured
};

/// One object: the design with all its passes, with each of them removed, and with none.
std::string ablate_json(const AblateReport& report);
std::string ablate_text(const AblateReport& report);

/// One matrix of bench; the matrix itself is gone.
struct BenchedMatrix {
  std::string path;
  std::string name;
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t csr_bytes = 0;
  Operands operands = default_dtype;
  Underflow underflow;
  Fingerprints fingerprints;
  std::vector<BenchEntry> entries;
  /// Of several vectors: the best time of the same designs for one. None: there is no time.
  std::optional<double> one_vector_us = {};

  /// The operations of nnz terms over the time, times the vectors.
  double gflop_per_s(double time_us) const {
    return number_type(operands.dtype).flops() * static_cast<double>(nnz) * operands.vectors /
           time_us / 1e3;
  }

  /// The time of as many products of one vector over this time; none where that has none.
  std::optional<double> times_products(double time_us) const {
    return one_vector_us ? std::optional(*one_vector_us * operands.vectors / time_us)
                         : std::nullopt;
  }

  /// The share of memory's rate at those reads and writes.
  double memory_share(const Roofline& roofline, std::int64_t format_bytes, double time_us) const {
    const std::int64_t written =
        std::int64_t{rows} * number_type(operands.dtype).bytes * operands.vectors;
    const std::int64_t read = compulsory_bytes(rows, cols, operands, format_bytes) - written;
    return attainable_us(roofline, read, written) / time_us;
  }

  /// The compulsory bytes of a format over the time.
  double gb_per_s(std::int64_t format_bytes, double time_us) const {
    const std::int64_t bytes = compulsory_bytes(rows, cols, operands, format_bytes);
    return static_cast<double>(bytes) / time_us / 1e3;
  }
};

struct BenchReport {
  DeviceInfo device;
  Operands operands = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  std::vector<BenchedMatrix> matrices;
  bool interrupted = false;
  std::optional<Roofline> roofline;  ///< where times are measured

  std::vector<BenchSummary> summaries() const;

  /// The vendor's algorithms for so many vectors.
  const std::vector<Baseline>& algorithms() const { return baselines(device, operands.vectors); }
};

/// One object: the matrices, each with its designs, then the designs over all matrices.
std::string bench_json(const BenchReport& report);
/// The facts that all tables rest on, the table of one matrix, and the summary of several.
std::string bench_head_text(const BenchReport& report);
std::string bench_matrix_text(const BenchReport& report, const BenchedMatrix& matrix);
std::string bench_summary_text(const BenchReport& report);

struct InspectReport {
  const InputMatrix& input;
  Features features;
  std::string picture;  ///< the file; empty: none
};

/// One object: the matrix, then every feature of feature_list under its name.
std::string inspect_json(const InspectReport& report);

std::string operators_json(const std::vector<const Operator*>& operators);
std::string designs_json(const std::vector<NamedDesign>& designs);
std::string devices_json(const std::vector<DeviceListing>& devices);

}  // namespace alphasparse
