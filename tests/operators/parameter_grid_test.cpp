// parameter_grid_test: the fine grids of parameters, worked by hand, and designs changed along
// them.
#include "operators/parameter_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/targets.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

using Integers = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

const RowFacts rows_of_ten{.length_max = 20, .length_mean = 10};

const ParameterSpec& spec_of(std::string_view op, std::string_view parameter) {
  for (const ParameterSpec& spec : find_operator(op)->parameters) {
    if (spec.name == parameter) return spec;
  }
  CHECK(!"a parameter that the operator does not have");
}

/// The values of the only axis of that parameter; nothing where it has none.
Words axis(const Design& design, const std::string& parameter) {
  for (const FineAxis& axis : fine_axes(design, rows_of_ten)) {
    if (axis.parameter == parameter) return axis.values;
  }
  return {};
}

TEST(ParameterGrid, FourValuesAnOctaveAroundTheCoarseOnes) {
  EXPECT_EQ(
      fine_values(spec_of("launch", "threads"), rows_of_ten),
      (Integers{32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024}));
  EXPECT_EQ(fine_values(spec_of("thread_rows", "rows"), rows_of_ten),
            (Integers{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(fine_values(spec_of("thread_cols", "lanes"), rows_of_ten), (Integers{2, 4, 8, 16, 32}));
  EXPECT_EQ(fine_values(spec_of("thread_merge_path", "items"), rows_of_ten),
            (Integers{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20}));
  const Integers shares = fine_values(spec_of("diagonal_peel", "share"), rows_of_ten);
  EXPECT_EQ(shares.size(), 21u);
  EXPECT_EQ(shares[1], 5);
  EXPECT_EQ(
      fine_values(spec_of("launch", "grid"), rows_of_ten),
      (Integers{640, 768, 896, 1024, 1056, 1280, 1536, 1792, 2048, 2112, 2560, 3072, 3584, 4096}));
  EXPECT_EQ(fine_values(spec_of("launch", "blocks"), rows_of_ten),
            (Integers{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(fine_values(spec_of("compact", "exceptions"), rows_of_ten), Integers{});
}

TEST(ParameterGrid, ACpusOwnGridIsAllThatIsTriedThere) {
  const auto on_cpu = [](const char* op, const char* parameter, std::int64_t own) {
    return fine_values(spec_of(op, parameter), rows_of_ten, own, Target::cpu);
  };
  EXPECT_EQ(on_cpu("warp_rows", "rows", 32), (Integers{2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(on_cpu("sort_rows_in_bands", "rows", 0), (Integers{256, 1024, 4096, 16384}));
  EXPECT_EQ(on_cpu("thread_rows", "rows", 1), Integers{1});
  EXPECT_EQ(on_cpu("thread_merge_path", "items", 0),
            fine_values(spec_of("thread_merge_path", "items"), rows_of_ten))
      << "as elsewhere";
}

TEST(ParameterGrid, WhatACpuHasButOneValueOfHasNoAxisThere) {
  std::set<std::string> searched;
  for (const FineAxis& axis :
       fine_axes(*canonical_design(*parse_design(resolve_design("sell-c-sigma", Target::cpu))),
                 rows_of_ten))
    searched.insert(axis.parameter);
  EXPECT_EQ(searched, (std::set<std::string>{"blocks", "by", "columns", "gather", "rows", "run",
                                             "share", "sums", "tasks"}));
}

TEST(ParameterGrid, HasTheWordsOfItsTarget) {
  const auto runs_on = [](Target target) {
    std::vector<std::string> values;
    for (const FineAxis& axis : fine_axes(
             *canonical_design(*parse_design(resolve_design("sell-c-sigma", target))), rows_of_ten))
      if (axis.parameter == "run") values = axis.values;
    return values;
  };
  EXPECT_EQ(runs_on(Target::cpu), (std::vector<std::string>{"1", "cols"}));
  EXPECT_EQ(runs_on(Target::gpu), (std::vector<std::string>{"1", "2", "4"}));
}

TEST(ParameterGrid, HoldsTheCoarseGridAndTheOwnValue) {
  const auto expect_held = [](const Operator& op, const ParameterSpec& spec, Target target) {
    const CoarseGrid coarse = get_coarse(spec, target);
    if (!coarse) return;
    const Integers fine = fine_values(spec, rows_of_ten, 77, target);
    EXPECT_TRUE(std::is_sorted(fine.begin(), fine.end()));
    EXPECT_TRUE(std::binary_search(fine.begin(), fine.end(), 77)) << op.name;
    for (const std::int64_t value : coarse(rows_of_ten))
      EXPECT_TRUE(std::binary_search(fine.begin(), fine.end(), value)) << op.name << value;
  };
  for (const Operator* op : catalogue()) {
    for (const ParameterSpec& spec : op->parameters) {
      for (const Target target : {Target::gpu, Target::cpu}) expect_held(*op, spec, target);
    }
  }
}

TEST(ParameterGrid, AxesAreGridsWordsAndLists) {
  const Design csr5 = design_of("csr5");
  EXPECT_EQ(axis(csr5, "by"), (Words{"equal", "ragged"}));
  std::vector<std::string> varied;
  for (const FineAxis& axis : fine_axes(csr5, rows_of_ten)) {
    varied.push_back(std::to_string(axis.step) + "." + axis.parameter);
    const Step& step = csr5.steps[axis.step];
    EXPECT_EQ(check_arguments(step)->text(axis.parameter), axis.values[axis.own]);
  }
  EXPECT_NE(std::find(varied.begin(), varied.end(), "2.nnz"), varied.end());
  EXPECT_EQ(std::find(varied.begin(), varied.end(), "1.nnz"), varied.end()) << "it follows";
  const Words at = axis(design_of("acsr"), "at");
  EXPECT_NE(std::find(at.begin(), at.end(), "3,6,9,17,33,1025"), at.end());
  EXPECT_NE(std::find(at.begin(), at.end(), "3,5,9,17,33,1280"), at.end());
  EXPECT_EQ(std::find(at.begin(), at.end(), "3,9,9,17,33,1025"), at.end());
  EXPECT_EQ(axis(design_of("coo"), "nnz"), Words{}) << "one stays one";
  const Words width = axis(design_of("hyb"), "width");
  EXPECT_EQ(width.back(), "third");
  EXPECT_EQ(width.front(), "5");
}

TEST(ParameterGrid, AChangedDesignIsCanonicalAndKeepsItsTies) {
  const Design csr5 = design_of("csr5");
  const std::vector<FineAxis> axes = fine_axes(csr5, rows_of_ten);
  for (const FineAxis& axis : axes) {
    for (std::size_t value = 0; value < axis.values.size(); ++value) {
      const std::vector<FineChoice> choice{{&axis, value}};
      const std::string text = make_design(csr5, choice).text();
      EXPECT_EQ(text == print_design(csr5), value == axis.own) << text;
      EXPECT_EQ(print_design(*canonical_design(*parse_design(text))), text);
    }
  }
  const auto nnz = std::find_if(axes.begin(), axes.end(),
                                [](const FineAxis& axis) { return axis.parameter == "nnz"; });
  const auto twelve = std::find(nnz->values.begin(), nnz->values.end(), "12") - nnz->values.begin();
  const std::vector<FineChoice> choice{{&*nnz, static_cast<std::size_t>(twelve)}};
  EXPECT_EQ(make_design(csr5, choice),
            "compress | warp_nnz nnz=384 | thread_nnz nnz=12 | interleave | thread_bitmap | "
            "warp_segment | global_atomic | launch threads=128");
}

}  // namespace
}  // namespace alphasparse
