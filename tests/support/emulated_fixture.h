// emulated_fixture: the emulator as tests of its counts and times use it.
#pragma once
#include "runtime/emulated/kernel.h"
#include "runtime/system/files/temporary_folder.h"

namespace alphasparse {

/// Where verdicts on counts are remembered in these tests, apart from the user's.
const TemporaryFolder& emulator_cache();

/// The emulator with the model of an H200, by that cache.
const EmulatorToolchain& h200_tools();

/// A case of a kernel with zeros in x and y.
SpmvCase zero_case(const Kernel& kernel);

}  // namespace alphasparse
