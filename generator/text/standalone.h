// standalone: NAME.cu, one file that nvcc alone builds, and NAME.h, which declares its interface.
// NAME.cu has the kernel with a C interface around it, and a program that checks and times itself
// on NAME.safetensors. For CPUs the file is NAME.cpu.cpp, for any C++17 compiler with OpenMP. For
// GPUs of AMD it is NAME.hip, for hipcc: the same text in HIP's words (emitted_file.h).
//
//   header comment   design, matrix, fingerprints, the commands that remake and build it, and the
//                    lines of the kernel
//   kernel           Kernel::source
//   declarations     templates/host/alphasparse_kernel.h, so that no other file is needed
//   loader           templates/host/loader.h
//   launches         the grid of each launch; a CPU has a team of threads (templates/lanes/team.h)
//   facts            the format file's properties, a table (templates/host/facts.h)
//   host part        templates/host: C interface and, under ALPHASPARSE_MAIN, the program
//
// The host part is the text of alphasparse_runtime.h for one target, and PREFIX becomes the
// kernel's own. Only the C functions have external linkage: all else, kernels included, lies in an
// unnamed namespace, so that files of several matrices link into one program.
#pragma once
#include <string>
#include <string_view>

#include "base/c_names.h"
#include "base/version.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

/// The facts that the file states about itself beyond its kernel.
struct StandaloneInfo {
  std::string name;    ///< NAME of NAME.cu and NAME.safetensors, without a folder; on a CPU
                       ///< "NAME.cpu"
  std::string matrix;  ///< the matrix file, as the remake command is to spell it
  Fingerprints fingerprints;
  std::string structure = {};  ///< digest of its format file (structure_digest of format_file.h)
  std::string release = ALPHASPARSE_VERSION;  ///< of the program
  std::string arch = "sm_90";                 ///< of the build command
  std::string generator_version = alphasparse::generator_version;
  std::string prefix = {};       ///< of the C functions; empty: c_prefix(name)
  std::string compiled_by = {};  ///< "NVRTC 13.0 for sm_90", where its times were measured,
  std::string checked_by = {};   ///< "g++ 12.2.0 on the emulator" where modelled; empty: not told
  std::string processor = {};    ///< the GPU, its model or the CPU where it was verified,
  int threads = 1;               ///< and by how many threads of a CPU

  std::string time_kind = {};  ///< "measured" or "modelled", of the times there; empty: not told
  std::string device = {};     ///< of the remake command, as --device spells it; empty: none
  std::string requested_name = {};  ///< of the remake command, for --name; empty: the matrix' own
  bool transposed = false;          ///< the matrix is the transpose of the file's matrix
  bool shared = false;              ///< NAME.cu includes alphasparse_runtime.h (runtime_header.h)

  std::string c_names_prefix() const { return prefix.empty() ? c_prefix(name) : prefix; }
};

/// The command that builds the program of an emitted file: "nvcc -std=c++17 ... NAME.cu -o NAME".
/// `arch` is a GPU's ("sm_90"). Every POSIX shell reads the names as they are. A name that no line
/// may show has no command, and the text says so.
std::string build_command(const Spelling& spelling, const std::string& arch,
                          const std::string& source, const std::string& program);

/// The command that runs it, likewise: "./NAME NAME.safetensors".
std::string program_command(const std::string& name);

/// The whole text of NAME.cu, or of NAME.cpu.cpp.
std::string standalone_source(const Kernel& kernel, const StandaloneInfo& info);

/// The part of an emitted file that takes its format file, as a source of its own in C++17: neither
/// the kernel nor CUDA. Its `facts` and load_format lie in alphasparse::host.
std::string loader_source(const Kernel& kernel, const StandaloneInfo& info);

/// The whole text of NAME.kernel.cu, of a kernel for GPUs: Kernel::source behind a header comment,
/// for loaders of other languages, which compile it by NVRTC and launch it by the driver.
std::string kernels_source(const Kernel& kernel, const StandaloneInfo& info);

/// The whole text of NAME.h: plain C, which includes alphasparse_kernel.h.
std::string standalone_header(const Kernel& kernel, const StandaloneInfo& info);

/// The whole text of alphasparse_kernel.h, which is the same for every kernel.
std::string kernel_header();

}  // namespace alphasparse
