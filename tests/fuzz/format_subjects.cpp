#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "base/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/format_file.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A design by itself and with each of these steps.
std::vector<std::string> lines_of(const Design& plain, const std::vector<const char*>& passes) {
  std::vector<std::string> lines = {print_design(plain)};
  for (const char* const pass : passes) {
    lines.push_back(print_design(with_compact(plain, parse_design(pass)->steps.front())));
  }
  return lines;
}

}  // namespace

void add_subject(const std::string& name, const Matrix& matrix, const std::string& line,
                 std::vector<FormatSubject>& subjects, Dtype dtype) {
  auto kernel = Designer(matrix).build(line, dtype);
  if (!kernel) return;  // it has no steps, or its format is too large
  const TestFolder folder;
  write_format_file(folder / "a", *kernel, matrix, fingerprints(matrix));
  subjects.push_back({name, std::move(*kernel), contents(folder / "a")});
}

void add_named_subjects(const Matrix& matrix, Target target, const std::vector<const char*>& passes,
                        std::vector<FormatSubject>& subjects, Dtype dtype) {
  for (const NamedDesign& named : named_designs(target)) {
    const Design plain = *parse_design(std::string(named.line));
    for (const std::string& line : lines_of(plain, passes)) {
      const char* const where = target == Target::cpu ? " cpu" : " cuda";
      add_subject(std::string(named.name) + where, matrix, line, subjects, dtype);
    }
  }
}

host::Header header_of(const std::string& file) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data(), sizeof bytes);
  return host::parse_header(std::string_view(file).substr(8, bytes), file.size() - 8 - bytes);
}

const std::vector<FormatSubject>& format_subjects() {
  static const std::vector<FormatSubject> all = make_format_subjects();
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
