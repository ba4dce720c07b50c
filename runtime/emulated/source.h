// source: a kernel's CUDA source as the C++ that g++ compiles for the emulator.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/kernel.h"
#include "templates/templates.h"

namespace alphasparse {

/// How a kernel is built.
enum class EmulatedBuild {
  observed,  ///< every memory access and basic block calls the emulator
  plain,     ///< no hooks, optimised: results only
};

/// The files of the folder `shim`.
const std::vector<Template>& emulator_shim_files();

/// The shim: the text in front of every kernel.
const std::string& emulator_shim();

/// The whole translation unit: the shim, the source unchanged, one exported function a launch.
std::string emulated_source(const Kernel& kernel);

/// The same of any CUDA source without includes; `exports` is C++ behind it, in the place of the
/// launches.
std::string emulated_source(const std::string& source, const std::string& exports);

const std::vector<std::string>& emulated_flags(EmulatedBuild build);

}  // namespace alphasparse
