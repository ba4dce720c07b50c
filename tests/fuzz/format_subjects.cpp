#include <sys/mman.h>
#include <unistd.h>

#include "generator/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/format_file.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// Two regular matrices, whose arrays are mostly computed from their index alone, and three that
/// leave stored whatever an array may be computed from: heads and words of fields, steps, codes.
constexpr const char* matrices[] = {"one_entry", "diagonal_32", "first_rows_empty",
                                    "runs_of_empty_rows", "wide_70x500"};

/// A design with and without compact.
std::vector<std::string> lines_of(const Design& plain) {
  std::vector<std::string> lines = {print_design(plain)};
  for (const char* const passes : {"compact", "compact columns=deltas", "compact columns=packed"}) {
    lines.push_back(print_design(with_compact(plain, parse_design(passes)->steps.front())));
  }
  return lines;
}

std::vector<FormatSubject> make_subjects() {
  std::vector<FormatSubject> subjects;
  const TestFolder folder;
  for (const char* const name : matrices) {
    const Matrix matrix = battery_matrix(name);
    for (const NamedDesign& named : named_designs()) {
      for (const std::string& line : lines_of(*parse_design(std::string(named.line)))) {
        auto kernel = Designer(matrix).build(line, Dtype::f32);
        if (!kernel) continue;  // it has no steps, or its format is too large
        write_format_file(folder / "a", *kernel, matrix, fingerprints(matrix));
        subjects.push_back({std::move(*kernel), contents(folder / "a")});
      }
    }
  }
  return subjects;
}

}  // namespace

const std::vector<FormatSubject>& format_subjects() {
  static const std::vector<FormatSubject> all = make_subjects();
  return all;
}

std::size_t subject_of(const std::uint8_t* input) {
  return (input[0] + std::size_t{256} * input[1]) % format_subjects().size();
}

std::string file_of(const std::uint8_t* input, std::size_t size) {
  static const int file = memfd_create("format_fuzz", 0);
  const auto bytes = static_cast<ssize_t>(size - 2);
  CHECK(ftruncate(file, 0) == 0 && pwrite(file, input + 2, size - 2, 0) == bytes);
  return "/proc/self/fd/" + std::to_string(file);
}

std::vector<std::string> format_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < format_subjects().size(); ++i) {
    seeds.push_back({static_cast<char>(i % 256), static_cast<char>(i / 256)});
    seeds.back() += format_subjects()[i].file;
  }
  return seeds;
}

FormatFuzzCounts& format_fuzz_counts() {
  static FormatFuzzCounts counts;
  return counts;
}

}  // namespace alphasparse
