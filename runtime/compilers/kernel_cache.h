// kernel_cache: compiled kernels on disk, so that no source is compiled twice - not by the next
// run, nor by a search that meets the same source again.
//
// One file an entry, named by its key: XXH3 (128 bit) of all that decides the compiler's output. An
// entry carries a format version, its key and a checksum. A file that does not match them is a
// miss, and the next store replaces it. So is an entry that another user can have written: an entry
// is code. A store writes a file of its own in the same folder, syncs it and renames it, so that
// readers and writers of other processes see a whole entry or none. No trouble with the cache stops
// anything: it warns once and the compiler does the work.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/compilers/nvrtc.h"

namespace alphasparse {

/// The properties that decide a compiled kernel, besides this program's own version.
struct CompileRequest {
  std::string source;
  std::string arch;
  std::vector<std::string> options;  ///< all that NVRTC is given, Nvrtc::options
  std::string compiler;              ///< NVRTC's version
};

/// A kernel's source without comments and their lines: the text that decides the machine code. So
/// designs that differ in arrays and launches alone share one compilation.
std::string strip(const std::string& source);

/// 32 hexadecimal digits over the request and the generator's version.
std::string cache_key(const CompileRequest& request);

/// ALPHASPARSE_CACHE, else alphasparse below XDG_CACHE_HOME, else below ~/.cache; absolute; none
/// without HOME. Relative XDG_CACHE_HOME counts as unset, as its standard asks.
std::optional<std::filesystem::path> cache_directory();

/// A folder of compiled kernels, beside other cached files (cache_folder.h). Thread-safe; several
/// processes may share the folder.
class KernelCache {
 public:
  using Warn = std::function<void(const std::string&)>;
  /// The folder is made by the first store, for this user alone (make_own_folder). `warn` is told
  /// of the first trouble, once.
  KernelCache(std::filesystem::path directory, std::int64_t bytes_max, Warn warn);

  /// The entry of a key: cubin and facts, no log. Makes it the most recently used.
  std::optional<CompiledKernel> find(const std::string& key);

  /// Adds or replaces an entry; the least recently used go where the folder would pass bytes_max.
  void store(const std::string& key, const CompiledKernel& compiled);

  /// The entry of a key; where there is none, the result of `make`, which is then stored.
  Result<CompiledKernel> find_or(const std::string& key,
                                 const std::function<Result<CompiledKernel>()>& make);

  /// The same of machine code without facts.
  Result<std::string> code_or(const std::string& key,
                              const std::function<Result<std::string>()>& make);

  /// Removes an entry, if it is there.
  void forget(const std::string& key);

  const std::filesystem::path& directory() const { return directory_; }

 private:
  void warn(const std::string& text);
  void make_room(std::int64_t bytes_added);
  std::filesystem::path make_path(const std::string& key) const;

  std::filesystem::path directory_;
  std::int64_t bytes_max_;
  Warn warn_;
  std::mutex mutex_;  // guards the members below
  bool warned_ = false;
  std::int64_t bytes_until_scan_ = 0;  // how much more is stored before the folder is counted
};

/// The cache of this user; none, and `warn` is told, where there is no place for one.
std::unique_ptr<KernelCache> open_user_cache(KernelCache::Warn warn);

}  // namespace alphasparse
