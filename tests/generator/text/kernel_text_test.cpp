// kernel_text: the parameters of a kernel, and the names that its first lines make of them.
#include "generator/text/kernel_text.h"

#include <gtest/gtest.h>

#include "generator/arrays/format_struct.h"

namespace alphasparse {
namespace {

const std::vector<PointerParameter> two = {{"const int", "column_"}, {"Value", "carry_"}};

TEST(KernelText, NamesWhatIsRead) {
  EXPECT_EQ(written({.name = "spmv",
                     .description = "A product.",
                     .threads = 64,
                     .body = "  $out[0] = $x[$f.column_[0]];\n",
                     .format = "const Format f{$column_, $carry_};"},
                    two)
                .text,
            "// A product.\n"
            "extern \"C\" __global__ void __launch_bounds__(64)\n"
            "    spmv(const int* __restrict__ column_, Value* __restrict__ carry_, const Value* "
            "__restrict__ x_,\n"
            "        Value* __restrict__ y, Value alpha, Value beta) {\n"
            "  const Format f{column_, carry_};\n"
            "  const Input x{x_};\n"
            "  const Output out{y, alpha, beta};\n"
            "  out[0] = x[f.column_[0]];\n"
            "}\n");
}

TEST(KernelText, LeavesWhatIsNotReadWithoutAName) {
  EXPECT_EQ(written({.name = "copy",
                     .description = "x, elsewhere.",
                     .threads = 32,
                     .body = "  const Input x{$carry_};\n",
                     .takes_x = false,
                     .functions = "// first\n",
                     .blocks_least = 4},
                    two)
                .text,
            "// first\n"
            "// x, elsewhere.\n"
            "extern \"C\" __global__ void __launch_bounds__(32, 4)\n"
            "    copy(const int* __restrict__, Value* __restrict__ carry_, const Value* "
            "__restrict__,\n"
            "        Value* __restrict__, Value, Value) {\n"
            "  const Input x{carry_};\n"
            "}\n");
}

/// Nested structs first, then arrays, then workspaces, as the struct has them.
TEST(KernelText, ParametersAreThePointersOfTheFormat) {
  FormatStruct branch(Dtype::f64), whole(Dtype::f64);
  branch.add("column", {3, 1, 4, 1, 5}, "columns", true);
  const std::vector<double> values = {0.1, 0.2, 0.3, 0.4, 0.5};
  branch.add_values(values, {0, 1, 2, 3, 4});
  branch.add_workspace("carry", 2, "parts");
  whole.nest({"Branch1", "branch_1", "a branch", &branch});
  whole.add("init_row", {2, 7, 1, 8}, "rows");
  (void)whole.read("init_row", "index");
  std::string names;
  for (const PointerParameter& one : whole.parameters()) names += one.type + " " + one.name + ", ";
  EXPECT_EQ(names,
            "const int branch_1_column_, const Value branch_1_value_, Value branch_1_carry_, "
            "const int init_row_, ");
  EXPECT_EQ(whole.initialiser(),
            "{{branch_1_column_, branch_1_value_, branch_1_carry_}, init_row_}");
  EXPECT_EQ(branch.initialiser(), "{column_, value_, carry_}");
  EXPECT_EQ(branch.initialiser("branch_1_"),
            "{branch_1_column_, branch_1_value_, branch_1_carry_}");
}

}  // namespace
}  // namespace alphasparse
