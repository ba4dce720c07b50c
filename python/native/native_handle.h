// native_handle: a kernel's arrays, which run one call at a time and survive forks.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "templates/host/alphasparse_kernel.h"

namespace alphasparse {

/// An open library, closed in the end.
struct LibraryCloser {
  void operator()(void* library) const;
};
using Library = std::unique_ptr<void, LibraryCloser>;

/// A handle of a kernel's C interface. Its calls release the interpreter, and none of them waits
/// for the interpreter while it holds the handle: a fork, which holds the interpreter, waits for
/// them. The kernel's code goes with its last handle.
class NativeHandle {
 public:
  /// Loads the format file into the compiled kernel, by `threads` threads, 0: as many as OpenMP
  /// has; throws FileError, ToolchainError or Error.
  NativeHandle(const std::string& object, const std::string& prefix, const std::string& format,
               int threads);
  NativeHandle(const NativeHandle&) = delete;
  ~NativeHandle();

  const alphasparse_kernel& facts() const { return *kernel_; }
  char type() const { return type_; }  ///< of the buffers: 'f' or 'd'

  /// With `own` x and y are in the kernel's own order; else they are copied there and back, where
  /// it has one.
  void multiply(const void* x, void* y, double alpha, double beta, bool own);
  bool has_own_order() const { return kernel_->version == ALPHASPARSE_OWN_ORDER_VERSION; }
  /// The caller's row of each element of y, and the column of each of x: of a kernel with an own
  /// order.
  std::pair<const std::int32_t*, const std::int32_t*> order() const;
  void update_values(const void* values);  ///< throws ValuesError
  void set_threads(int threads);
  int threads() const { return threads_; }  ///< 0: as many as OpenMP gave
  double call_ns(const void* x, void* y, int calls);

  std::mutex& mutex() { return mutex_; }  ///< for forks

 private:
  template <class Call>
  void run(Call call);
  template <class Value>
  int multiply_given(const void* x, void* y, double alpha, double beta);

  Library library_;  // the code, which goes last
  const alphasparse_kernel* kernel_ = nullptr;
  alphasparse_handle* handle_ = nullptr;
  char type_ = 'd';
  int threads_ = 0;
  std::mutex mutex_;
  std::vector<double> own_x_, own_y_;  // their memory, where the caller's are in the given order
};

}  // namespace alphasparse
