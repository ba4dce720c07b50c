// native_handle: a kernel's arrays, which run one call at a time and survive forks.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "generator/arrays/number_type.h"
#include "templates/host/alphasparse_kernel.h"

namespace alphasparse {

/// Columns in memory: element (i, j) lies i * row_step + j * step bytes behind the first one.
struct Columns {
  char* first;
  std::int64_t count, row_step, step;
};

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
  const NumberType& type() const { return *type_; }  ///< of x and y

  /// With `own` x and y are in the kernel's own order; else they are copied there and back, where
  /// it has one. Those of a real kernel have real factors.
  void multiply(const void* x, void* y, Number alpha, Number beta, bool own);
  /// The same for as many columns of X and Y as the kernel takes, or less, and for any number where
  /// it takes them one by one. Those that it does not take as they lie are copied there and back.
  void multiply(Columns x, Columns y, Number alpha, Number beta, bool own);
  int vectors() const { return has_version(ALPHASPARSE_VECTORS_VERSION) ? kernel_->vectors : 1; }
  bool has_own_order() const { return has_version(ALPHASPARSE_OWN_ORDER_VERSION); }
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
  bool has_version(int version) const { return kernel_->version == version; }
  int call(const void* x, void* y, Number alpha, Number beta) const;
  int multiply_vector(const void* x, void* y, Number alpha, Number beta, bool own);
  template <class Value>
  int multiply_given(const void* x, void* y, Number alpha, Number beta);
  template <class Value>
  int multiply_columns(const Columns& x, const Columns& y, Number alpha, Number beta, bool own);

  Library library_;  // the code, which goes last
  const alphasparse_kernel* kernel_ = nullptr;
  alphasparse_handle* handle_ = nullptr;
  const NumberType* type_ = nullptr;
  int threads_ = 0;
  std::mutex mutex_;
  std::vector<double> own_x_, own_y_;  // their memory, where the caller's are in the given order
  std::vector<double> x_, y_;          // likewise, where the caller's lie as the kernel takes none
};

}  // namespace alphasparse
