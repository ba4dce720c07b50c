// nvrtc: NVIDIA's runtime compiler, loaded where it is found - CUDA source in, cubin or PTX out,
// with the registers and spills of every kernel.
//
// It needs neither a GPU nor a driver, so a machine without one still learns the resources of a
// kernel on a named GPU. Sources include nothing, so no include path is needed either. Registers
// and spills are read from the output of ptxas under -v, the only place where they stand without a
// driver.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/compilers/nvrtc_api.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// The resources that one kernel (an entry function) uses; -1 where the compiler did not tell.
struct KernelFacts {
  std::string name;
  int registers = -1;          ///< of a thread
  int spill_store_bytes = -1;  ///< of a thread, as the next two
  int spill_load_bytes = -1;
  int stack_bytes = -1;
  int shared_bytes = -1;    ///< static, of a block
  int constant_bytes = -1;  ///< CUDA 13's ptxas does not tell

  bool operator==(const KernelFacts&) const = default;
};

/// A compiled source.
struct CompiledKernel {
  std::vector<std::byte> cubin;
  std::string log;  ///< the compiler's words, warnings included; empty where a cache had the rest
  std::vector<KernelFacts> kernels;  ///< every kernel of the source

  /// The facts of `name`, or nullptr.
  const KernelFacts* find(std::string_view name) const;
};

/// The facts that a compiler log under --ptxas-options=-v holds, a kernel each, in its order.
/// Functions that were not inlined have lines of their own, which are left out.
std::vector<KernelFacts> parse_ptxas_log(std::string_view log);

/// A loaded NVRTC. Its functions may be called from several threads at once.
class Nvrtc {
 public:
  /// Loads NVRTC from the paths below, or from `names` alone. A Failure names the libraries that
  /// it looked for and the package to install. Its status is pruned where there is none at all, and
  /// another where one is there that does not work.
  static Result<Nvrtc> open();
  static Result<Nvrtc> open(const std::vector<std::string>& names);

  /// Where open() looks. It looks at the library that ALPHASPARSE_LIBNVRTC names, or several
  /// between colons, and nowhere else. Where that is not set, it goes by the names of version 13,
  /// of none, and of 12 in the order of toolkit_paths().
  static std::vector<std::string> paths();

  std::string version() const;  ///< "13.0"
  int major() const { return major_; }
  const std::string& library() const { return library_.name(); }
  std::string file() const { return library_.file(); }  ///< that the loader took for it
  /// Whether its list of architectures lacks this one ("sm_90", with or without a suffix letter).
  /// A library that does not tell its list lacks none: its compilations say why it does not work.
  bool lacks(std::string_view arch) const;

  /// The target for a GPU of `arch` ("sm_121"): itself where it is known, else the newest known of
  /// its family before it ("sm_120"), which such a GPU runs, else PTX for the newest known before
  /// it ("compute_90"). Empty where all that is known is newer.
  std::string find_target(const std::string& arch) const;

  /// The options that compile() passes for `arch`, `extra` last; a cache's key holds them.
  std::vector<std::string> options(const std::string& arch,
                                   const std::vector<std::string>& extra = {}) const;

  /// Compiles a source without includes for one target ("sm_90"; of "compute_90" the image is PTX,
  /// which has no facts). A source that does not
  /// compile is a Failure with the first error and its line. Throws environment_error for a fault
  /// of the machine, not of the source: builtins that are missing, memory that is short.
  Result<CompiledKernel> compile(const std::string& source, const std::string& arch,
                                 const std::vector<std::string>& extra = {}) const;

  /// Compiles an empty kernel: a Failure where this NVRTC cannot compile for `arch` at all.
  Result<CompiledKernel> compile_nothing(const std::string& arch) const;

  /// PTX for a real or virtual architecture ("sm_90" and "compute_90" are the same here).
  Result<std::string> compile_ptx(const std::string& source, const std::string& arch,
                                  const std::vector<std::string>& extra = {}) const;

 private:
  Nvrtc(DynamicLibrary library, const NvrtcApi& api) : library_(std::move(library)), api_(api) {}
  bool at_least(int major, int minor) const;
  std::vector<int> archs() const;
  Failure compile_failure(int code, const std::string& log, const std::string& arch) const;

  DynamicLibrary library_;
  NvrtcApi api_;
  int major_ = 0;
  int minor_ = 0;
};

/// A kernel that shows whether a compiler works at all.
inline constexpr const char* nothing_kernel = "extern \"C\" __global__ void nothing() {}\n";

/// The NVRTC of this process, loaded on first use (about half a second where files are cold), or
/// why there is none. Thread-safe.
const Result<Nvrtc>& nvrtc();

/// Whether there is no NVRTC for an architecture ("sm_90"): none at all, or one of a CUDA that does
/// not know it. One that is there and does not work counts as one.
bool has_no_nvrtc_for(std::string_view arch);

/// The one of Nvrtc::paths() that is named, loaded on first use as well; empty: nvrtc().
const Result<Nvrtc>& nvrtc(const std::string& library);

}  // namespace alphasparse
