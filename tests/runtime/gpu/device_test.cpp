// device_test: the host side of a GPU against fakes of the makers' drivers - parameters, order of
// launches, copies, errors.
#include "runtime/gpu/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/device/verify.h"
#include "runtime/gpu/driver.h"
#include "runtime/gpu/session.h"
#include "runtime/worker/device.h"
#include "tests/fakes/fake_gpu_state.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"

namespace alphasparse {
namespace {

INSTANTIATE_TEST_SUITE_P(, FakeGpu, testing::Values(&cuda_maker, &hip_maker),
                         [](const auto& info) { return info.param->kind->device; });

/// The refusal of an image that was compiled for this in the place of the GPU's own.
std::string reason_of_image(const FakeMaker& maker, const std::string& instead) {
  const Kernel kernel = two_launches(small_matrix(), Dtype::f32);
  bool is_open = false;  // the session's own code is for the GPU
  const auto compile = [&](const std::string& source, const std::string& arch) {
    return compile_nothing(source, is_open ? instead : arch);
  };
  const auto device = maker.open_device(0, compile);
  is_open = true;
  const auto loaded = device->load(kernel);
  return loaded ? "" : loaded.reason();
}

TEST_P(FakeGpu, AnImageThatTheDriverCannotTakeIsNamedWithWhatToDo) {
  fake_->kernels = host_kernels(two_launches(small_matrix(), Dtype::f32));
  EXPECT_EQ(reason_of_image(maker(), maker().arch), "");
  for (const auto& [image, code] :
       {std::pair{std::string(maker().other_archs[0]), gpu_error_no_binary_for_gpu},
        {std::string(maker().arch) + " by 13", gpu_error_unsupported_ptx_version}}) {
    for (const GpuAdvice& advice : kind().advice) {
      if (advice.code != code) continue;
      EXPECT_EQ(reason_of_image(maker(), image),
                "loading the compiled kernel: " + error_text(api().load_module.name, code) + "; " +
                    advice.text);
    }
  }
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

TEST_P(FakeGpu, MemoryThatOthersHaveTakenIsAFaultOfTheEnvironment) {
  const Kernel kernel = two_launches(small_matrix(), Dtype::f32);
  fake_->kernels = host_kernels(kernel);
  for (const std::size_t before : {std::size_t{0}, fake_->memory_bytes / 2}) {
    fake_->others_bytes = before;  // when it is opened
    const std::unique_ptr<Device> device = open();
    fake_->others_bytes = fake_->memory_bytes;
    const auto [code, line] = fault_of_loading(*device, kernel);
    EXPECT_EQ(code, 4);
    EXPECT_EQ(line,
              std::string(maker().gpu) +
                  " is full: 12 B are needed, 0 B of 4.3 GB are free, and other programs have "
                  "the rest; end them");
    fake_->failures[api().load_module.name] = gpu_error_out_of_memory;
    EXPECT_EQ(fault_of_loading(*device, kernel).first, 4) << "its code has no room";
    fake_->failures.clear();
    fake_->others_bytes = before;
    EXPECT_TRUE(device->load(kernel).ok()) << "they have given it back";
  }
}

TEST_P(FakeGpu, ADesignThatNeedsMoreThanTheGpuHasIsOutOfMemory) {
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
  fake_->failures[api().load_module.name] = gpu_error_out_of_memory;
  kernel.workspaces.clear();
  const auto code = device->load(kernel);
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.failure().status, Status::out_of_memory) << "nobody else is there";
}

// In a worker a GPU is opened in another process: nothing of the driver happens in this process.
TEST_P(FakeGpu, LivesInAWorker) {
  const std::unique_ptr<Device> device =
      open_worker_device([this] { return maker().open_device(0, compile_nothing); });
  EXPECT_EQ(device->info().gpu, maker().gpu);
  EXPECT_EQ(fake_->contexts, 0);
  const Matrix matrix = small_matrix();
  const auto loaded = device->load(two_launches(matrix, Dtype::f32));
  ASSERT_FALSE(loaded.ok()) << "the test's kernels are not those of a session";
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_TRUE(fake_->calls.empty());
}

TEST_P(FakeGpu, SaysWhoItIs) {
  const std::unique_ptr<Device> device = open();
  EXPECT_EQ(device->info().name, device_name(0));
  EXPECT_EQ(device->info().gpu, maker().gpu);
  EXPECT_EQ(device->info().arch, maker().arch);
  EXPECT_EQ(device->info().version, std::string("driver of ") + kind().name + " 99.0");
  EXPECT_EQ(device->info().kind, TimeKind::measured);
}

TEST_P(FakeGpu, GivesTheReferenceOnTheWholeBattery) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    for (const NamedMatrix& named : battery()) {
      const Matrix matrix = with_integer_values(named.matrix);
      const Kernel kernel = two_launches(matrix, dtype);
      const std::unique_ptr<Device> device = open();
      const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
      ASSERT_TRUE(loaded.ok()) << named.name << ": " << loaded.reason();
      const std::vector<SpmvCase> cases = {integer_case("both", matrix, kernel.dtype, {2, -1}),
                                           integer_case("plain", matrix, kernel.dtype, {1, 0})};
      const Result<std::vector<SpmvOutcome>> outcomes = (*loaded)->run(cases);
      ASSERT_TRUE(outcomes.ok()) << named.name << ": " << outcomes.reason();
      ASSERT_EQ(outcomes->size(), cases.size());
      for (std::size_t index = 0; index < cases.size(); ++index) {
        const std::vector<double> expected =
            reference_spmv(matrix, to_numbers(cases[index].x, dtype),
                           to_numbers(cases[index].y, dtype), cases[index].scaling);
        EXPECT_EQ(to_numbers(outcomes->at(index).y, dtype), expected)
            << named.name << ", " << dtype_name(dtype) << ", " << cases[index].name;
      }
    }
  }
}

TEST_P(FakeGpu, LoadsTheImageOfItsArchitectureAndLaunchesInOrder) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  ASSERT_TRUE(
      (*loaded)->run(std::vector<SpmvCase>{integer_case("a", matrix, kernel.dtype, {1, 0})}).ok());
  // Then x and y of the case, which stay there, are looked at.
  const std::vector<std::string> expected = {std::string("load image for ") + maker().arch,
                                             "spmv_init 1x32",
                                             "spmv 1x64",
                                             "fill 0",
                                             "sum_bytes 1x256",
                                             "sum_bytes 1x256"};
  EXPECT_EQ(fake_->calls, expected);
}

TEST_P(FakeGpu, WritesBesideYAreFound) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  for (const int row : {-1, 4}) {
    const std::unique_ptr<Device> device = open();
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(loaded.ok());
    fake_->kernels["spmv"].execute = [row](unsigned, unsigned, const auto& parameters) {
      Seen<float>(parameters).output.y[row] = 1;
    };
    const Result<std::vector<SpmvOutcome>> outcomes = (*loaded)->run(
        std::vector<SpmvCase>{integer_case("exact 1", matrix, kernel.dtype, {1, 0})});
    ASSERT_FALSE(outcomes.ok());
    EXPECT_EQ(outcomes.failure().status, Status::wrong_result);
    EXPECT_NE(outcomes.reason().find("exact 1: y was written outside"), std::string::npos);
  }
}

TEST_P(FakeGpu, AFaultNamesCaseAndKernelAndStaysForTheWholeProcess) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->kernels["spmv"].execute = [this](unsigned, unsigned, const auto&) {
    fake_->failures[api().wait_for_stream.name] = gpu_error_illegal_address;
  };
  const SpmvCase one = integer_case("inf", matrix, kernel.dtype, {1, 0});
  const Result<std::vector<SpmvOutcome>> outcomes = (*loaded)->run(std::vector<SpmvCase>{one});
  ASSERT_FALSE(outcomes.ok());
  EXPECT_EQ(outcomes.failure().status, Status::crash);
  EXPECT_EQ(outcomes.reason(),
            "case inf: kernel spmv: " +
                error_text(api().wait_for_stream.name, gpu_error_illegal_address) +
                "; this process has lost its " + kind().name + " context");
  fake_->failures.clear();
  fake_->kernels["spmv"].execute = {};
  for (const Status status : {(*loaded)->run(std::vector<SpmvCase>{one}).failure().status,
                              (*loaded)->time(one, CacheRegime::warm).failure().status,
                              device->load(kernel).failure().status}) {
    EXPECT_EQ(status, Status::crash);
  }
  EXPECT_NE(device->load(kernel).reason().find("was lost before: kernel spmv"), std::string::npos);
}

TEST_P(FakeGpu, CodesBecomeStatuses) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const struct {
    const char* call;
    int code;
    Status status;
  } table[] = {
      {api().launch.name, gpu_error_launch_out_of_resources, Status::launch_error},
      {api().launch.name, gpu_error_invalid_value, Status::launch_error},
      {api().wait_for_stream.name, gpu_error_launch_timeout, Status::timeout},
      {api().wait_for_stream.name, gpu_error_launch_failed, Status::crash},
      {api().wait_for_stream.name, gpu_error_misaligned_address, Status::crash},
      {api().copy_to_device.name, gpu_error_out_of_memory, Status::out_of_memory},
      {api().copy_to_device.name, gpu_error_invalid_value, Status::crash},
      {api().copy_to_host.name, gpu_error_invalid_value, Status::crash},
  };
  for (const auto& row : table) {
    const std::unique_ptr<Device> device = open();
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(loaded.ok());
    fake_->failures[row.call] = row.code;
    const Result<std::vector<SpmvOutcome>> outcomes =
        (*loaded)->run(std::vector<SpmvCase>{integer_case("a", matrix, kernel.dtype, {1, 0})});
    fake_->failures.clear();
    ASSERT_FALSE(outcomes.ok()) << row.call << " " << row.code;
    EXPECT_EQ(outcomes.failure().status, row.status) << outcomes.reason();
    EXPECT_NE(outcomes.reason().find(row.call), std::string::npos) << outcomes.reason();
    EXPECT_EQ(outcomes.reason().find("lost") != std::string::npos, context_is_lost(row.code));
  }
}

// Codes that lose a context, known ones and those of a later driver. The last is of one call alone.
TEST_P(FakeGpu, CodesThatStayLoseTheContext) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::vector<SpmvCase> cases = {integer_case("a", matrix, kernel.dtype, {1, 0})};
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
  fake_->failures[api().launch.name] = 987;
  EXPECT_EQ((*loaded)->run(cases).failure().status, Status::launch_error);
  fake_->failures.clear();
  EXPECT_TRUE((*loaded)->run(cases).ok()) << "the context is as it was";
}

TEST_P(FakeGpu, AdviceFollowsItsCode) {
  for (const char* const call : {api().init.name, api().create_stream.name}) {
    for (const GpuAdvice& advice : kind().advice) {
      fake_->failures = {{call, advice.code}};
      try {
        open();
        ADD_FAILURE() << "opened";
      } catch (const Error& error) {
        const std::string text = error_text(call, advice.code) + "; " + advice.text;
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      }
    }
  }
}

TEST_P(FakeGpu, LoadingRefusesWhatCannotRun) {
  const Matrix matrix = small_matrix();
  Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures[api().load_module.name] = gpu_error_no_binary_for_gpu;
  Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_NE(loaded.reason().find(error_text(api().load_module.name, gpu_error_no_binary_for_gpu)),
            std::string::npos)
      << loaded.reason();
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

TEST_P(FakeGpu, MissingPartsAreErrorsWithExitCode4) {
  const auto reason = [&](int ordinal) -> std::string {
    try {
      maker().open_device(ordinal, compile_nothing);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::no_device);
      return error.what();
    }
    return "opened";
  };
  EXPECT_EQ(reason(1), device_name(1) + ": there is no such GPU; there is " + device_name(0));
  fake_->devices = 0;
  EXPECT_TRUE(reason(0).starts_with(device_name(0) + ": ")) << reason(0);
  fake_->devices = 1;
  fake_->failures[api().init.name] = gpu_error_no_device;
  EXPECT_NE(reason(0).find(api().init.name), std::string::npos);
  fake_->failures.clear();
  setenv(kind().variable, "/nowhere/libdriver.so", 1);
  EXPECT_NE(reason(0).find(std::string("/nowhere/libdriver.so; ") + kind().hint), std::string::npos)
      << reason(0);
  setenv(kind().variable, "libm.so.6", 1);
  EXPECT_NE(reason(0).find("libm.so.6 lacks "), std::string::npos) << reason(0);
  EXPECT_FALSE(maker().list_devices().at(0).available);
}

TEST_P(FakeGpu, ListsEveryGpu) {
  fake_->devices = 2;
  const std::vector<DeviceListing> listings = maker().list_devices();
  ASSERT_EQ(listings.size(), 2U);
  EXPECT_EQ(listings[1].name, device_name(1));
  EXPECT_TRUE(listings[1].text.starts_with(std::string(maker().other_gpu) + ", " + maker().arch))
      << listings[1].text;
  EXPECT_NE(listings[1].text.find("it reports 4 multiprocessors at 1500 MHz, 1.0 MiB of L2, memory "
                                  "of 1024 GB/s"),
            std::string::npos)
      << listings[1].text;
  EXPECT_TRUE(listings[1].available);
}

}  // namespace
}  // namespace alphasparse
