// driver: a GPU's driver, loaded where there is one, and the one place where its codes turn into
// our failures.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/gpu/api.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// A remedy that a message adds for a code.
struct GpuAdvice {
  int code;
  const char* text;
};

/// The rest in which two drivers differ, as data.
struct GpuDriverKind {
  const char* device;                  ///< "cuda", in the names of its devices
  const char* variable;                ///< names another library of it
  std::span<const char* const> nodes;  ///< files of the kernel where a GPU is: "/dev/kfd"
  const char* name;                    ///< "CUDA", in messages
  const char* hint;                    ///< for one that is missing: "install NVIDIA's driver"
  const char* too_old;                 ///< of one that lacks a function
  int major_unit, minor_unit;          ///< of a version as a number: 13020 is 13.2 by 1000 and 10
  GpuAttributes attributes;
  std::span<const GpuAdvice> advice;
  /// The bytes of a cache behind L2 that no attribute tells, of GPUs of an architecture; or null.
  std::int64_t (*cache_behind_l2)(const std::string& arch) = nullptr;
  std::string (*no_gpu_reason)() = nullptr;  ///< the cause that hides GPUs, with a remedy; or empty
};

/// A loaded and initialised driver. Usable from several threads.
class GpuDriver {
 public:
  /// Fills `api` from a library, and returns the symbol that the library lacks, or null.
  using LoadApi = const char* (*)(const DynamicLibrary& library, GpuApi& api);

  /// Loads the first of the libraries that is there, and starts it. A Failure names in one line the
  /// missing part: the library, a function of it, a GPU.
  static Result<GpuDriver> open(const GpuDriverKind& kind,
                                const std::vector<std::string>& libraries, LoadApi load_api);

  const GpuApi& api() const { return api_; }
  const GpuDriverKind& kind() const { return *kind_; }
  const std::string& library() const { return library_.name(); }

  int device_count() const { return device_count_; }  ///< >= 1
  std::string version() const;  ///< of CUDA or HIP, that the driver is made for: "13.0"
  int major() const;            ///< of the same; 0 where it does not tell

  /// "cuda:1"
  std::string device_name(int ordinal) const;

  /// The Failure for `code`, returned by `call` ("cuMemAlloc"). `doing` states the purpose.
  Failure failure(int code, const char* call, const std::string& doing) const;

 private:
  GpuDriver(DynamicLibrary library, GpuApi api, const GpuDriverKind& kind)
      : library_(std::move(library)), api_(std::move(api)), kind_(&kind) {}

  DynamicLibrary library_;
  GpuApi api_;
  const GpuDriverKind* kind_;
  int device_count_ = 0;
};

/// Whether this machine shows such a GPU, or a variable names a library for one. No driver is
/// asked.
bool may_be_here(const GpuDriverKind& kind);

/// The libraries of a driver: the one that `variable` names alone, where it is set.
std::vector<std::string> driver_libraries(const char* variable, std::vector<std::string> names);

/// Loads a function of any handle types into a call, whose types are those of the same bits, and
/// names it without the version of its symbol ("_v2"). False where the library lacks it.
template <class... Parameters>
bool load_call(const DynamicLibrary& library, GpuCall<Parameters...>& call, const char* name,
               const char* version = "") {
  int (*function)(Parameters...) = nullptr;
  call = {{}, name};
  if (!library.load(function, (std::string(name) + version).c_str())) return false;
  call.function = function;
  return true;
}

/// Whether the process can use its context no more after `code`: every later call fails with it.
bool context_is_lost(int code);

/// Whether nobody here knows: drivers add codes. The same answer from a wait says that it is lost.
bool may_be_sticky(int code);

}  // namespace alphasparse
