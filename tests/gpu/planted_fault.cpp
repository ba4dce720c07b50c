// planted_fault: runs a kernel with a fault that a tool of compute-sanitizer must find, so that its
// "0 errors" for other kernels means something.
//
//   gpu_planted_fault memcheck|racecheck [DEVICE]
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "templates/templates.h"

namespace alphasparse {
namespace {

constexpr int threads = 64;

/// Reads x beyond its end.
constexpr const char* memcheck_body = "  y[threadIdx.x] = x[threadIdx.x + 64];\n";

/// Two warps write one shared word, and read it without a barrier.
constexpr const char* racecheck_body =
    "  __shared__ float word;\n"
    "  word = x[threadIdx.x];\n"
    "  y[threadIdx.x] = word;\n";

int run(const std::string& tool, const std::string& device_name) {
  Kernel kernel;
  kernel.design = "planted fault for " + tool;
  kernel.rows = kernel.cols = threads;
  kernel.launches = {{"planted", 1, threads}};
  kernel.source = std::string(template_text("fragments/prelude.cuh")) +
                  "extern \"C\" __global__ void __launch_bounds__(64)\n"
                  "    planted(const Value* x, Value* y, Value, Value) {\n" +
                  (tool == "racecheck" ? racecheck_body : memcheck_body) + "}\n";
  const std::unique_ptr<Device> device = open_device(device_name);
  const auto loaded = device->load(kernel);
  if (!loaded) throw Error(ExitCode::nothing_verified, loaded.reason());
  SpmvCase input;
  input.name = "planted";
  input.x = std::vector<std::byte>(threads * sizeof(float));
  input.y = std::vector<std::byte>(threads * sizeof(float));
  // What comes of it is the tool's to say.
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
