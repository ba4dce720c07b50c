// cpu_peers: the baselines of our kernels on CPUs are right by all cases, on every matrix, by any
// number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/device/columns.h"
#include "runtime/device/verify.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_devices.h"

namespace alphasparse {
namespace {

/// Prints once which peer is missing.
void skip(const Baseline& peer, const std::string& reason) {
  static std::set<std::string> told;
  if (told.insert(reason).second) std::cout << "skipped " << peer.library << ": " << reason << '\n';
}

/// Blocks of 3 x 3 on the diagonal and right of it, one with a hole; 9 x 12.
Matrix blocks_of_3() {
  std::vector<std::vector<std::pair<int, double>>> rows(9);
  for (int row = 0; row < 9; ++row) {
    for (int i = 0; i < 6; ++i) rows[row].emplace_back(row / 3 * 3 + i, 1 + row - 0.5 * i);
  }
  rows[4].erase(rows[4].begin() + 2);
  return from_rows(12, rows);
}

/// Names the fake of MKL, where no other library is named.
void name_mkl() { setenv("ALPHASPARSE_LIBMKL", FAKE_MKL, 0); }

/// Every peer for so many vectors on every matrix.
struct CpuPeers : ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(OfOneAndSeveralVectors, CpuPeers, ::testing::Values(1, 2, 16));

TEST_P(CpuPeers, AreRight) {
  name_mkl();
  std::vector<NamedMatrix> matrices = battery();
  matrices.push_back({"blocks", blocks_of_3()});
  std::set<std::string_view> verified;
  for (const int threads : {1, 3}) {
    const auto device = cpu_device_of(threads, 64);
    for (const NamedMatrix& named : matrices) {
      for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
        for (const Baseline& peer : baselines(Target::cpu, GetParam())) {
          SCOPED_TRACE(fmt::format("{} {} {} by {} threads", named.name, dtype_name(dtype),
                                   peer.name, threads));
          const auto kernel = baseline_kernel(peer, named.matrix, {dtype, GetParam()});
          if (!kernel) {
            EXPECT_EQ(kernel.failure().status, Status::pruned);
            continue;
          }
          EXPECT_EQ(kernel->target, Target::cpu);
          const auto loaded = device->load(*kernel);
          if (!loaded && !find_missing(peer, loaded.reason()).empty()) {
            skip(peer, loaded.reason());
            continue;
          }
          ASSERT_TRUE(loaded) << loaded.reason();
          const auto report = verify(*kernel, **loaded, named.matrix);
          EXPECT_TRUE(report) << report.reason();
          verified.insert(peer.name);
        }
      }
    }
  }
  for (const char* const peer :
       {"openmp-csr", "mkl-csr", "mkl-csr-optimised", "mkl-symmetric", "mkl-bsr"}) {
    EXPECT_TRUE(verified.contains(peer)) << peer;
    EXPECT_EQ(verified.contains(fmt::format("{}-calls", peer)), GetParam() > 1) << peer;
  }
}

TEST_P(CpuPeers, TellTheirVersionWithTheirTime) {
  name_mkl();
  const auto device = cpu_device_of(1, 64);
  const Matrix matrix = battery().front().matrix;
  for (const Baseline& peer : baselines(Target::cpu, GetParam())) {
    const auto kernel = baseline_kernel(peer, matrix, {Dtype::f64, GetParam()});
    if (!kernel) continue;
    const auto loaded = device->load(*kernel);
    if (!loaded && !find_missing(peer, loaded.reason()).empty()) {
      skip(peer, loaded.reason());
      continue;
    }
    ASSERT_TRUE(loaded) << loaded.reason();
    const auto timing =
        (*loaded)->time(with_columns(*kernel, rounded_case(*kernel, 1)), CacheRegime::warm);
    ASSERT_TRUE(timing) << timing.reason();
    EXPECT_GT(timing->time_us_min, 0);
    EXPECT_FALSE(parse_library(timing->note).version.empty()) << timing->note;
  }
}

TEST(Baselines, MultiplyAsManyVectorsAsTheyCan) {
  const Matrix matrix = blocks_of_3();
  const auto one = baseline_kernel(*find_baseline("mkl-csr-calls"), matrix, Dtype::f32);
  EXPECT_EQ(one.reason(), "it multiplies several vectors alone");
  const auto several = baseline_kernel(*find_baseline("cusparse-csr-1"), matrix, {Dtype::f32, 4});
  EXPECT_EQ(several.reason(), "it multiplies one vector alone");
  EXPECT_EQ(columns_a_call(*baseline_kernel(*find_baseline("eigen"), matrix, {Dtype::f32, 4})), 4);
  EXPECT_EQ(
      columns_a_call(*baseline_kernel(*find_baseline("eigen-calls"), matrix, {Dtype::f32, 4})), 1);
}

TEST(BaselineLibrary, ComesBackFromANote) {
  const LibraryFacts facts = parse_library(
      "processor time; " + library_note({"2026.2; beta", "AVX-512"}) + "; in turn with 3 others");
  EXPECT_EQ(facts.version, "2026.2, beta") << "no part of a note ends inside";
  EXPECT_EQ(facts.code_path, "AVX-512");
  EXPECT_EQ(library_note({}), "");
  EXPECT_EQ(parse_library("a sample is the mean of 3; no version here").version, "");
  const Failure missing = library_missing("MKL", "looked for x");
  EXPECT_EQ(missing.reason, "MKL is missing: looked for x; install it (pip install mkl)");
  EXPECT_TRUE(is_library_missing("MKL", missing.reason));
  EXPECT_FALSE(is_library_missing("Eigen", missing.reason));
}

}  // namespace
}  // namespace alphasparse
