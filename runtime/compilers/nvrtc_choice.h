// nvrtc_choice: which of the NVRTCs that are there compiles for a GPU.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "runtime/compilers/nvrtc.h"

namespace alphasparse {

/// Tries the NVRTCs in the order of Nvrtc::paths(), but those first that know the GPU ("sm_90"),
/// until `takes` finds no fault in one. Returns its library, or the fault of each. One that is
/// newer than the driver's CUDA (major 12, version "12.4"; 0: not told) makes code that it refuses.
Result<std::string> choose_nvrtc(int driver_major, const std::string& driver_version,
                                 const std::string& arch,
                                 const std::function<std::string(const Nvrtc&)>& takes);

}  // namespace alphasparse
