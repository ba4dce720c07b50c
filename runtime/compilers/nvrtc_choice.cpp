#include "runtime/compilers/nvrtc_choice.h"

#include <fmt/format.h>

namespace alphasparse {

namespace {

/// The reason why the driver will not load kernels of a compiler; empty where none is known.
std::string compiler_trouble(const Nvrtc& compiler, int driver_major,
                             const std::string& driver_version, const std::string& arch) {
  const std::string name = fmt::format("NVRTC {} ({})", compiler.version(), compiler.library());
  if (driver_major > 0 && compiler.major() > driver_major) {
    return fmt::format(
        "{} is newer than the driver, of CUDA {}: install a newer driver, or a "
        "toolkit of its version",
        name, driver_version);
  }
  if (!compiler.find_target(arch).empty()) return "";
  return fmt::format("{} does not compile for {}: install a CUDA toolkit that does", name, arch);
}

}  // namespace

Result<std::string> choose_nvrtc(int driver_major, const std::string& driver_version,
                                 const std::string& arch,
                                 const std::function<std::string(const Nvrtc&)>& takes) {
  std::string troubles;
  for (const bool lacks : {false, true}) {
    for (const std::string& path : Nvrtc::paths()) {
      const Result<Nvrtc>& compiler = nvrtc(path);
      if (!compiler || compiler->lacks(arch) != lacks) continue;
      std::string trouble = compiler_trouble(*compiler, driver_major, driver_version, arch);
      if (trouble.empty()) trouble = takes(*compiler);
      if (trouble.empty()) return path;
      troubles += (troubles.empty() ? "" : "; ") + trouble;
    }
  }
  return Failure{Status::compile_error, troubles.empty() ? nvrtc().reason() : troubles};
}

}  // namespace alphasparse
