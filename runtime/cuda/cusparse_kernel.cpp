#include "runtime/cuda/cusparse_kernel.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "runtime/cuda/cusparse_library.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/gpu/spmv.h"

namespace alphasparse {
namespace {

void* pointer(GpuPointer address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

class CusparseKernel : public GpuSpmv {
 public:
  CusparseKernel(std::shared_ptr<GpuSession> session, const Kernel& kernel, const Cusparse& library,
                 const Baseline& algorithm)
      : GpuSpmv(std::move(session), kernel), library_(library), algorithm_(algorithm) {}

  ~CusparseKernel() override {
    session().api().set_context(session().context());
    forget_samples();
    if (plan_) api_.destroy_plan(plan_);
    if (operation_) api_.destroy_operation(operation_);
    if (x_) api_.destroy_vector(x_);
    if (y_) api_.destroy_vector(y_);
    if (x_rows_) api_.destroy_dense(x_rows_);
    if (y_rows_) api_.destroy_dense(y_rows_);
    if (matrix_) api_.destroy_matrix(matrix_);
    if (handle_) api_.destroy(handle_);
  }

  Fault prepare() {
    if (is_planned() && api_.run_plan == nullptr) {
      return library_missing(spmv_op, fmt::format("cuSPARSE {} does not have it, or not as 12.8.1 "
                                                  "to 12.9 have",
                                                  library_.version()));
    }
    if (algorithm_.format == "bsr" && api_.create_bsr == nullptr) {
      return Failure{Status::launch_error, "this cuSPARSE has no BSR: CUDA 12.1 or later has"};
    }
    if (Fault fault = allocate()) return fault;
    if (Fault fault = check(api_.create(&handle_), "cusparseCreate")) return fault;
    if (Fault fault = check(api_.set_stream(handle_, session().stream()), "cusparseSetStream")) {
      return fault;
    }
    if (Fault fault = check(create_matrix(), "making the matrix")) return fault;
    if (Fault fault = check(describe(kernel().cols, x_address(), x_, x_rows_), "describing x"))
      return fault;
    if (Fault fault = check(describe(kernel().rows, y_address(), y_, y_rows_), "describing y"))
      return fault;
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

  /// A vector, or several columns row by row.
  int describe(std::int64_t length, GpuPointer address, CusparseVector& one, CusparseDense& rows) {
    void* const values = pointer(address);
    return columns_ == 1 ? api_.create_vector(&one, length, values, type_)
                         : api_.create_dense(&rows, length, columns_, columns_, values, type_,
                                             cusparse_order_row);
  }

  bool is_planned() const { return algorithm_.part == spmv_op; }

  int size_buffer(std::size_t& bytes) {
    const NumberBytes one = number_bytes(kernel().dtype, 1), zero = number_bytes(kernel().dtype, 0);
    if (is_planned()) {
      return api_.operation_buffer_size(handle_, cusparse_not_transposed, matrix_, x_, y_, y_,
                                        type_, algorithm_.number, &bytes);
    }
    if (columns_ > 1) {
      return api_.many_buffer_size(handle_, cusparse_not_transposed, cusparse_not_transposed,
                                   one.data(), matrix_, x_rows_, zero.data(), y_rows_, type_,
                                   algorithm_.number, &bytes);
    }
    return api_.buffer_size(handle_, cusparse_not_transposed, one.data(), matrix_, x_, zero.data(),
                            y_, type_, algorithm_.number, &bytes);
  }

  int preprocess() {
    const NumberBytes one = number_bytes(kernel().dtype, 1), zero = number_bytes(kernel().dtype, 0);
    void* const buffer = pointer(buffer_.address());
    if (is_planned()) {
      const int made = api_.create_operation(handle_, &operation_, cusparse_not_transposed, matrix_,
                                             x_, y_, y_, type_, algorithm_.number, buffer);
      if (made != cusparse_success) return made;
      return api_.create_plan(handle_, operation_, &plan_, nullptr, 0);
    }
    if (columns_ > 1) {
      return api_.preprocess_many(handle_, cusparse_not_transposed, cusparse_not_transposed,
                                  one.data(), matrix_, x_rows_, zero.data(), y_rows_, type_,
                                  algorithm_.number, buffer);
    }
    if (api_.preprocess == nullptr) return cusparse_not_supported;
    return api_.preprocess(handle_, cusparse_not_transposed, one.data(), matrix_, x_, zero.data(),
                           y_, type_, algorithm_.number, buffer);
  }

  int multiply(const void* alpha, const void* beta) {
    if (is_planned()) return api_.run_plan(handle_, plan_, alpha, beta, x_, y_, y_);
    if (columns_ > 1) {
      return api_.spmm(handle_, cusparse_not_transposed, cusparse_not_transposed, alpha, matrix_,
                       x_rows_, beta, y_rows_, type_, algorithm_.number,
                       pointer(buffer_.address()));
    }
    return api_.spmv(handle_, cusparse_not_transposed, alpha, matrix_, x_, beta, y_, type_,
                     algorithm_.number, pointer(buffer_.address()));
  }

  /// One column of X and Y, where they lie column by column.
  int choose_column(int column) {
    const auto bytes = static_cast<GpuPointer>(column * number_type(kernel().dtype).bytes);
    const int chosen = api_.set_values(x_, pointer(x_address() + bytes * kernel().cols));
    if (chosen != cusparse_success) return chosen;
    return api_.set_values(y_, pointer(y_address() + bytes * kernel().rows));
  }

  /// The buffer, and the analysis of the matrix that cuSPARSE makes once.
  Fault analyse() {
    std::size_t bytes = 0;
    if (Fault fault = check(size_buffer(bytes), "the size of the buffer")) return fault;
    if (Fault fault = take(buffer_, bytes, "cuSPARSE's buffer")) return fault;
    const auto start = std::chrono::steady_clock::now();
    const int done = preprocess();
    if (done == cusparse_not_supported && !is_planned()) {
      note_ = fmt::format("not preprocessed, buffer of {} bytes", bytes);
      return session().wait("cuSPARSE's preprocessing");
    }
    if (Fault fault = check(done, "preprocessing")) return fault;
    if (Fault fault = session().wait("cuSPARSE's preprocessing")) return fault;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    note_ = fmt::format("preprocessed in {:.1f} us, buffer of {} bytes", took.count(), bytes);
    return std::nullopt;
  }

  Fault queue(const Scaling& scaling, const RowDistances&, bool wait) override {
    const NumberBytes alpha = number_bytes(kernel().dtype, scaling.alpha),
                      beta = number_bytes(kernel().dtype, scaling.beta);
    for (int first = 0; first < kernel().vectors; first += columns_) {
      if (columns_ < kernel().vectors) {
        if (Fault fault = check(choose_column(first), "choosing a column")) return fault;
      }
      if (Fault fault = check(multiply(alpha.data(), beta.data()), "the product")) return fault;
    }
    return wait ? session().wait("cuSPARSE's product") : std::nullopt;
  }

  void add_facts_to(Timing& timing) const override {
    const std::string library = library_note({library_.version(), ""});
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

  const Cusparse& library_;
  const Baseline& algorithm_;
  const CusparseApi& api_ = library_.api();
  const int type_ = number_type(kernel().dtype).cuda_data_type;
  const int columns_ = columns_a_call(kernel());
  CusparseHandle handle_ = nullptr;
  CusparseMatrix matrix_ = nullptr;
  CusparseVector x_ = nullptr;
  CusparseVector y_ = nullptr;
  CusparseDense x_rows_ = nullptr;  // of SpMM, in the place of x and y
  CusparseDense y_rows_ = nullptr;
  CusparseOperation operation_ = nullptr;  // of SpMVOp, as its plan
  CusparsePlan plan_ = nullptr;
  GpuBuffer buffer_;
  std::string note_;
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_cusparse_kernel(std::shared_ptr<GpuSession> session,
                                                           const Kernel& kernel) {
  const Result<Cusparse>& cusparse = Cusparse::instance();
  if (!cusparse) return cusparse.failure();
  const Baseline* const algorithm = find_baseline(kernel.vendor);
  CHECK(algorithm != nullptr);
  auto loaded = std::make_unique<CusparseKernel>(std::move(session), kernel, *cusparse, *algorithm);
  if (Fault fault = loaded->prepare()) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
