#include "tests/support/emulated_fixture.h"

#include <cstdlib>

#include "runtime/emulated/emulator_program.h"

namespace alphasparse {

const TemporaryFolder& emulator_cache() {
  static const TemporaryFolder folder;
  setenv("ALPHASPARSE_CACHE", folder.path().c_str(), 1);
  return folder;
}

const EmulatorToolchain& h200_tools() {
  emulator_cache();
  static const EmulatorToolchain made(*find_gpu_model("h200"), find_host_compiler(),
                                      find_emulator());
  return made;
}

SpmvCase zero_case(const Kernel& kernel) {
  SpmvCase input;
  input.name = "timed";
  const auto zeros = [&](std::int32_t elements) {
    return std::vector<std::byte>(static_cast<std::size_t>(elements) *
                                  number_type(kernel.dtype).bytes);
  };
  input.x = zeros(kernel.cols);
  input.y = zeros(kernel.rows);
  return input;
}

}  // namespace alphasparse
