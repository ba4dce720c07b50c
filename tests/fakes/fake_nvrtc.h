// fake_nvrtc: facts of the fake of NVRTC for tests.
//
// The fake is a shared library with NVRTC's symbols. It has g++ compile a kernel's source as the
// emulator does. Its "cubin" is the shared object that comes out, which the fake of the driver can
// run. Registers are no compiler's finding: every kernel has as many.
#pragma once

inline constexpr int fake_registers = 77;
inline constexpr int fake_nvrtc_major = 99;  ///< of no CUDA, so that a cache keeps them apart

/// Names that change the library. A copy under the first is of the next major version. A copy under
/// the second is of the last version, and makes images that the fake of the driver refuses. A copy
/// under the third does not tell its architectures.
inline constexpr const char* fake_nvrtc_newer = "newer.so";
inline constexpr const char* fake_nvrtc_refused = "refused.so";
inline constexpr const char* fake_nvrtc_silent = "silent.so";
