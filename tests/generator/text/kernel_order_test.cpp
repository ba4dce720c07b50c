#include "generator/text/kernel_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "generator/arrays/fingerprints.h"
#include "generator/text/fragment_pieces.h"
#include "generator/text/standalone.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

const std::string long_body = [] {
  std::string text;
  for (int i = 0; i < 80; ++i) text += "  ++x;\n";
  return text;
}();

const std::vector<std::string> fragments = {
    "// base: the words of all.\nusing Value = float;\n\nconstexpr int full = 32;\n\n"
    "constexpr int idle = 1;\n\n/// A pair.\nstruct Pair {\n  int a, b;\n};\n",
    "// total: adds up.\n//\n// In order.\ntemplate <int N, int STEP = 1>\n"
    "INLINE Value total(const Value* x, Pair pair) {\n  return helper(x) + full + N * STEP;\n}\n",
    "INLINE Value helper(const Value* x) {\n" + long_body +
        "  return *x;\n}\nINLINE void idle_function() {}\n",
};

TEST(KernelOrder, PutsDeclarationsInFrontAndDefinitionsBehind) {
  const KernelOrder order = kernel_order(fragments, "Value y = total<2>(x, Pair{});", "");
  EXPECT_EQ(order.front,
            "// base: the words of all.\nusing Value = float;\n\n/// A pair.\nstruct Pair {\n  int "
            "a, b;\n};\n\n// total: adds up.\n"
            "template <int N, int STEP = 1>\nINLINE Value total(const Value* x, Pair pair);\n");
  EXPECT_NE(order.behind.find("template <int N, int STEP>\n"), std::string::npos) << order.behind;
  EXPECT_LT(order.behind.find("constexpr int full"), order.behind.find("helper("));
  EXPECT_EQ((order.front + order.behind).find("idle"), std::string::npos);
}

TEST(KernelOrder, AFunctionBehindItsHelperIsDeclaredWithTheHeadOfItsFragment) {
  const std::string helper = "/// A half.\nINLINE int half(int x) {\n" + long_body + "}\n\n";
  const KernelOrder order =
      kernel_order({"// total: adds up.\n//\n// In order.\n\n" + helper +
                    "INLINE int total(int x) { return half(x); }\n\n"
                    "/// Of a long.\nINLINE int total(long x) { return half(x); }\n"},
                   "int y = total(1);", "");
  EXPECT_EQ(order.front,
            "// total: adds up.\nINLINE int total(int x);\n\n"
            "/// Of a long.\nINLINE int total(long x);\n");
  EXPECT_NE(order.behind.find("// In order.\n\n/// A half.\n"), std::string::npos) << order.behind;
}

TEST(KernelOrder, LeavesShortDefinitionsInFront) {
  const KernelOrder order = kernel_order({"INLINE int one() { return 1; }\n"}, "one();", "");
  EXPECT_EQ(order.front, "INLINE int one() { return 1; }\n");
  EXPECT_EQ(order.behind, "");
}

TEST(KernelOrder, MarksChooseAmongFunctionsOfOneName) {
  const std::vector<std::string> two = {
      "//[ Value sum & total | int sum\nINLINE void store(int sum) {}\n"
      "//[ Lanes sum\nINLINE void store(long sum) {}\n"};
  const auto text = [&](const std::string& kernel) { return kernel_order(two, kernel, "").front; };
  EXPECT_EQ(text("Value sum = total(); store(sum);"), "INLINE void store(int sum) {}\n");
  EXPECT_EQ(text("const Lanes\n    sum; store(sum);"), "INLINE void store(long sum) {}\n");
  EXPECT_EQ(text("Value sum; store(sum);"), "");
}

/// 64 rows in a CPU's gangs, with columns that the design makes smaller.
std::string packed_source(std::int32_t cols, const std::vector<std::vector<int>>& columns) {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (const std::vector<int>& row : columns) {
    rows.emplace_back();
    for (const int col : row)
      rows.back().emplace_back(col, 1 + 0.37 * static_cast<double>(rows.size()));
  }
  const Result<Kernel> kernel =
      Designer(from_rows(cols, rows), Target::cpu)
          .build(
              "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | "
              "global_store | compact columns=packed values=full | launch tasks=bytes",
              Dtype::f32);
  return kernel.ok() ? kernel->source : kernel.reason();
}

TEST(KernelOrder, KernelsForCpusHaveTheFunctionForTheirColumns) {
  const std::string of_run = " gather(X x, Run<G> columns)",
                    of_ints = " gather(X x, const Ints<G>& columns)";
  std::vector<std::vector<int>> diagonal, first, scattered;
  for (int row = 0; row < 64; ++row) {
    diagonal.push_back({row});
    first.push_back({0});
    scattered.push_back({row * row % 97, 100 + row * 37 % 89, 200 + row * row * row % 101});
  }
  // The column is the entry's index, a constant, and a field of bits.
  const std::string identity = packed_source(64, diagonal), constant = packed_source(1, first),
                    fields = packed_source(301, scattered);
  EXPECT_NE(identity.find(of_run), std::string::npos) << identity;
  EXPECT_NE(constant.find(of_ints), std::string::npos) << constant;
  EXPECT_NE(fields.find(of_ints), std::string::npos) << fields;
}

/// The names that a text defines and names nowhere else.
std::vector<std::string> unused(const std::string& text) {
  std::vector<std::string> names;
  for (const Piece& piece : split_pieces(text)) {
    if (piece.name.empty()) continue;
    std::string rest = text;
    for (const Piece& other : split_pieces(text)) {
      if (other.name == piece.name) {
        const std::size_t at = rest.find(other.code);
        if (at != std::string::npos) rest.erase(at, other.code.size());
      }
    }
    if (!find_identifiers(rest).contains(piece.name)) names.push_back(piece.name);
  }
  return names;
}

TEST(KernelOrder, NoNamedDesignDefinesNamesThatItDoesNotUse) {
  EXPECT_EQ(unused("constexpr int a = 1;\nINLINE int b() { return a; }\n"),
            std::vector<std::string>{"b"});
  const Matrix matrix = from_rows(3, {{{0, 1.0}, {2, 2.0}}, {}, {{0, 2.0}, {1, 3.0}, {2, 3.0}}});
  int built = 0;
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      for (const NamedDesign& design : named_designs(target)) {
        const Result<Kernel> kernel =
            Designer(matrix, target).build(std::string(design.line), dtype);
        if (!kernel) continue;  // some need dense blocks or diagonals
        ++built;
        std::vector<std::string> names = unused(kernel->source);
        // The table of a kernel for CPUs, and the kernels of one for GPUs, are called from outside.
        std::erase_if(names, [](const std::string& name) {
          return name == "parts" || name == "Format" || name.starts_with("spmv") ||
                 name == "__launch_bounds__";
        });
        EXPECT_EQ(names, std::vector<std::string>{}) << design.name;
      }
    }
  }
  EXPECT_GE(built, 40);
}

}  // namespace
}  // namespace alphasparse
