#include "runtime/cuda/cusparse_kernel.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/cuda/cusparse_library.h"
#include "runtime/device/baseline_library.h"
#include "runtime/gpu/library_spmv.h"

namespace alphasparse {
namespace {

class CusparseKernel : public LibrarySpmv {
 public:
  CusparseKernel(std::shared_ptr<GpuSession> session, const Kernel& kernel, const Cusparse& library)
      : LibrarySpmv(std::move(session), kernel, library.version()), library_(library) {}

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

  /// The part that this library lacks, before memory is taken.
  MaybeFailure lacking() const {
    if (is_planned() && api_.run_plan == nullptr) {
      return library_missing(spmv_op, fmt::format("cuSPARSE {} does not have it, or not as 12.8.1 "
                                                  "to 12.9 have",
                                                  library_.version()));
    }
    if (algorithm().format == "bsr" && api_.create_bsr == nullptr) {
      return Failure{Status::launch_error, "this cuSPARSE has no BSR: CUDA 12.1 or later has"};
    }
    return std::nullopt;
  }

 private:
  const char* error_text(int status) const override { return api_.error_string(status); }

  MaybeFailure describe() override {
    if (auto failure = check(api_.create(&handle_), "cusparseCreate")) return failure;
    if (auto failure = check(api_.set_stream(handle_, session().stream()), "cusparseSetStream")) {
      return failure;
    }
    if (auto failure = check(create_matrix(), "making the matrix")) return failure;
    if (auto failure = check(create(kernel().cols, x_values(), x_, x_rows_), "describing x"))
      return failure;
    return check(create(kernel().rows, y_values(), y_, y_rows_), "describing y");
  }

  int create_matrix() {
    void* const row = array(0);
    void* const column = array(1);
    void* const value = array(2);
    if (algorithm().format == "csr") {
      return api_.create_csr(&matrix_, kernel().rows, kernel().cols, kernel().nnz, row, column,
                             value, cusparse_index_32, cusparse_index_32, cusparse_base_zero,
                             type_);
    }
    if (algorithm().format == "coo") {
      return api_.create_coo(&matrix_, kernel().rows, kernel().cols, kernel().nnz, row, column,
                             value, cusparse_index_32, cusparse_base_zero, type_);
    }
    if (algorithm().format == "bsr") {
      const std::int64_t block_rows = kernel().arrays[0].count - 1;
      const std::int64_t side = kernel().rows / block_rows;
      return api_.create_bsr(&matrix_, block_rows, kernel().cols / side, kernel().arrays[1].count,
                             side, side, row, column, value, cusparse_index_32, cusparse_index_32,
                             cusparse_base_zero, type_, cusparse_order_row);
    }
    return api_.create_sell(&matrix_, kernel().rows, kernel().cols, kernel().nnz,
                            kernel().arrays[2].count, algorithm().slice_rows, row, column, value,
                            cusparse_index_32, cusparse_index_32, cusparse_base_zero, type_);
  }

  /// A vector, or several columns row by row.
  int create(std::int64_t length, void* values, CusparseVector& one, CusparseDense& rows) {
    return columns() == 1 ? api_.create_vector(&one, length, values, type_)
                          : api_.create_dense(&rows, length, columns(), columns(), values, type_,
                                              cusparse_order_row);
  }

  bool is_planned() const { return algorithm().part == spmv_op; }

  int size_buffer(const void* alpha, const void* beta, std::size_t& bytes) override {
    if (is_planned()) {
      return api_.operation_buffer_size(handle_, cusparse_not_transposed, matrix_, x_, y_, y_,
                                        type_, algorithm().number, &bytes);
    }
    if (columns() > 1) {
      return api_.many_buffer_size(handle_, cusparse_not_transposed, cusparse_not_transposed, alpha,
                                   matrix_, x_rows_, beta, y_rows_, type_, algorithm().number,
                                   &bytes);
    }
    return api_.buffer_size(handle_, cusparse_not_transposed, alpha, matrix_, x_, beta, y_, type_,
                            algorithm().number, &bytes);
  }

  int preprocess(const void* alpha, const void* beta, bool& is_preprocessed) override {
    if (is_planned()) {
      const int made = api_.create_operation(handle_, &operation_, cusparse_not_transposed, matrix_,
                                             x_, y_, y_, type_, algorithm().number, buffer());
      if (made != cusparse_success) return made;
      return api_.create_plan(handle_, operation_, &plan_, nullptr, 0);
    }
    const int done = [&] {
      if (columns() > 1) {
        return api_.preprocess_many(handle_, cusparse_not_transposed, cusparse_not_transposed,
                                    alpha, matrix_, x_rows_, beta, y_rows_, type_,
                                    algorithm().number, buffer());
      }
      if (api_.preprocess == nullptr) return cusparse_not_supported;
      return api_.preprocess(handle_, cusparse_not_transposed, alpha, matrix_, x_, beta, y_, type_,
                             algorithm().number, buffer());
    }();
    is_preprocessed = done != cusparse_not_supported;
    return is_preprocessed ? done : cusparse_success;
  }

  int multiply(const void* alpha, const void* beta) override {
    if (is_planned()) return api_.run_plan(handle_, plan_, alpha, beta, x_, y_, y_);
    if (columns() > 1) {
      return api_.spmm(handle_, cusparse_not_transposed, cusparse_not_transposed, alpha, matrix_,
                       x_rows_, beta, y_rows_, type_, algorithm().number, buffer());
    }
    return api_.spmv(handle_, cusparse_not_transposed, alpha, matrix_, x_, beta, y_, type_,
                     algorithm().number, buffer());
  }

  int set_vectors(void* x, void* y) override {
    const int set = api_.set_values(x_, x);
    return set != cusparse_success ? set : api_.set_values(y_, y);
  }

  const Cusparse& library_;
  const CusparseApi& api_ = library_.api();
  const int type_ = number_type(kernel().dtype).cuda_data_type;
  CusparseHandle handle_ = nullptr;
  CusparseMatrix matrix_ = nullptr;
  CusparseVector x_ = nullptr;
  CusparseVector y_ = nullptr;
  CusparseDense x_rows_ = nullptr;  // of SpMM, in the place of x and y
  CusparseDense y_rows_ = nullptr;
  CusparseOperation operation_ = nullptr;  // of SpMVOp, as its plan
  CusparsePlan plan_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_cusparse_kernel(std::shared_ptr<GpuSession> session,
                                                           const Kernel& kernel) {
  const Result<Cusparse>& cusparse = Cusparse::instance();
  if (!cusparse) return cusparse.failure();
  auto loaded = std::make_unique<CusparseKernel>(std::move(session), kernel, *cusparse);
  if (auto failure = loaded->lacking()) return *failure;
  return prepared(std::move(loaded));
}

}  // namespace alphasparse
