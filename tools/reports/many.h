// many: the results of tune for many matrices, as one table and as one object.
#pragma once
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/reports/table.h"

namespace alphasparse {

struct FailedMatrix {
  std::string matrix;  ///< its path
  std::string error;   ///< one line
  ExitCode exit = ExitCode::bad_input;
};

/// Results in the order of the matrices. A matrix with a search that broke off with a result is
/// tuned and has failed.
struct ManyReport {
  std::vector<std::string> tuned;  ///< tune_json of each
  std::vector<FailedMatrix> failed;
  std::vector<std::string> not_begun;  ///< paths; those too that an interrupt left without a result
  bool interrupted = false;
  double seconds = 0;
};

/// One object; its `matrices` are the results of tune_json for each.
std::string many_json(const ManyReport& report);
std::string many_text(const ManyReport& report, TableWidth width);

/// The headers that the searches left.
std::set<std::filesystem::path> list_headers(const ManyReport& report);

/// The result of tune_json, and a failure, as lines without an end.
std::string tuned_json_line(const std::string& tuned);
std::string failed_json_line(const FailedMatrix& failed);

/// Whether a line is one of these, or the beginning of one.
bool is_result_line(std::string_view line);

/// "alphasparse: 3/12 rajat19: 2.925 us modelled, ..." of a tune_json, as a line.
std::string tuned_line(std::size_t done, std::size_t count, const std::string& tuned);

}  // namespace alphasparse
