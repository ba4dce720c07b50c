// measured: the spelling of measurements, for every place where they stand.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/measurement.h"
#include "runtime/device/roofline.h"
#include "search/trial/baseline_figures.h"

namespace alphasparse {

struct TuneResult;

/// Text of `json` as files hold it; names come from the file system, which knows bytes, not UTF-8.
std::string json_text(const nlohmann::ordered_json& json);

/// A number; null where it is not known.
template <class Number>
nlohmann::ordered_json number_json(const std::optional<Number>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

/// A count; "not known" where it is not.
std::string count_text(std::optional<std::int64_t> count);

/// Bytes with their unit; "-" where they are not known.
std::string known_bytes_text(std::optional<std::int64_t> bytes);

/// The shortest sample; null where it is not known, as of modelled times.
nlohmann::ordered_json shortest_json(const std::optional<Timing>& timing);

/// A time with its samples, registers, counts and clock; null where something is not known.
nlohmann::ordered_json timing_json(const Timing& timing);

/// A candidate's outcome: design, status, reason where there is one, bytes, preparation, time.
nlohmann::ordered_json measurement_json(const Measurement& outcome);

/// The vendor's algorithms, or the peers on a CPU: the library of each, its version, and its time.
nlohmann::ordered_json peers_json(const std::vector<const Measurement*>& outcomes);

/// `library`, `version` and `code_path` of one of them, as far as any of them tells.
nlohmann::ordered_json library_json(const Measurement& outcome,
                                    const std::vector<const Measurement*>& outcomes);

/// "cuSPARSE 12.5.4", or with the code path of a CPU's library "MKL 2026.2.0, AVX-512".
std::string library_text(const Measurement& outcome,
                         const std::vector<const Measurement*>& outcomes);

/// `vendor_algorithms`: how many there are on the device. `vendor_tried`: of how many of them the
/// best is the best. Both are null where times are modelled. `baselines_present`: the libraries of
/// which one has a time. `baselines_missing`: those that are not installed, with the way to install
/// them.
nlohmann::ordered_json vendor_count_json(const DeviceInfo& device, int vectors,
                                         const std::vector<const Measurement*>& outcomes);

/// `vendor`, the library of that, and of how many of the vendor's algorithms it is the best.
nlohmann::ordered_json vendor_json(const TuneResult& result);

/// `times_vendor` and `times_vendor_range` of our time beside theirs; null where one is not known.
nlohmann::ordered_json times_vendor_json(const std::optional<Timing>& ours,
                                         const std::optional<Timing>& theirs);

/// "7 of 8".
std::string tried_text(const BaselineCount& count);

/// Whether it is one with a library that is not there.
bool is_library_missing(const Measurement& outcome);

/// "missing  a, b: ... is missing: ...", a line a library, of those that is_library_missing holds
/// for; empty where none is.
std::string missing_text(const std::vector<const Measurement*>& outcomes);

/// A number where there is one.
std::optional<double> known(const Result<double>& number);

/// "empty    a kernel that does nothing takes ..." where that was measured, else nothing.
std::string empty_text(std::optional<double> empty_us);

nlohmann::ordered_json roofline_json(const Roofline& roofline);

/// "memory   copies 4000 GB/s, ..." and "empty    a kernel that ...", two lines.
std::string roofline_text(const Roofline& roofline);

}  // namespace alphasparse
