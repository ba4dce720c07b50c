// gather_runs: all elements of each run, up to the end of x and never behind it, in registers of
// any width.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generator/text/fragment_text.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/system/processes/child_process.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A type, and flags of g++.
struct Build {
  const char* name;
  Dtype dtype;
  std::vector<std::string> flags;
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

const std::vector<Build> builds = {
    {"float_of_16", Dtype::f32, {"-O1", "-DALPHASPARSE_VECTOR_BYTES=16"}},
    {"double_of_16", Dtype::f64, {"-O1", "-DALPHASPARSE_VECTOR_BYTES=16"}},
    {"float_of_64", Dtype::f32, {"-O3", "-march=native", "-DALPHASPARSE_VECTOR_BYTES=64"}},
    {"double_of_64", Dtype::f64, {"-O3", "-march=native", "-DALPHASPARSE_VECTOR_BYTES=64"}},
#ifdef __x86_64__
    {"float_without_avx512", Dtype::f32, {"-O3", "-march=native", "-mno-avx512f"}},
    {"double_without_avx512", Dtype::f64, {"-O3", "-march=native", "-mno-avx512f"}},
#endif
    {"sanitized", Dtype::f32, {"-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}},
};

/// The program's output, of the fragment's text with `from` as `to`.
std::string output(const Build& build, const std::string& from = "", const std::string& to = "") {
  const TestFolder folder;
  std::string text = fragment_text({"gather_runs"}, build.dtype, Target::cpu);
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  set_contents(folder / "runs.cpp", text + source_text("tests/kernels/gather_runs.cpp"));
  std::vector<std::string> command = find_host_compiler(CompilerUse::cpu).command;
  command.push_back("-std=c++17");
  for (const auto& flags : {warnings_as_errors(), build.flags})
    command.insert(command.end(), flags.begin(), flags.end());
  const std::string program = (folder / "runs").string();
  command.insert(command.end(), {"-o", program, (folder / "runs.cpp").string()});
  const ChildResult compiled = run_child(command, {});
  if (!compiled.succeeded()) return compiled.how_it_ended() + "\n" + compiled.errors;
  const ChildResult ran = run_child({program}, {});
  return ran.succeeded() ? ran.output : ran.how_it_ended() + "\n" + ran.errors;
}

class GatherRuns : public testing::TestWithParam<Build> {};

TEST_P(GatherRuns, AreThoseOfXAndNothingBehindIt) {
  EXPECT_EQ(output(GetParam()), "0 differences\n");
}

INSTANTIATE_TEST_SUITE_P(All, GatherRuns, testing::ValuesIn(builds),
                         [](const auto& info) { return info.param.name; });

TEST(GatherRunsFaults, AreFound) {
  const Build& build = builds.front();
  EXPECT_TRUE(contains(output(build, "FIRST % W]", "FIRST % W + 1]"), "signal 11"));
  EXPECT_TRUE(contains(output(build, "columns.lanes - 1", "columns.lanes"), "signal 11"));
  EXPECT_TRUE(contains(output(build, "2 * K + 1", "2 * K"), " differences"));
}

}  // namespace
}  // namespace alphasparse
