#include "runtime/cuda/cusparse_kernel.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "runtime/cuda/spmv.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/system/machine/toolkit_places.h"

namespace alphasparse {
namespace {

std::vector<std::string> cusparse_places() {
  if (const char* named = std::getenv("ALPHASPARSE_LIBCUSPARSE"); named && *named) return {named};
  return toolkit_places({"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"});
}

/// False where the library lacks one of them.
bool load_api(const DynamicLibrary& library, CusparseApi& api) {
  library.load(api.create_bsr, "cusparseCreateBsr");
  library.load(api.get_property, "cusparseGetProperty");
  return library.load(api.error_string, "cusparseGetErrorString") &&
         library.load(api.create, "cusparseCreate") &&
         library.load(api.destroy, "cusparseDestroy") &&
         library.load(api.set_stream, "cusparseSetStream") &&
         library.load(api.create_csr, "cusparseCreateCsr") &&
         library.load(api.create_coo, "cusparseCreateCoo") &&
         library.load(api.create_sell, "cusparseCreateSlicedEll") &&
         library.load(api.destroy_matrix, "cusparseDestroySpMat") &&
         library.load(api.create_vector, "cusparseCreateDnVec") &&
         library.load(api.destroy_vector, "cusparseDestroyDnVec") &&
         library.load(api.buffer_size, "cusparseSpMV_bufferSize") &&
         library.load(api.preprocess, "cusparseSpMV_preprocess") &&
         library.load(api.spmv, "cusparseSpMV");
}

/// "12.5.4"; empty where the library does not say.
std::string version_of(const CusparseApi& api) {
  int major = 0, minor = 0, patch = 0;
  const auto is_read = [&](int type, int& part) {
    return api.get_property != nullptr && api.get_property(type, &part) == cusparse_success;
  };
  if (!is_read(cusparse_major, major) || !is_read(cusparse_minor, minor) ||
      !is_read(cusparse_patch, patch)) {
    return "";
  }
  return fmt::format("{}.{}.{}", major, minor, patch);
}

void* pointer(CudaPointer address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

/// alpha or beta in the type that cuSPARSE reads.
class Scalar {
 public:
  Scalar(Dtype dtype, double value) : is_f32_(dtype == Dtype::f32), wide_(value) {
    narrow_ = static_cast<float>(value);
  }
  const void* address() const {
    return is_f32_ ? static_cast<const void*>(&narrow_) : static_cast<const void*>(&wide_);
  }

 private:
  bool is_f32_;
  float narrow_;
  double wide_;
};

class CusparseKernel : public CudaSpmv {
 public:
  CusparseKernel(std::shared_ptr<CudaSession> session, const Kernel& kernel, const CusparseApi& api,
                 const Baseline& algorithm)
      : CudaSpmv(std::move(session), kernel), api_(api), algorithm_(algorithm) {}

  ~CusparseKernel() override {
    session().api().set_context(session().context());
    if (x_) api_.destroy_vector(x_);
    if (y_) api_.destroy_vector(y_);
    if (matrix_) api_.destroy_matrix(matrix_);
    if (handle_) api_.destroy(handle_);
  }

  Fault prepare() {
    if (algorithm_.format == "bsr" && api_.create_bsr == nullptr) {
      return Failure{Status::launch_error, "this cuSPARSE has no BSR: CUDA 12.1 or later has"};
    }
    if (Fault fault = allocate()) return fault;
    if (Fault fault = check(api_.create(&handle_), "cusparseCreate")) return fault;
    if (Fault fault = check(api_.set_stream(handle_, session().stream()), "cusparseSetStream")) {
      return fault;
    }
    if (Fault fault = check(create_matrix(), "making the matrix")) return fault;
    if (Fault fault = check(api_.create_vector(&x_, kernel().cols, pointer(x_address()), type_),
                            "cusparseCreateDnVec of x")) {
      return fault;
    }
    if (Fault fault = check(api_.create_vector(&y_, kernel().rows, pointer(y_address()), type_),
                            "cusparseCreateDnVec of y")) {
      return fault;
    }
    return analyse();
  }

 private:
  int create_matrix() {
    void* const row = pointer(array_address(0));
    void* const column = pointer(array_address(1));
    void* const value = pointer(array_address(2));
    if (algorithm_.format == "csr") {
      return api_.create_csr(&matrix_, kernel().rows, kernel().cols, kernel().nnz, row, column,
                             value, cusparse_index_32, cusparse_index_32, cusparse_base_zero,
                             type_);
    }
    if (algorithm_.format == "coo") {
      return api_.create_coo(&matrix_, kernel().rows, kernel().cols, kernel().nnz, row, column,
                             value, cusparse_index_32, cusparse_base_zero, type_);
    }
    if (algorithm_.format == "bsr") {
      const std::int64_t block_rows = kernel().arrays[0].count - 1;
      const std::int64_t side = kernel().rows / block_rows;
      return api_.create_bsr(&matrix_, block_rows, kernel().cols / side, kernel().arrays[1].count,
                             side, side, row, column, value, cusparse_index_32, cusparse_index_32,
                             cusparse_base_zero, type_, cusparse_order_row);
    }
    return api_.create_sell(&matrix_, kernel().rows, kernel().cols, kernel().nnz,
                            kernel().arrays[2].count, algorithm_.slice_rows, row, column, value,
                            cusparse_index_32, cusparse_index_32, cusparse_base_zero, type_);
  }

  /// The buffer, and the analysis of the matrix that cuSPARSE makes once.
  Fault analyse() {
    const Scalar one(kernel().dtype, 1), zero(kernel().dtype, 0);
    std::size_t bytes = 0;
    const int sized = api_.buffer_size(handle_, cusparse_not_transposed, one.address(), matrix_, x_,
                                       zero.address(), y_, type_, algorithm_.number, &bytes);
    if (Fault fault = check(sized, "cusparseSpMV_bufferSize")) return fault;
    if (Fault fault = take(buffer_, bytes, "cuSPARSE's buffer")) return fault;
    const auto start = std::chrono::steady_clock::now();
    const int done =
        api_.preprocess(handle_, cusparse_not_transposed, one.address(), matrix_, x_,
                        zero.address(), y_, type_, algorithm_.number, pointer(buffer_.address()));
    if (done == cusparse_not_supported) {  // this algorithm has no preparation
      note_ = fmt::format("not preprocessed, buffer of {} bytes", bytes);
      return session().wait("cuSPARSE's preprocessing");
    }
    if (Fault fault = check(done, "cusparseSpMV_preprocess")) return fault;
    if (Fault fault = session().wait("cuSPARSE's preprocessing")) return fault;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    note_ = fmt::format("preprocessed in {:.1f} us, buffer of {} bytes", took.count(), bytes);
    return std::nullopt;
  }

  Fault queue(double alpha, double beta, bool wait) override {
    const Scalar a(kernel().dtype, alpha), b(kernel().dtype, beta);
    const int code =
        api_.spmv(handle_, cusparse_not_transposed, a.address(), matrix_, x_, b.address(), y_,
                  type_, algorithm_.number, pointer(buffer_.address()));
    if (Fault fault = check(code, "cusparseSpMV")) return fault;
    return wait ? session().wait("cusparseSpMV") : std::nullopt;
  }

  void add_facts_to(Timing& timing) const override {
    const std::string library = library_note({version_of(api_), ""});
    if (!library.empty()) add_note(timing, library);
    add_note(timing, note_);
  }

  /// The session records it too: where the context is lost, the next kernel is not to blame.
  Fault check(int status, const char* doing) const {
    if (status == cusparse_success) return std::nullopt;
    const std::string reason = fmt::format("{}: {}", doing, api_.error_string(status));
    const Fault fault = session().wait(doing);
    if (!fault) return Failure{Status::launch_error, reason};
    return Failure{fault->status, fmt::format("{}; {}", reason, fault->reason)};
  }

  const CusparseApi& api_;
  const Baseline& algorithm_;
  const int type_ = kernel().dtype == Dtype::f32 ? cuda_real_32 : cuda_real_64;
  CusparseHandle handle_ = nullptr;
  CusparseMatrix matrix_ = nullptr;
  CusparseVector x_ = nullptr;
  CusparseVector y_ = nullptr;
  CudaBuffer buffer_;
  std::string note_;
};

}  // namespace

Result<Cusparse> Cusparse::open() {
  const std::vector<std::string> names = cusparse_places();
  Result<DynamicLibrary> library = DynamicLibrary::open(names);
  if (!library) {
    return library_missing("cuSPARSE", library.reason());
  }
  CusparseApi api;
  if (!load_api(*library, api)) {
    return Failure{Status::launch_error,
                   fmt::format("{} lacks functions of CUDA 12.4 or later", library->name())};
  }
  return Cusparse(std::move(*library), api);
}

const Result<Cusparse>& Cusparse::instance() {
  static const Result<Cusparse> instance = open();
  return instance;
}

Result<std::unique_ptr<LoadedKernel>> load_cusparse_kernel(std::shared_ptr<CudaSession> session,
                                                           const Kernel& kernel) {
  const Result<Cusparse>& cusparse = Cusparse::instance();
  if (!cusparse) return cusparse.failure();
  const Baseline* const algorithm = find_baseline(kernel.vendor);
  CHECK(algorithm != nullptr);
  auto loaded =
      std::make_unique<CusparseKernel>(std::move(session), kernel, cusparse->api(), *algorithm);
  if (Fault fault = loaded->prepare()) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
