#include "runtime/cpu/shared_object.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "runtime/device/baseline_library.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace {

/// The shared object and its exports; a team's and a peer's openers are never both there.
class Module {
 public:
  static Result<Module> open(const std::filesystem::path& object, bool is_peer) {
    Module module;
    module.handle_.reset(dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!module.handle_) {
      const char* const reason = dlerror();
      throw environment_error(fmt::format(
          "a compiled kernel cannot be loaded: {}; set TMPDIR to a folder with room, on "
          "a file system that is not mounted noexec",
          reason == nullptr ? "no reason given" : reason));
    }
    const bool opens = is_peer ? module.find(module.open_peer, "alphasparse_open_peer") &&
                                     module.find(module.version, "alphasparse_peer_version") &&
                                     module.find(module.code_path, "alphasparse_peer_code_path")
                               : module.find(module.open_team, "alphasparse_open_team");
    if (!opens || !module.find(module.run_team, "alphasparse_run_team") ||
        !module.find(module.close_team, "alphasparse_close_team")) {
      throw environment_error(fmt::format(
          "{} is no whole kernel: the compiler, or its linker, does not work", object.string()));
    }
    return module;
  }

  void* (*open_team)(const void* pointers, int threads) = nullptr;
  void* (*open_peer)(int rows, int cols, int entries, int threads, const void* row,
                     const void* column, const void* value) = nullptr;
  const char* (*version)() = nullptr;
  const char* (*code_path)() = nullptr;
  void (*run_team)(const void* team, const void* alpha, const void* x, std::int64_t ldx,
                   const void* beta, void* y, std::int64_t ldy) = nullptr;
  void (*close_team)(void* team) = nullptr;

 private:
  template <class Function>
  bool find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(handle_.get(), name));
    return function != nullptr;
  }
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  std::unique_ptr<void, Close> handle_;
};

class CompiledSpmv : public CpuSpmv {
 public:
  CompiledSpmv(const Kernel& kernel, Module module) : kernel_(kernel), module_(std::move(module)) {}
  ~CompiledSpmv() override {
    if (team_ != nullptr) module_.close_team(team_);
  }

  /// Values are read where they lie: nothing is to be done where they have changed.
  MaybeFailure take(const std::vector<const void*>& pointers, int threads) override {
    if (team_ != nullptr) return std::nullopt;
    team_ = module_.open_peer == nullptr
                ? module_.open_team(pointers.data(), threads)
                : module_.open_peer(kernel_.rows, kernel_.cols, static_cast<int>(kernel_.nnz),
                                    threads, pointers.at(0), pointers.at(1), pointers.at(2));
    if (team_ != nullptr) return std::nullopt;
    throw host_memory_error("no room for a team of threads");
  }

  void run(const Scaling& scaling, const void* x, void* y, const RowDistances& distances) override {
    const NumberBytes alpha = number_bytes(kernel_.dtype, scaling.alpha),
                      beta = number_bytes(kernel_.dtype, scaling.beta);
    module_.run_team(team_, alpha.data(), x, distances.x, beta.data(), y, distances.y);
  }

  std::string note() const override {
    return module_.version == nullptr ? "" : library_note({module_.version(), module_.code_path()});
  }

 private:
  const Kernel& kernel_;
  Module module_;
  void* team_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<CpuSpmv>> open_shared_object(const Kernel& kernel,
                                                    const std::filesystem::path& object) {
  Result<Module> module = Module::open(object, !kernel.vendor.empty());
  if (!module) return module.failure();
  return std::unique_ptr<CpuSpmv>(std::make_unique<CompiledSpmv>(kernel, std::move(*module)));
}

}  // namespace alphasparse
