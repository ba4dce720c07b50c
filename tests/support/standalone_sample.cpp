#include "tests/support/standalone_sample.h"

#include <fmt/format.h>

#include "generator/text/standalone.h"
#include "runtime/formats/format_file.h"
#include "tests/support/battery.h"
#include "tests/support/sample_kernel.h"

namespace alphasparse {

Matrix small() { return from_rows(3, {{{0, 1.0}, {2, 2.0}}, {{2, 3.0}}}); }

std::string write_sample(const TestFolder& folder, const Matrix& matrix, const Kernel& kernel) {
  const Fingerprints prints = fingerprints(matrix);
  write_format_file(folder / "a.safetensors", kernel, matrix, prints);
  return standalone_source(kernel, {"a", "some/a.mtx", prints, structure_digest(kernel, matrix)});
}

std::string sample(const TestFolder& folder, const Matrix& matrix, Dtype dtype) {
  return write_sample(folder, matrix, sample_kernel(matrix, dtype));
}

CommandOutcome compile(const TestFolder& folder, const std::string& text,
                       const std::string& options) {
  set_contents(folder / "a.cpp", text);
  return run_command(
      fmt::format("cd {} && g++ -std=c++17 -Wall -Wextra -Wpedantic -Wno-unused-parameter "
                  "-Wno-unknown-pragmas -Werror {} -I "
                  "{}/tests/standalone a.cpp -o a",
                  folder.path().string(), options, ALPHASPARSE_SOURCE_DIR));
}

std::string driver(const std::string& name) {
  return contents(std::string(ALPHASPARSE_SOURCE_DIR "/tests/standalone/") + name);
}

CommandOutcome run_sample(const TestFolder& folder, const std::string& arguments) {
  return run_command(fmt::format("cd {} && ./a {}", folder.path().string(), arguments));
}

}  // namespace alphasparse
