// thread_terms: a kernel adds up the terms of a thread by the call that their number allows.
#include "generator/body/thread_terms.h"

#include <gtest/gtest.h>

#include <string>

#include "operators/designer.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

struct CallCase {
  const char* design;  ///< behind `compress`, before the launch
  const Matrix& matrix;
  const char* call;
  InFlight in_flight;
};

TEST(ThreadTerms, ChooseTheCall) {
  static const Matrix holes = pattern(3, {{0}, {}, {2}, {1}});
  const CallCase cases[] = {
      // uneven has rows of up to 3 entries
      {"thread_cols lanes=2 | thread_total batch=8 | warp_total | global_store",
       uneven,
       "thread_total_lanes_batch<4>(",
       {4, true}},
      {"thread_cols lanes=4 | thread_total | warp_total | global_store",
       uneven,
       "thread_total_once(",
       {1}},
      {"thread_cols lanes=4 | thread_total batch=8 | warp_total | global_store",
       uneven,
       "thread_total_once(",
       {1, true}},
      {"thread_cols lanes=2 | thread_pad multiple=4 | thread_total vector=4 | warp_total | "
       "global_store",
       uneven,
       "thread_total_once(",
       {4}},
      {"thread_cols lanes=2 | thread_pad multiple=4 | thread_total vector=2 | warp_total | "
       "global_store",
       uneven,
       "thread_total_once(",
       {2}},
      {"thread_rows rows=1 | thread_total sums=2 | global_store", holes, "thread_total_once(", {1}},
      {"thread_rows rows=2 | thread_total | global_store",
       holes,
       "thread_total_once(",
       {unrolled_terms(Dialect::cuda)}},
      // pads are terms
      {"thread_rows rows=1 | thread_pad length=own multiple=4 | interleave | thread_total | "
       "global_store",
       holes,
       "thread_total(",
       {unrolled_terms(Dialect::cuda)}},
      {"thread_rows rows=1 | thread_pad | interleave | thread_total | global_store",
       uneven,
       "thread_total_count<3>(",
       {loads_with_registers, true}},
      {"thread_nnz nnz=1 | thread_total | global_atomic",
       uneven,
       "= term(",
       {loads_with_registers, true}},
  };
  for (const CallCase& one : cases) {
    const std::string line = std::string("compress | ") + one.design + " | launch threads=64";
    Designer designer(one.matrix);
    const Result<Kernel> kernel = designer.build(line, Dtype::f32);
    ASSERT_TRUE(kernel.ok()) << line << ": " << kernel.reason();
    const std::string body = kernel->source.substr(kernel->starts.back().declaration);
    EXPECT_NE(body.find(one.call), std::string::npos) << line << "\n" << body;
    const InFlight& in_flight = kernel->launches.back().in_flight;
    EXPECT_EQ(in_flight.terms, one.in_flight.terms) << line;
    EXPECT_EQ(in_flight.rest, one.in_flight.rest) << line;
    // Clang for GPUs of AMD unrolls none of the loops that NVIDIA's compiler unrolls.
    const Result<Kernel> hip = designer.build(line, {Dtype::f32, 1, Dialect::hip});
    ASSERT_TRUE(hip.ok()) << line << ": " << hip.reason();
    const std::string_view text = one.design;
    const bool is_unrolled = one.in_flight.terms == unrolled_terms(Dialect::cuda) &&
                             text.find("vector=") == text.npos && text.find("batch=") == text.npos;
    EXPECT_EQ(hip->launches.back().in_flight.terms,
              is_unrolled ? unrolled_terms(Dialect::hip) : one.in_flight.terms)
        << line;
  }
}

}  // namespace
}  // namespace alphasparse
