// other_target_test: designs in the words of another target, worked by hand and over all that have
// a name.
#include "operators/other_target.h"

#include <gtest/gtest.h>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "operators/targets.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Empty: there is none.
std::string text_for(Target target, const std::string& design) {
  const auto known = CanonicalDesign::read(design);
  const auto other = known ? convert_design(*known, target) : std::nullopt;
  return other ? other->text() : "";
}

const std::string gpu_launch = " | launch threads=128";
const std::string cpu_launch = " | launch tasks=bytes";

TEST(OtherTarget, TheLaunchIsTheTargetsOwn) {
  const std::string scalar = "compress | thread_rows rows=1 | thread_total | global_store";
  EXPECT_EQ(text_for(Target::cpu, scalar + gpu_launch), scalar + cpu_launch);
  EXPECT_EQ(text_for(Target::gpu, scalar + cpu_launch), scalar + " | launch threads=256");
  EXPECT_EQ(text_for(Target::cpu, scalar + " | launch threads=64 grid=100 blocks=2 cache=streamed"),
            scalar + cpu_launch);
  EXPECT_EQ(text_for(Target::gpu, scalar + gpu_launch), scalar + gpu_launch) << "as it is";
}

TEST(OtherTarget, StepsThatItLacksAreLeftOutOrGiveWay) {
  const std::string gang =
      "thread_rows rows=1 | thread_pad | interleave | thread_total | global_store";
  EXPECT_EQ(text_for(Target::cpu, "compress | block_rows rows=128 | " + gang + gpu_launch),
            "compress | warp_rows rows=32 | " + gang + cpu_launch);
  EXPECT_EQ(text_for(Target::cpu,
                     "compress | block_rows rows=128 | warp_rows rows=16 | " + gang + gpu_launch),
            "compress | warp_rows rows=16 | " + gang + cpu_launch);
  EXPECT_EQ(
      text_for(Target::cpu,
               "compress | thread_merge_path items=7 | thread_merge | global_carry" + gpu_launch),
      "compress | thread_merge_path items=7 | thread_merge | global_atomic" + cpu_launch);
  EXPECT_EQ(text_for(Target::cpu,
                     "compress | block_rows nnz=1024 | thread_nnz nnz=1 | "
                     "thread_total | shared_offset | global_store" +
                         gpu_launch),
            "")
      << "nothing stands for a shared sum";
}

TEST(OtherTarget, LanesOfACoreNeedNoPads) {
  EXPECT_EQ(
      text_for(Target::cpu,
               "compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total "
               "vector=4 batch=4 | warp_total | global_store" +
                   gpu_launch),
      "compress | thread_cols lanes=8 | thread_total | warp_total | global_store" + cpu_launch);
}

TEST(OtherTarget, WordsAreThoseThatItHas) {
  EXPECT_EQ(text_for(Target::cpu,
                     "compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2 | "
                     "thread_total vector=2 | global_store | compact values=single" +
                         gpu_launch),
            "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | "
            "global_store | compact columns=narrow structure=narrow values=single" +
                cpu_launch);
  EXPECT_EQ(text_for(Target::cpu,
                     "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave run=4 | "
                     "thread_bitmap vector=4 | warp_segment | global_atomic" +
                         gpu_launch),
            "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
            "warp_segment | global_atomic" +
                cpu_launch);
  EXPECT_EQ(text_for(Target::gpu,
                     "sort_rows | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | "
                     "interleave | thread_total | global_store" +
                         cpu_launch),
            "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | "
            "interleave | thread_total | global_store | launch threads=256");
}

TEST(OtherTarget, WordsOfCpusGiveWayOnAGpu) {
  EXPECT_EQ(text_for(Target::gpu,
                     "compress blocks=4 share=75 | warp_rows rows=16 | thread_rows rows=1 | "
                     "thread_pad | interleave | thread_total gather=hardware | global_store" +
                         cpu_launch),
            "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
            "thread_total | global_store | launch threads=256");
  const std::string sums = " | thread_total | global_store",
                    rest = " } { compress | thread_nnz nnz=1 | thread_total | global_atomic",
                    peel = "dense_block_peel rows=2 cols=2 share=0 from=entry { ";
  for (const std::string run : {"cols", "2"}) {  // a GPU has the word 2, but not for bands
    EXPECT_EQ(text_for(Target::gpu,
                       peel + "warp_bands bands=8 | thread_bands | thread_pad | interleave run=" +
                           run + sums + cpu_launch + rest + cpu_launch + " }"),
              peel + "warp_bands bands=32 | thread_bands | thread_pad | interleave" + sums +
                  " | launch threads=256" + rest + " | launch threads=256 }");
  }
}

TEST(OtherTarget, WhatHasANameOnOneIsBuiltOnTheOther) {
  const Matrix matrix = battery_matrix("symmetric_97");
  for (const auto& [from, to] :
       {std::pair{Target::gpu, Target::cpu}, std::pair{Target::cpu, Target::gpu}}) {
    int built = 0;
    for (const CanonicalDesign& design : canonical_named_designs(from)) {
      const auto other = convert_design(design, to);
      if (!other) continue;
      EXPECT_EQ(find_target(other->tree()), to);
      EXPECT_EQ(canonical_design(other->tree()).value(), other->tree());
      Designer designer(matrix, to);
      const Result<Kernel> kernel = designer.build(other->text(), Dtype::f64);
      built += kernel.ok();
    }
    EXPECT_GE(built, 10) << (to == Target::cpu ? "on a CPU" : "on a GPU");
  }
}

}  // namespace
}  // namespace alphasparse
