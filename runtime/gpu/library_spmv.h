// library_spmv: an SpMV or SpMM that a maker's library computes on the arrays, x and y of a kernel
// of baseline_kernels.h.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "runtime/device/baseline_kernels.h"
#include "runtime/gpu/spmv.h"

namespace alphasparse {

/// A library's folder has its calls. Each returns the library's status, of which 0 is success.
class LibrarySpmv : public GpuSpmv {
 public:
  /// Takes memory, describes the matrix and the vectors, and has the library prepare its product.
  MaybeFailure prepare();

 protected:
  /// `version` of the library is "12.5.4"; empty where it does not say.
  LibrarySpmv(std::shared_ptr<GpuSession> session, const Kernel& kernel, std::string version);

  virtual const char* error_text(int status) const = 0;
  /// Makes the library's handle on the session's stream, the matrix and the vectors.
  virtual MaybeFailure describe() = 0;
  virtual int size_buffer(const void* alpha, const void* beta, std::size_t& bytes) = 0;
  /// The work that depends on the matrix alone, once. Clears is_preprocessed where there is none.
  virtual int preprocess(const void* alpha, const void* beta, bool& is_preprocessed) = 0;
  virtual int multiply(const void* alpha, const void* beta) = 0;
  /// Sets the addresses of the described vectors.
  virtual int set_vectors(void* x, void* y) = 0;

  /// The session records it too: where the context is lost, the next kernel is not to blame.
  MaybeFailure check(int status, const char* doing) const;

  const Baseline& algorithm() const { return algorithm_; }
  int columns() const { return columns_; }  ///< of X and Y that a call multiplies
  void* x_values() const { return pointer(x_address()); }
  void* y_values() const { return pointer(y_address()); }
  void* array(std::size_t index) const { return pointer(array_address(index)); }
  void* buffer() const { return pointer(buffer_.address()); }
  std::size_t buffer_bytes() const { return buffer_.bytes(); }

 private:
  static void* pointer(GpuPointer address);
  MaybeFailure analyse();
  MaybeFailure queue(const Scaling& scaling, const RowDistances& distances, bool wait) override;
  void add_facts_to(Timing& timing) const override;

  const Baseline& algorithm_;
  const int columns_;
  std::string version_;
  std::string note_;
  GpuBuffer buffer_;
};

/// The loaded kernel, or the fault of its preparation.
template <class Spmv>
Result<std::unique_ptr<LoadedKernel>> prepared(std::unique_ptr<Spmv> loaded) {
  if (auto failure = loaded->prepare()) return *failure;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
