// build_time: the building of a design ends when its time is over, and tells nothing of the design.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/parallel.h"
#include "base/time_limit.h"
#include "operators/designer.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

const std::string rest =
    " | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | launch threads=256";

/// How often the building of a design looks at its time. It ends at look `last`, if there is one.
std::int64_t looks(Designer& designer, const std::string& design, std::int64_t last = 0) {
  std::int64_t count = 0;
  const TimeLimit::IsOver is_over = [&] { return ++count == last; };
  const TimeLimit limit(&is_over);
  const CoresForRanges one_core(1);
  const auto build = [&] {
    return designer.build_whole(CanonicalDesign::read(design).value(), Dtype::f32).ok();
  };
  if (last > 0) {
    EXPECT_THROW(build(), TimeOver);
  } else {
    EXPECT_TRUE(build());
  }
  return count;
}

TEST(BuildTime, LongStepsLookAtItOften) {
  const Matrix matrix = scattered(1'000'003);
  Designer in_order(matrix);
  const std::int64_t without = looks(in_order, rest.substr(3));
  EXPECT_GT(without, 0);
  for (const char* const order : {"by=rcm", "by=columns"}) {
    Designer designer(matrix);
    EXPECT_GT(looks(designer, std::string("reorder ") + order + rest), without + 50) << order;
  }
}

TEST(BuildTime, ADesignThatWasEndedIsBuiltLikeANewOne) {
  const Matrix matrix = scattered(100'003);
  const std::string design = "reorder by=rcm" + rest;
  const Kernel expected = Designer(matrix).build(design, Dtype::f32).value();
  Designer fresh(matrix);
  const std::int64_t all = looks(fresh, design);
  ASSERT_GT(all, 10);
  for (std::int64_t last = 1; last <= all; last += all / 8 + 1) {
    Designer ended(matrix);
    EXPECT_EQ(looks(ended, design, last), last);
    const Result<Kernel> kernel = ended.build(design, Dtype::f32);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    EXPECT_EQ(kernel->source, expected.source);
    ASSERT_EQ(kernel->arrays.size(), expected.arrays.size());
    for (std::size_t i = 0; i < expected.arrays.size(); ++i)
      EXPECT_EQ(kernel->arrays[i].bytes, expected.arrays[i].bytes) << expected.arrays[i].name;
  }
}

}  // namespace
}  // namespace alphasparse
