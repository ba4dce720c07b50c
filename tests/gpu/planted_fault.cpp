// planted_fault: runs a kernel with a fault that a tool of compute-sanitizer must find, so that its
// "0 errors" for other kernels means something.
//
//   gpu_planted_fault memcheck|racecheck [DEVICE]
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/roofline.h"
#include "tests/gpu/planted_kernel.h"

namespace alphasparse {
namespace {

int run(const std::string& tool, const std::string& device_name) {
  Kernel kernel;
  kernel.design = "planted fault for " + tool;
  kernel.rows = kernel.cols = planted_threads;
  kernel.launches = {{"planted", 1, planted_threads}};
  kernel.source = planted_source(tool);
  const std::unique_ptr<Device> device = open_device(device_name);
  const auto loaded = device->load(kernel);
  if (!loaded) throw Error(ExitCode::nothing_verified, loaded.reason());
  SpmvCase input;
  input.name = "planted";
  input.x = random_floats(planted_threads);  // of equal words no tool says that they race
  input.y = std::vector<std::byte>(planted_threads * sizeof(float));
  // The tool reports the outcome.
  (void)(*loaded)->run(std::vector<SpmvCase>{input});
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  try {
    return alphasparse::run(argument_count > 1 ? arguments[1] : "memcheck",
                            argument_count > 2 ? arguments[2] : "cuda:0");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_planted_fault: %s\n", error.what());
    return 4;
  }
}
