// rocsparse_test: AMD's algorithms through the fake of rocSPARSE - products, the order of calls,
// versions that lack an algorithm, failures, and the arrays that they take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/columns.h"
#include "runtime/device/verify.h"
#include "runtime/gpu/device.h"
#include "runtime/hip/driver.h"
#include "runtime/hip/rocsparse_library.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"

namespace alphasparse {
namespace {

class FakeRocsparse : public FakeDriverTest {
 protected:
  const FakeMaker& maker() const override { return hip_maker; }

  std::unique_ptr<Device> open(const char* library = FAKE_ROCSPARSE) {
    setenv("ALPHASPARSE_LIBROCSPARSE", library, 1);
    return FakeDriverTest::open();
  }

  /// The calls of rocSPARSE since the last time, in their order.
  std::vector<std::string> calls() {
    std::vector<std::string> of_rocsparse;
    for (const std::string& call : std::exchange(fake_->calls, {})) {
      if (call.starts_with("rocsparse_")) of_rocsparse.push_back(call);
    }
    return of_rocsparse;
  }

  /// Loads, verifies and times it; the note of the time.
  std::string note_of(Device& device, const Baseline& algorithm, const Matrix& matrix,
                      const Operands& operands) {
    const auto kernel = baseline_kernel(algorithm, matrix, operands);
    if (!kernel) return kernel.reason();
    const auto loaded = device.load(*kernel);
    if (!loaded) return loaded.reason();
    const auto report = verify(*kernel, **loaded, matrix, {});
    if (!report) return report.reason();
    const auto timing =
        (*loaded)->time(with_columns(*kernel, rounded_case(*kernel, 1)), CacheRegime::warm);
    if (!timing) return timing.reason();
    EXPECT_NEAR(timing->time_us, 50 * (algorithm.by_calls ? operands.vectors : 1), 1e-3);
    return timing->note;
  }
};

/// Each algorithm for one vector and for several, of real and complex numbers.
TEST_F(FakeRocsparse, VerifiesEveryAlgorithm) {
  const std::unique_ptr<Device> device = open();
  int verified = 0;
  for (const Operands operands :
       {Operands(Dtype::f32), Operands(Dtype::c128), Operands(Dtype::f64, 2)}) {
    for (const NamedMatrix& named : battery()) {
      if (named.matrix.nnz() == 0) continue;
      for (const Baseline& algorithm : baselines(Target::gpu, operands.vectors, Dialect::hip)) {
        SCOPED_TRACE(named.name + std::string(" ") + std::string(algorithm.name));
        const std::string note = note_of(*device, algorithm, named.matrix, operands);
        if (note.starts_with("padded, ") || note.starts_with("no blocks")) continue;
        EXPECT_NE(note.find("; version 4.2.0; preprocessed in "), std::string::npos) << note;
        ++verified;
      }
    }
  }
  EXPECT_GT(verified, 200);
}

TEST_F(FakeRocsparse, TheThreeStagesComeInOrder) {
  const std::unique_ptr<Device> device = open();
  const Matrix matrix = small_matrix();
  for (const char* const name :
       {"csr_adaptive", "csr_rowsplit", "csr_lrb", "csr_nnzsplit", "ell", "coo", "coo_atomic"}) {
    std::string ours = fmt::format("rocsparse-{}", name);
    std::replace(ours.begin(), ours.end(), '_', '-');
    const auto kernel = baseline_kernel(*find_baseline(ours), matrix, Dtype::f32);
    calls();
    const auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    EXPECT_EQ(calls(),
              (std::vector<std::string>{fmt::format("rocsparse_spmv buffer_size {}", name),
                                        fmt::format("rocsparse_spmv preprocess {}", name)}));
    ASSERT_TRUE(verify(*kernel, **loaded, matrix, {}).ok());
    const std::vector<std::string> products = calls();
    EXPECT_GE(products.size(), 3U);
    EXPECT_EQ(std::count(products.begin(), products.end(), "rocsparse_spmv"),
              static_cast<std::ptrdiff_t>(products.size()));
  }
  const auto sell = baseline_kernel(*find_baseline("rocsparse-sell"), matrix, Dtype::f32);
  const auto loaded = device->load(*sell);
  ASSERT_TRUE(verify(*sell, **loaded, matrix, {}).ok());
  const std::vector<std::string> of_sell = calls();
  ASSERT_GE(of_sell.size(), 4U);
  EXPECT_EQ(of_sell[0], "rocsparse_v2_spmv_buffer_size analysis sell");
  EXPECT_EQ(of_sell[1], "rocsparse_v2_spmv_buffer_size compute sell");
  EXPECT_EQ(of_sell[2], "rocsparse_v2_spmv analysis sell");
  EXPECT_EQ(of_sell[3], "rocsparse_v2_spmv");
}

// ROCm 5.4 to 5.7 have the stages in rocsparse_spmv_ex, and neither LRB, nor nnz split, nor SELL.
TEST_F(FakeRocsparse, AlgorithmsNewerThanTheLibraryAreMissing) {
  const std::unique_ptr<Device> device = open(FAKE_ROCSPARSE_2_5);
  const Matrix matrix = small_matrix();
  for (const Baseline& algorithm : baselines(Target::gpu, 1, Dialect::hip)) {
    SCOPED_TRACE(algorithm.name);
    const std::string note = note_of(*device, algorithm, matrix, Dtype::f64);
    if (note.starts_with("no blocks")) continue;
    if (algorithm.part.empty()) {
      EXPECT_NE(note.find("; version 2.5.4; preprocessed in "), std::string::npos) << note;
      EXPECT_EQ(calls().at(1).substr(0, 25), "rocsparse_spmv preprocess");
    } else {
      EXPECT_EQ(find_missing(algorithm, note), algorithm.part) << note;
    }
  }
  EXPECT_EQ(note_of(*device, *find_baseline("rocsparse-csr-lrb"), matrix, Dtype::f32),
            "rocSPARSE's LRB is missing: rocSPARSE 2.5.4 does not have it; install it (part of "
            "ROCm 6.1)");
}

// Before ROCm 5.4 the product has no stages, and the first one prepares.
TEST_F(FakeRocsparse, WithoutStagesTheFirstProductPrepares) {
  const std::unique_ptr<Device> device = open(FAKE_ROCSPARSE_2_3);
  const Matrix matrix = small_matrix();
  for (const char* const name : {"rocsparse-csr-adaptive", "rocsparse-coo", "rocsparse-ell"}) {
    const auto kernel = baseline_kernel(*find_baseline(name), matrix, Dtype::f32);
    calls();
    const auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    EXPECT_EQ(calls(),
              (std::vector<std::string>{"rocsparse_spmv without a buffer", "rocsparse_spmv"}));
    EXPECT_TRUE(verify(*kernel, **loaded, matrix, {}).ok());
    const auto timing =
        (*loaded)->time(integer_case("", matrix, kernel->dtype, {1, 0}), CacheRegime::warm);
    ASSERT_TRUE(timing.ok());
    EXPECT_NE(timing->note.find("; version 2.3.3; preprocessed in "), std::string::npos)
        << timing->note;
    EXPECT_NE(timing->note.find(", buffer of 4 bytes"), std::string::npos) << timing->note;
  }
}

TEST_F(FakeRocsparse, AFailureIsToldByTheNameOfItsStatus) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("rocsparse-csr-adaptive"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  for (const auto& [call, status, reason] :
       {std::tuple{"rocsparse_create_csr_descr", 4, "making the matrix: invalid_size"},
        {"rocsparse_spmv preprocess", 5, "preprocessing: memory_error"},
        {"rocsparse_set_stream", 99, "rocsparse_set_stream: an unknown status"}}) {
    fake_->failures = {{call, status}};
    const auto loaded = device->load(*kernel);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.failure().status, Status::launch_error);
    EXPECT_EQ(loaded.reason(), reason);
  }
  fake_->failures.clear();
  const auto loaded = device->load(*kernel);
  fake_->failures["rocsparse_spmv"] = 2;
  EXPECT_EQ(verify(*kernel, **loaded, matrix, {}).reason(),
            "case exact 1: the product: not_implemented");
  fake_->failures["rocsparse_spmv"] = 6;  // and the GPU is lost
  const auto lost = verify(*kernel, **loaded, matrix, {});
  EXPECT_EQ(lost.failure().status, Status::crash) << lost.reason();
  EXPECT_TRUE(lost.reason().starts_with("case exact 1: the product: internal_error; "))
      << lost.reason();
  fake_->lost = 0;
}

TEST_F(FakeRocsparse, ALibraryThatDoesNotWorkIsNamedWithTheReason) {
  const Matrix matrix = small_matrix();
  setenv("ALPHASPARSE_LIBROCSPARSE", "/nowhere/librocsparse.so.1", 1);
  const auto absent = Rocsparse::open(nullptr);
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.reason(),
            "rocSPARSE is missing: looked for /nowhere/librocsparse.so.1; install it (part of "
            "ROCm)");
  EXPECT_EQ(find_missing(*find_baseline("rocsparse-coo"), absent.reason()), "rocSPARSE");
  setenv("ALPHASPARSE_LIBROCSPARSE", FAKE_MKL, 1);
  EXPECT_EQ(Rocsparse::open(nullptr).reason(),
            FAKE_MKL " lacks rocsparse_create_handle, which ROCm 5.3 and later have");
  setenv("ALPHASPARSE_LIBROCSPARSE", FAKE_ROCSPARSE, 1);
  fake_->failures["rocsparse_create_handle"] = 8;
  EXPECT_EQ(Rocsparse::open(&api()).reason(),
            FAKE_ROCSPARSE ": rocsparse_create_handle: arch_mismatch");
  fake_->failures = {{"rocsparse_get_version", 1}};
  EXPECT_EQ(Rocsparse::open(&api()).reason(),
            FAKE_ROCSPARSE ": rocsparse_get_version: invalid_handle");
  EXPECT_EQ(Rocsparse::open(nullptr).value().file(), FAKE_ROCSPARSE);
  EXPECT_EQ(Rocsparse::open(nullptr).value().version(), "") << "no device, so nobody was asked";
}

// The fake is no laxer than the library: a caller that it lets pass will not fail there.
TEST_F(FakeRocsparse, TheFakeHoldsCallersToTheOrderOfStages) {
  const std::shared_ptr<GpuSession> session = open_gpu_session(
      open_hip_driver(), hip_driver_kind, 0, [](const GpuDescription&) { return GpuMonitor(); });
  ASSERT_FALSE(session->enter());
  const auto memory = GpuBuffer::allocate(*session, 4096, "everything");
  auto* const at = reinterpret_cast<char*>(memory->address());
  const Result<Rocsparse> library = Rocsparse::open(&session->api());
  const RocsparseApi& api = library->api();
  RocsparseHandle handle = nullptr;
  RocsparseMatrix matrix = nullptr;
  RocsparseVector x = nullptr;
  EXPECT_EQ(api.create(&handle), 0);
  EXPECT_EQ(api.create_csr(&matrix, 2, 2, 0, at, at, at, 2, 2, 0, 151), 0);
  EXPECT_EQ(api.create_csr(&matrix, 2000, 2, 0, at, at, at, 2, 2, 0, 151), 3) << "short offsets";
  EXPECT_EQ(api.create_vector(&x, 2, at + 2048, 151), 0);
  const float one = 1;
  std::size_t bytes = 0;
  const auto spmv = [&](int algorithm, int stage, void* buffer) {
    return api.spmv(handle, rocsparse_not_transposed, &one, matrix, x, &one, x, 151, algorithm,
                    stage, &bytes, buffer);
  };
  EXPECT_EQ(spmv(4, rocsparse_stage_buffer_size, nullptr), 7) << "ELL's algorithm of CSR";
  EXPECT_EQ(spmv(2, rocsparse_stage_buffer_size, nullptr), 0);
  EXPECT_EQ(spmv(2, rocsparse_stage_compute, at + 1), 3) << "no buffer";
  EXPECT_EQ(fake_->broken_rules, std::vector<std::string>());
  EXPECT_EQ(spmv(2, rocsparse_stage_compute, at), 0);
  EXPECT_EQ(std::exchange(fake_->broken_rules, {}),
            (std::vector<std::string>{"rocsparse_spmv without a stream",
                                      "rocsparse_spmv computes unprepared, by another kernel"}));
  EXPECT_EQ(api.set_stream(handle, session->stream()), 0);
  GpuGraphNodes nodes = nullptr;
  EXPECT_EQ(session->api().begin_capture(session->stream(), gpu_capture_relaxed), 0);
  EXPECT_EQ(spmv(2, rocsparse_stage_preprocess, at), 6) << "in a capture";
  EXPECT_NE(session->api().end_capture(session->stream(), &nodes), 0);
  EXPECT_EQ(std::exchange(fake_->broken_rules, {}),
            std::vector<std::string>{"rocsparse_spmv preprocess in a capture"});
  EXPECT_EQ(spmv(2, rocsparse_stage_preprocess, at), 0);
  EXPECT_EQ(spmv(2, rocsparse_stage_compute, at), 0);
  EXPECT_EQ(fake_->broken_rules, std::vector<std::string>());
  EXPECT_EQ(api.destroy_vector(x), 0);
  EXPECT_EQ(api.destroy_vector(x), 3);
  EXPECT_EQ(api.destroy(handle), 0);
  EXPECT_EQ(std::exchange(fake_->broken_rules, {}),
            (std::vector<std::string>{"rocsparse_destroy_dnvec_descr of what is not there",
                                      "the last handle of rocSPARSE goes before its descriptors"}));
  EXPECT_EQ(api.destroy_matrix(matrix), 0);
}

// It would take the streams of one HIP for its own.
TEST_F(FakeRocsparse, ALibraryOfAnotherRocmIsRefused) {
  setenv("ALPHASPARSE_LIBAMDHIP64", FAKE_HIP_5, 1);
  const Result<GpuDriver> other = open_hip_driver();
  ASSERT_TRUE(other.ok()) << other.reason();
  EXPECT_EQ(Rocsparse::open(&other->api()).reason(), FAKE_ROCSPARSE
            " calls another HIP than the driver's; name the rocSPARSE of the same "
            "ROCm in ALPHASPARSE_LIBROCSPARSE");
  setenv("ALPHASPARSE_LIBAMDHIP64", FAKE_HIP, 1);
  EXPECT_TRUE(Rocsparse::open(&api()).ok());
}

TEST_F(FakeRocsparse, EllHasTheLongestRowColumnByColumn) {
  const Baseline& ell = *find_baseline("rocsparse-ell");
  const auto kernel = baseline_kernel(ell, small_matrix(), Dtype::f32);  // 4 rows, 3 at most
  ASSERT_TRUE(kernel.ok()) << kernel.reason();
  EXPECT_EQ(kernel->arrays[2].count, 12);
  const auto* const column = reinterpret_cast<const int*>(kernel->arrays[1].bytes.data());
  EXPECT_EQ(std::vector<int>(column, column + 12),
            (std::vector<int>{0, -1, 1, 0, 2, -1, -1, 1, -1, -1, -1, 2}));
  std::vector<std::vector<std::pair<int, double>>> rows(100);
  for (int col = 0; col < 40; ++col) rows[3].push_back({col, 1.});
  const auto padded = baseline_kernel(ell, from_rows(40, rows), Dtype::f32);
  ASSERT_FALSE(padded.ok());
  EXPECT_EQ(padded.reason(), "padded, it holds over 16 times the non-zeros");
}

TEST(Baselines, AreThoseOfTheDevicesVendor) {
  const auto libraries = [](const DeviceInfo& device, int vectors) {
    std::set<std::string_view> names;
    for (const Baseline& algorithm : baselines(device, vectors)) {
      EXPECT_TRUE(runs_on(algorithm, device)) << algorithm.name;
      EXPECT_TRUE(algorithm.multiplies(vectors)) << algorithm.name;
      names.insert(algorithm.library);
    }
    return names;
  };
  DeviceInfo device;
  using Names = std::set<std::string_view>;
  for (const int vectors : {1, 4}) {
    device.target = Target::gpu;
    device.dialect = Dialect::cuda;
    EXPECT_EQ(libraries(device, vectors), Names{"cuSPARSE"});
    device.dialect = Dialect::hip;
    EXPECT_EQ(libraries(device, vectors), Names{"rocSPARSE"});
    EXPECT_EQ(baselines(device, vectors).size(), 9U);
    EXPECT_FALSE(runs_on(*find_baseline("cusparse-csr-1"), device));
    device.target = Target::cpu;
    EXPECT_EQ(libraries(device, vectors), (Names{"OpenMP", "MKL", "Eigen"}));
    EXPECT_FALSE(runs_on(*find_baseline("rocsparse-ell"), device));
  }
}

}  // namespace
}  // namespace alphasparse
