#include "runtime/emulated/count_check.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "runtime/compilers/kernel_cache.h"
#include "runtime/emulated/source.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/files/regular_file.h"
#include "templates/templates.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

constexpr int rows = 1000;
constexpr int block_threads = 96;
constexpr int blocks = 3;

int row_length(int row) { return row % 5 == 2 ? 0 : row * 7919 % 13; }

Array int_array(const std::string& name, const std::vector<std::int32_t>& entries) {
  Array array;
  array.name = name;
  array.count = static_cast<std::int64_t>(entries.size());
  array.bytes.resize(entries.size() * sizeof entries[0]);
  std::memcpy(array.bytes.data(), entries.data(), array.bytes.size());
  return array;
}

/// A warp runs the inner loop as often as its longest row of a round needs.
std::int64_t warp_iterations() {
  std::int64_t sum = 0;
  for (int warp_row = 0; warp_row < rows; warp_row += 32) {
    int longest = 0;
    for (int row = warp_row; row < std::min(rows, warp_row + 32); ++row) {
      longest = std::max(longest, row_length(row));
    }
    sum += longest;
  }
  return sum;
}

}  // namespace

CountCheck make_count_check() {
  CountCheck check;
  std::vector<std::int32_t> row_first = {0}, column;
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < row_length(row); ++k) column.push_back((row * 31 + k * 17) % rows);
    row_first.push_back(static_cast<std::int32_t>(column.size()));
  }
  Kernel& kernel = check.kernel;
  kernel.design = "count_check";
  kernel.rows = kernel.cols = rows;
  kernel.nnz = static_cast<std::int64_t>(column.size());
  kernel.arrays = {int_array("row_first", row_first), int_array("column", column)};
  kernel.launches = {{"count_check", blocks, block_threads}};
  kernel.source = fmt::format("constexpr int ROWS = {}, THREADS = {};\n{}{}", rows, block_threads,
                              template_text("fragments/prelude.cuh"),
                              template_text("count_check.cuh", emulator_shim_files()));
  check.instructions = warp_iterations();
  return check;
}

std::string judge_counts(const CountCheck& check, const emulator::LaunchCounts& counts) {
  for (const emulator::ArrayCounts& array : counts.arrays) {
    if (array.name != "column" && array.name != "x") continue;
    if (array.instructions != check.instructions) {
      return fmt::format("{} loads of {} were counted where there are {}", array.instructions,
                         array.name, check.instructions);
    }
  }
  return "";
}

std::string remembered_verdict(const std::string& key, const std::function<std::string()>& judge) {
  const std::optional<fs::path> folder = cache_directory();
  if (!folder) return judge();
  const fs::path file =
      *folder / fmt::format("emulator-counts-{:016x}", XXH3_64bits(key.data(), key.size()));
  // A verdict ends in a full stop; one that was cut short is none.
  if (const Result<RegularFile> in = RegularFile::open_own(file)) {
    const Result<std::string> text = in->read(static_cast<std::size_t>(in->size()));
    if (text && text->ends_with('.')) return text->substr(0, text->size() - 1);
  }
  const std::string verdict = judge();
  // A cache that cannot be written costs time, nothing else.
  if (!make_own_folder(*folder)) publish_own_file(file, verdict + ".");
  return verdict;
}

}  // namespace alphasparse
