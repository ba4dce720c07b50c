// length: a reader of an emitted file finds the kernel of most named designs, and all that one
// needs to read it, in the first 160 lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "generator/text/standalone.h"
#include "tests/support/goldens.h"

namespace alphasparse {
namespace {

constexpr int lines_most = 165;  // five keep other kernels out of the unit

/// Named designs with one or two kernels. The others have more of them, or the lanes of segments
/// and of blocks. Designs that join the catalogue may be longer too.
const std::set<std::string> of_gpus = {
    "coo", "csr-scalar", "csr-stream", "csr-vector",      "csr5", "dia",         "ell", "ellpack-r",
    "hyb", "jds",        "merge-csr",  "row-grouped-csr", "bsr",  "sell-c-sigma"};
const std::set<std::string> of_cpus = {"coo", "csr-scalar", "csr-vector",      "dia",         "ell",
                                       "jds", "merge-csr",  "row-grouped-csr", "sell-c-sigma"};

/// The last line of the kernel, as the head of the file gives it; 0: it gives none.
int last_line_of(const std::string& file) {
  int first = 0, last = 0;
  const std::size_t at = std::min(file.find("//   kernel   lines"), file.size());
  return std::sscanf(file.c_str() + at, "//   kernel   lines %d to %d", &first, &last) == 2 ? last
                                                                                            : 0;
}

void expect_short(const std::vector<Golden>& goldens, const std::set<std::string>& held) {
  std::size_t seen = 0;
  for (const Golden& golden : goldens) {
    const std::string name = golden.file.substr(0, golden.file.find("-" + golden.matrix));
    // Lanes of empty rows need some further lines.
    if (!held.contains(name) || golden.matrix != "stencil_23") continue;
    ++seen;
    const Kernel kernel =
        kernel_of({golden.file, golden.matrix, golden.design, Dtype::f64}).value();
    StandaloneInfo info;
    info.name = info.matrix = "m";
    info.processor = info.compiled_by = info.checked_by = info.time_kind = "some";
    const int last = last_line_of(standalone_source(kernel, info));
    EXPECT_GT(last, 0) << golden.file;
    EXPECT_LE(last, lines_most) << golden.file;
  }
  EXPECT_GT(seen, held.size() / 2) << "the names of the goldens are others now";
}

TEST(Length, KernelsForGpusEndEarly) { expect_short(goldens(), of_gpus); }

TEST(Length, KernelsForCpusEndEarly) { expect_short(cpu_goldens(), of_cpus); }

}  // namespace
}  // namespace alphasparse
