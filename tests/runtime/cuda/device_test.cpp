// device_test: the CUDA device's host side against a fake of the driver - parameters, order
// of launches, copies, errors.
#include "runtime/cuda/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/compilers/nvrtc.h"
#include "runtime/cuda/cusparse_api.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/session.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/device/verify.h"
#include "runtime/worker/device.h"
#include "tests/fakes/fake_cuda.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// The refusal of an image that was compiled for this in the place of the GPU's own.
std::string reason_of_image(const std::string& instead) {
  const Kernel kernel = two_launches(small_matrix(), Dtype::f32);
  bool is_open = false;  // the session's own code is for the GPU
  const auto compile = [&](const std::string& source, const std::string& arch) {
    return compile_nothing(source, is_open ? instead : arch);
  };
  const auto device = open_cuda_device(0, compile);
  is_open = true;
  const auto loaded = device->load(kernel);
  return loaded ? "" : loaded.reason();
}

TEST_F(FakeGpu, ACubinThatTheDriverCannotTakeIsNamedWithWhatToDo) {
  fake_->kernels = host_kernels(two_launches(small_matrix(), Dtype::f32));
  EXPECT_EQ(reason_of_image("sm_90"), "");
  EXPECT_EQ(reason_of_image("sm_80"),
            "loading the compiled kernel: a faked error (cuModuleLoadData "
            "CUDA_ERROR_NO_BINARY_FOR_GPU, 209); is the driver older than NVRTC?");
  EXPECT_EQ(reason_of_image("sm_90 by 13"),
            "loading the compiled kernel: a faked error (cuModuleLoadData "
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222); is the driver older than NVRTC?");
}

/// The exit code and the line of the exception that loading it throws.
std::pair<int, std::string> fault_of_loading(Device& device, const Kernel& kernel) {
  try {
    const auto loaded = device.load(kernel);
    ADD_FAILURE() << (loaded ? "it is loaded" : loaded.reason());
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {};
}

TEST_F(FakeGpu, MemoryThatOthersHaveTakenIsAFaultOfTheEnvironment) {
  const Kernel kernel = two_launches(small_matrix(), Dtype::f32);
  fake_->kernels = host_kernels(kernel);
  for (const std::size_t before : {std::size_t{0}, fake_->memory_bytes / 2}) {
    fake_->others_bytes = before;  // when it is opened
    const std::unique_ptr<Device> device = open();
    fake_->others_bytes = fake_->memory_bytes;
    const auto [code, line] = fault_of_loading(*device, kernel);
    EXPECT_EQ(code, 4);
    EXPECT_EQ(line,
              "Fake GPU is full: 12 B are needed, 0 B of 4.3 GB are free, and other programs have "
              "the rest; end them");
    fake_->failures["cuModuleLoadData"] = cuda_error_out_of_memory;
    EXPECT_EQ(fault_of_loading(*device, kernel).first, 4) << "its code has no room";
    fake_->failures.clear();
    fake_->others_bytes = before;
    EXPECT_TRUE(device->load(kernel).ok()) << "they have given it back";
  }
}

TEST_F(FakeGpu, ADesignThatNeedsMoreThanTheGpuHasIsOutOfMemory) {
  const Matrix matrix = small_matrix();
  Kernel kernel = two_launches(matrix, Dtype::f32);
  fake_->kernels = host_kernels(kernel);
  const std::unique_ptr<Device> device = open();
  kernel.workspaces.push_back({"huge", ElementType::f64, std::int64_t{1} << 40, "", 0});
  for (const std::size_t others : {std::size_t{0}, fake_->memory_bytes / 2}) {
    fake_->others_bytes = others;
    const auto loaded = device->load(kernel);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.failure().status, Status::out_of_memory) << loaded.reason();
  }
  fake_->others_bytes = 0;
  fake_->failures["cuModuleLoadData"] = cuda_error_out_of_memory;
  kernel.workspaces.clear();
  const auto code = device->load(kernel);
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.failure().status, Status::out_of_memory) << "nobody else is there";
}

/// Each of the vendor's algorithms, through the fake of its library.
TEST_F(FakeGpu, VerifiesTheVendorsAlgorithms) {
  const std::unique_ptr<Device> device = open();
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    for (const NamedMatrix& named : battery()) {
      if (named.matrix.nnz() == 0) continue;
      for (const Baseline& algorithm : baselines(Target::cuda)) {
        SCOPED_TRACE(named.name + std::string(" ") + std::string(algorithm.name));
        const auto kernel = baseline_kernel(algorithm, named.matrix, dtype);
        if (!kernel) {
          EXPECT_TRUE(algorithm.format == "sell" || algorithm.format == "bsr") << kernel.reason();
          continue;
        }
        const auto loaded = device->load(*kernel);
        ASSERT_TRUE(loaded.ok()) << loaded.reason();
        const auto report = verify(*kernel, **loaded, named.matrix, {});
        EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
        const auto timing = (*loaded)->time(rounded_case(*kernel, 1), CacheRegime::warm);
        ASSERT_TRUE(timing.ok()) << timing.reason();
        EXPECT_NEAR(timing->time_us, 50, 1e-3);
        EXPECT_NE(timing->note.find("; preprocessed in "), std::string::npos) << timing->note;
      }
    }
  }
}

TEST_F(FakeGpu, AFailureOfTheVendorsLibraryIsTold) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-csr-2"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseCreateCsr"] = 7;
  auto loaded = device->load(*kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_EQ(loaded.reason(), "making the matrix: a faked error");
  fake_->failures.clear();
  fake_->failures["cusparseSpMV"] = 7;
  loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok());
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.reason(), "case exact 1: the product: a faked error");
}

TEST_F(FakeGpu, AnAlgorithmWithoutAPreparationRunsWithout) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-sell"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseSpMV_preprocess"] = cusparse_not_supported;
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_TRUE(report.ok()) << report.reason();
  const auto timing =
      (*loaded)->time(integer_case("", matrix, kernel->dtype, 1, 0), CacheRegime::warm);
  ASSERT_TRUE(timing.ok());
  EXPECT_NE(timing->note.find("not preprocessed, buffer of 100 bytes"), std::string::npos)
      << timing->note;
  fake_->failures["cusparseSpMV_preprocess"] = 7;  // CUSPARSE_STATUS_INTERNAL_ERROR
  EXPECT_FALSE(device->load(*kernel).ok());
}

// The library of CUDA 12.1 prepares nothing. It is taken after one that the driver is too old for.
TEST_F(FakeGpu, TheFirstCusparseThatWorksIsTaken) {
  const TestFolder folder;
  std::filesystem::copy_file(FAKE_CUSPARSE_12_1, folder / "refused.so");
  const std::string libraries =
      "/nowhere/libcusparse.so:" + (folder / "refused.so").string() + ":" + FAKE_CUSPARSE_12_1;
  setenv("ALPHASPARSE_LIBCUSPARSE", libraries.c_str(), 1);
  const Matrix matrix = small_matrix();
  const std::unique_ptr<Device> device = open();
  for (const char* const name : {"cusparse-csr-2", "cusparse-sell"}) {
    const auto kernel = baseline_kernel(*find_baseline(name), matrix, Dtype::f32);
    const auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    EXPECT_TRUE(verify(*kernel, **loaded, matrix, {}).ok());
    const auto timing =
        (*loaded)->time(integer_case("", matrix, kernel->dtype, 1, 0), CacheRegime::warm);
    EXPECT_NE(timing->note.find("not preprocessed, buffer of 100 bytes"), std::string::npos);
  }
  const auto operation = baseline_kernel(*find_baseline("cusparse-op-1"), matrix, Dtype::f32);
  const auto loaded = device->load(*operation);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(missing_of(*find_baseline("cusparse-op-1"), loaded.reason()), spmv_op);
  EXPECT_EQ(loaded.reason(),
            "cuSPARSE's SpMVOp is missing: cuSPARSE 12.1.0 does not have it, or not as 12.8.1 to "
            "12.9 have; install it (part of CUDA 13.3)");
}

TEST_F(FakeGpu, APlanThatCusparseDoesNotMakeIsAFailure) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-op-2"), matrix, Dtype::f64);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseSpMVOp_createPlan"] = cusparse_not_supported;
  const auto loaded = device->load(*kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.reason(), "preprocessing: a faked error");
}

// An error that loses the context is known at once: the next kernel would be blamed for it
// otherwise.
TEST_F(FakeGpu, AContextThatTheVendorsLibraryLosesIsLost) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-csr-2"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->failures["cusparseSpMV"] = 6;  // CUSPARSE_STATUS_EXECUTION_FAILED
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure().status, Status::crash) << report.reason();
  EXPECT_TRUE(report.reason().starts_with("case exact 1: the product: a faked error; "))
      << report.reason();
  fake_->lost = 0;
}

TEST_F(FakeGpu, TheVendorsBlocksAreThoseOfTheFewestBytes) {
  const Baseline& bsr = *find_baseline("cusparse-bsr");
  // A full 3 x 3 block and one with holes; 6 x 6 blocks would be mostly empty.
  std::vector<std::vector<std::pair<int, double>>> rows = {
      {{0, 1.}, {1, 2.}, {2, 3.}}, {{0, 2.}, {1, 3.}, {2, 4.}}, {{0, 3.}, {1, 4.}, {2, 5.}},
      {{3, 7.}, {4, 2.}, {5, 7.}}, {{4, 2.}, {5, 7.}},          {{5, 7.}}};
  const Matrix matrix = from_rows(6, rows);
  const auto kernel = baseline_kernel(bsr, matrix, Dtype::f32);
  ASSERT_TRUE(kernel.ok()) << kernel.reason();
  EXPECT_EQ(kernel->arrays[0].count, 3);
  EXPECT_EQ(kernel->arrays[1].count, 2);
  EXPECT_EQ(kernel->arrays[2].count, 18);
  // There is a NaN in x[3], which the last row does not read, but its block holds a zero there.
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(*kernel);
  const auto report = verify(*kernel, **loaded, matrix, {});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
  EXPECT_TRUE(kernel->reads_fill);
  EXPECT_EQ(report.ok() ? report->cases : 0, 3) << "the exact cases and the rounded one";
  Kernel strict = *kernel;
  strict.reads_fill = false;
  EXPECT_EQ(verify(strict, **loaded, matrix, {}).reason(),
            "wrong result in case 'Inf in x[0], NaN in x[3]': y[4] is nan, expected 7");
  Kernel moved = *kernel;  // the second block, to the first one's columns
  moved.arrays[1].bytes.assign(moved.arrays[1].bytes.size(), std::byte{0});
  const auto wrong = device->load(moved);
  EXPECT_TRUE(verify(moved, **wrong, matrix, {})
                  .reason()
                  .starts_with("wrong result in case 'exact 1': y["));
  rows[4] = rows[5] = rows[3];
  const auto full = baseline_kernel(bsr, from_rows(6, rows), Dtype::f32);
  EXPECT_FALSE(full->reads_fill) << "no block has a hole: Inf and NaN are asked of it";
  const auto none = baseline_kernel(bsr, from_rows(7, rows), Dtype::f32);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.reason(),
            "no blocks of 2 to 8 rows and columns divide it and hold at most 1.5 times the "
            "non-zeros");
}

// 48 rows of which every tenth is long: the smaller the slices, the fewer pads.
TEST_F(FakeGpu, TheVendorHasSlicesOf8And16And32Rows) {
  std::vector<std::vector<std::pair<int, double>>> rows(48);
  for (int row = 0; row < 48; ++row) {
    for (int col = 0; col < (row % 10 == 0 ? 5 : 1); ++col) rows[row].push_back({col, 1. + row});
  }
  const Matrix matrix = from_rows(48, rows);
  const std::unique_ptr<Device> device = open();
  for (const auto& [name, slices, stored] : {std::tuple{"cusparse-sell-8", 6, 6 * 8 * 5 - 8 * 4},
                                             {"cusparse-sell-16", 3, 3 * 16 * 5},
                                             {"cusparse-sell", 2, 2 * 32 * 5}}) {
    SCOPED_TRACE(name);
    const Baseline* const algorithm = find_baseline(name);
    ASSERT_NE(algorithm, nullptr);
    const auto kernel = baseline_kernel(*algorithm, matrix, Dtype::f64);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    EXPECT_EQ(kernel->arrays[0].count, slices + 1);
    EXPECT_EQ(kernel->arrays[2].count, stored);
    const auto loaded = device->load(*kernel);
    const auto report = verify(*kernel, **loaded, matrix, {});
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
  }
}

TEST_F(FakeGpu, SlicesThatAreMostlyPadsAreRefused) {
  std::vector<std::vector<std::pair<int, double>>> rows(3200);
  for (int row = 0; row < 3200; row += 32) rows[row] = {{0, 1.}};
  rows[0].clear();
  for (int col = 0; col < 2000; ++col) rows[0].push_back({col, 1.});
  const auto kernel =
      baseline_kernel(*find_baseline("cusparse-sell"), from_rows(2000, rows), Dtype::f32);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.reason(), "its slices are over 16 times the non-zeros");
}

// In a worker a GPU is opened in another process: nothing of the driver happens in this process.
TEST_F(FakeGpu, LivesInAWorker) {
  const std::unique_ptr<Device> device =
      open_worker_device([] { return open_cuda_device(0, compile_nothing); });
  EXPECT_EQ(device->info().gpu, "Fake GPU");
  EXPECT_EQ(fake_->contexts, 0);
  const Matrix matrix = small_matrix();
  const auto loaded = device->load(two_launches(matrix, Dtype::f32));
  ASSERT_FALSE(loaded.ok()) << "the test's kernels are not those of a session";
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_TRUE(fake_->calls.empty());
}

TEST_F(FakeGpu, SaysWhoItIs) {
  const std::unique_ptr<Device> device = open();
  EXPECT_EQ(device->info().name, "cuda:0");
  EXPECT_EQ(device->info().gpu, "Fake GPU");
  EXPECT_EQ(device->info().arch, "sm_90");
  EXPECT_EQ(device->info().version, "driver of CUDA 99.0");
  EXPECT_EQ(device->info().kind, TimeKind::measured);
}

TEST_F(FakeGpu, GivesTheReferenceOnTheWholeBattery) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    for (const NamedMatrix& named : battery()) {
      const Matrix matrix = with_integer_values(named.matrix);
      const Kernel kernel = two_launches(matrix, dtype);
      const std::unique_ptr<Device> device = open();
      const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
      ASSERT_TRUE(loaded.ok()) << named.name << ": " << loaded.reason();
      const std::vector<SpmvCase> cases = {integer_case("both", matrix, kernel.dtype, 2, -1),
                                           integer_case("plain", matrix, kernel.dtype, 1, 0)};
      const Result<std::vector<SpmvOutcome>> outcomes = (*loaded)->run(cases);
      ASSERT_TRUE(outcomes.ok()) << named.name << ": " << outcomes.reason();
      ASSERT_EQ(outcomes->size(), cases.size());
      for (std::size_t index = 0; index < cases.size(); ++index) {
        const std::vector<double> expected = reference_spmv(
            matrix, to_numbers(cases[index].x, dtype), to_numbers(cases[index].y, dtype),
            cases[index].alpha, cases[index].beta);
        EXPECT_EQ(to_numbers(outcomes->at(index).y, dtype), expected)
            << named.name << ", " << dtype_name(dtype) << ", " << cases[index].name;
      }
    }
  }
}

TEST_F(FakeGpu, LoadsTheImageOfItsArchitectureAndLaunchesInOrder) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  ASSERT_TRUE(
      (*loaded)->run(std::vector<SpmvCase>{integer_case("a", matrix, kernel.dtype, 1, 0)}).ok());
  // Then x and y of the case, which stay there, are looked at.
  const std::vector<std::string> expected = {
      "load image for sm_90", "spmv_init 1x32", "spmv 1x64", "fill 0",
      "sum_bytes 1x256",      "sum_bytes 1x256"};
  EXPECT_EQ(fake_->calls, expected);
}

TEST_F(FakeGpu, WritesBesideYAreFound) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  for (const int row : {-1, 4}) {
    const std::unique_ptr<Device> device = open();
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(loaded.ok());
    fake_->kernels["spmv"].execute = [row](unsigned, unsigned, const auto& parameters) {
      Seen<float>(parameters).output.y[row] = 1;
    };
    const Result<std::vector<SpmvOutcome>> outcomes =
        (*loaded)->run(std::vector<SpmvCase>{integer_case("exact 1", matrix, kernel.dtype, 1, 0)});
    ASSERT_FALSE(outcomes.ok());
    EXPECT_EQ(outcomes.failure().status, Status::wrong_result);
    EXPECT_NE(outcomes.reason().find("exact 1: y was written outside"), std::string::npos);
  }
}

TEST_F(FakeGpu, AFaultNamesCaseAndKernelAndStaysForTheWholeProcess) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->kernels["spmv"].execute = [this](unsigned, unsigned, const auto&) {
    fake_->failures["cuStreamSynchronize"] = cuda_error_illegal_address;
  };
  const SpmvCase one = integer_case("inf", matrix, kernel.dtype, 1, 0);
  const Result<std::vector<SpmvOutcome>> outcomes = (*loaded)->run(std::vector<SpmvCase>{one});
  ASSERT_FALSE(outcomes.ok());
  EXPECT_EQ(outcomes.failure().status, Status::crash);
  EXPECT_EQ(outcomes.reason(),
            "case inf: kernel spmv: a faked error (cuStreamSynchronize CUDA_ERROR_FAKED, 700); "
            "this process has lost its CUDA context");
  fake_->failures.clear();
  fake_->kernels["spmv"].execute = {};
  for (const Status status : {(*loaded)->run(std::vector<SpmvCase>{one}).failure().status,
                              (*loaded)->time(one, CacheRegime::warm).failure().status,
                              device->load(kernel).failure().status}) {
    EXPECT_EQ(status, Status::crash);
  }
  EXPECT_NE(device->load(kernel).reason().find("was lost before: kernel spmv"), std::string::npos);
}

TEST_F(FakeGpu, CodesBecomeStatuses) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const struct {
    const char* call;
    int code;
    Status status;
  } table[] = {
      {"cuLaunchKernel", cuda_error_launch_out_of_resources, Status::launch_error},
      {"cuLaunchKernel", cuda_error_invalid_value, Status::launch_error},
      {"cuStreamSynchronize", cuda_error_launch_timeout, Status::timeout},
      {"cuStreamSynchronize", cuda_error_launch_failed, Status::crash},
      {"cuStreamSynchronize", cuda_error_misaligned_address, Status::crash},
      {"cuMemcpyHtoDAsync", cuda_error_out_of_memory, Status::out_of_memory},
      {"cuMemcpyHtoDAsync", cuda_error_invalid_value, Status::crash},
      {"cuMemcpyDtoHAsync", cuda_error_invalid_value, Status::crash},
  };
  for (const auto& row : table) {
    const std::unique_ptr<Device> device = open();
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(loaded.ok());
    fake_->failures[row.call] = row.code;
    const Result<std::vector<SpmvOutcome>> outcomes =
        (*loaded)->run(std::vector<SpmvCase>{integer_case("a", matrix, kernel.dtype, 1, 0)});
    fake_->failures.clear();
    ASSERT_FALSE(outcomes.ok()) << row.call << " " << row.code;
    EXPECT_EQ(outcomes.failure().status, row.status) << outcomes.reason();
    EXPECT_NE(outcomes.reason().find(row.call), std::string::npos) << outcomes.reason();
    EXPECT_EQ(outcomes.reason().find("lost") != std::string::npos, context_is_lost(row.code));
  }
}

// Codes that lose a context, known ones and those of a later driver. The last is of one call alone.
TEST_F(FakeGpu, CodesThatStayLoseTheContext) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::vector<SpmvCase> cases = {integer_case("a", matrix, kernel.dtype, 1, 0)};
  for (const int code : {226, 721, 810, 911, 987}) {
    SCOPED_TRACE(code);
    const std::unique_ptr<Device> device = open();
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(loaded.ok());
    fake_->kernels["spmv"].execute = [&](unsigned, unsigned, const auto&) { fake_->lost = code; };
    EXPECT_EQ((*loaded)->run(cases).failure().status, Status::crash);
    fake_->lost = 0;
    EXPECT_NE(device->load(kernel).reason().find("was lost before: kernel spmv"),
              std::string::npos);
  }
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->failures["cuLaunchKernel"] = 987;
  EXPECT_EQ((*loaded)->run(cases).failure().status, Status::launch_error);
  fake_->failures.clear();
  EXPECT_TRUE((*loaded)->run(cases).ok()) << "the context is as it was";
}

TEST_F(FakeGpu, AGpuThatIsTakenOrNotReadyHasARemedy) {
  for (const auto& [call, code, remedy] :
       {std::tuple{"cuDevicePrimaryCtxRetain", 46, "nvidia-smi -c DEFAULT"},
        {"cuInit", 802, "start nvidia-fabricmanager"}}) {
    fake_->failures = {{call, code}};
    try {
      open();
      ADD_FAILURE() << "opened";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(remedy), std::string::npos) << error.what();
    }
  }
  fake_->contexts = 0;
}

TEST_F(FakeGpu, LoadingRefusesWhatCannotRun) {
  const Matrix matrix = small_matrix();
  Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cuModuleLoadData"] = cuda_error_no_binary_for_gpu;
  Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_NE(loaded.reason().find("older than NVRTC"), std::string::npos) << loaded.reason();
  fake_->failures.clear();

  fake_->memory_bytes = 580;
  loaded = load(*device, kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.failure().status, Status::out_of_memory);
  EXPECT_NE(loaded.reason().find("bytes are free"), std::string::npos) << loaded.reason();
  fake_->memory_bytes = 1 << 20;

  kernel.launches[1].blocks = std::int64_t{1} << 31;
  loaded = load(*device, kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.reason().find("2147483648 blocks"), std::string::npos) << loaded.reason();
  kernel.launches[1] = {"nobody", 1, 32};
  loaded = load(*device, kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.reason().find("kernel nobody"), std::string::npos) << loaded.reason();
}

TEST_F(FakeGpu, MissingPartsAreErrorsWithExitCode4) {
  const auto reason = [](int ordinal) -> std::string {
    try {
      open_cuda_device(ordinal, compile_nothing);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::no_device);
      return error.what();
    }
    return "opened";
  };
  EXPECT_EQ(reason(1), "cuda:1: there is no such GPU, the last is cuda:0");
  fake_->devices = 0;
  EXPECT_EQ(reason(0), "cuda:0: the CUDA driver sees no GPU");
  fake_->devices = 1;
  fake_->failures["cuInit"] = cuda_error_no_device;
  EXPECT_NE(reason(0).find("cuInit"), std::string::npos);
  fake_->failures.clear();
  setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so", 1);
  EXPECT_NE(reason(0).find("/nowhere/libcuda.so; install NVIDIA's driver"), std::string::npos);
  setenv("ALPHASPARSE_LIBCUDA", "libm.so.6", 1);
  EXPECT_NE(reason(0).find("libm.so.6 lacks cuGetErrorName"), std::string::npos);
  EXPECT_FALSE(list_cuda_devices().at(0).available);
}

TEST_F(FakeGpu, ListsEveryGpu) {
  fake_->devices = 2;
  const std::vector<DeviceListing> listings = list_cuda_devices();
  ASSERT_EQ(listings.size(), 2U);
  EXPECT_EQ(listings[1].name, "cuda:1");
  EXPECT_TRUE(listings[1].text.starts_with("Other fake GPU, sm_90")) << listings[1].text;
  EXPECT_NE(listings[1].text.find("it reports 4 multiprocessors at 1500 MHz, 1.0 MiB of L2, memory "
                                  "of 1024 GB/s"),
            std::string::npos)
      << listings[1].text;
  EXPECT_EQ(listings[1].available, nvrtc().ok());
}

}  // namespace
}  // namespace alphasparse
