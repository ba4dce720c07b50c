// devices_test: device names are understood or refused, and the list never fails.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/device/device.h"
#include "runtime/emulated/gpu_models.h"

namespace alphasparse {
namespace {

ExitCode code_of(const std::string& name) {
  try {
    open_device(name);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

TEST(OpenDevice, NamesThatMeanNothingAreBadInput) {
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999",
                           "CUDA", "cuda0", "emulated:no-such-gpu", "emulated:"}) {
    EXPECT_EQ(code_of(name), ExitCode::bad_input) << name;
  }
}

TEST(OpenDevice, AMissingDriverIsExitCode4) {
  setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so", 1);
  EXPECT_EQ(code_of("cuda"), ExitCode::no_device);
  EXPECT_EQ(code_of("cuda:7"), ExitCode::no_device);
}

TEST(DeviceNames, AListIsSharedOut) {
  EXPECT_EQ(device_names("cuda:1"), std::vector<std::string>{"cuda:1"});
  EXPECT_EQ(device_names("cpu"), std::vector<std::string>{"cpu"});
  EXPECT_EQ(device_names("cuda:1,cuda,emulated,emulated"),
            (std::vector<std::string>{"cuda:1", "cuda", "emulated", "emulated"}));
  for (const char* bad : {"cpu,cpu:1", "cuda,cuda:0", "auto,cuda", "all,cuda"}) {
    try {
      device_names(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input) << bad;
    }
  }
}

TEST(ListDevices, NamesWhatIsMissingAndEveryModel) {
  setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so", 1);
  const std::vector<DeviceListing> listings = list_devices();
  ASSERT_GE(listings.size(), 2U);
  EXPECT_EQ(listings[0].name, "cuda");
  EXPECT_FALSE(listings[0].available);
  EXPECT_NE(listings[0].text.find("/nowhere/libcuda.so"), std::string::npos) << listings[0].text;
  bool has_default = false;
  for (const DeviceListing& listing : listings) {
    has_default = has_default || listing.name == "emulated:h200";
    EXPECT_FALSE(listing.text.empty()) << listing.name;
    EXPECT_EQ(listing.text.find('\n'), std::string::npos) << listing.text;
  }
  EXPECT_TRUE(has_default);
}

TEST(ListDevices, WorksWithoutAnEnvironment) {
  clearenv();
  EXPECT_NO_THROW(list_devices());
}

TEST(NearFloor, IsAMultipleOfTheModelsLaunch) {
  DeviceInfo device;
  device.gpu = gpu_models().front().full_name;
  EXPECT_DOUBLE_EQ(near_floor_us(device), 1.5 * gpu_models().front().launch_us);
  device.kind = TimeKind::measured;
  EXPECT_DOUBLE_EQ(near_floor_us(device), 0);
}

}  // namespace
}  // namespace alphasparse
