#include "runtime/hip/rocsparse_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/device/baseline_library.h"
#include "runtime/gpu/library_spmv.h"
#include "runtime/hip/rocsparse_library.h"

namespace alphasparse {
namespace {

class RocsparseKernel : public LibrarySpmv {
 public:
  RocsparseKernel(std::shared_ptr<GpuSession> session, const Kernel& kernel,
                  const Rocsparse& library)
      : LibrarySpmv(std::move(session), kernel, library.version()), library_(library) {}

  ~RocsparseKernel() override {
    session().api().set_context(session().context());
    forget_samples();
    if (product_) api_.destroy_product(product_);
    if (x_) api_.destroy_vector(x_);
    if (y_) api_.destroy_vector(y_);
    if (matrix_) api_.destroy_matrix(matrix_);
    if (handle_) api_.destroy(handle_);
  }

  /// The part that this library lacks, before memory is taken.
  MaybeFailure lacking() const {
    if (library_.version_number() >= algorithm().since && (!is_v2() || api_.create_sell))
      return std::nullopt;
    return library_missing(algorithm().part,
                           fmt::format("rocSPARSE {} does not have it", library_.version()));
  }

 private:
  const char* error_text(int status) const override { return rocsparse_status_name(status); }

  /// rocsparse_v2_spmv alone takes sliced ELL.
  bool is_v2() const { return algorithm().format == "sell"; }

  MaybeFailure describe() override {
    if (auto failure = check(api_.create(&handle_), "rocsparse_create_handle")) return failure;
    if (auto failure =
            check(api_.set_stream(handle_, session().stream()), "rocsparse_set_stream")) {
      return failure;
    }
    if (auto failure = check(create_matrix(), "making the matrix")) return failure;
    if (auto failure =
            check(api_.create_vector(&x_, kernel().cols, x_values(), type_), "describing x")) {
      return failure;
    }
    if (auto failure =
            check(api_.create_vector(&y_, kernel().rows, y_values(), type_), "describing y")) {
      return failure;
    }
    return is_v2() ? check(create_product(), "describing the product") : std::nullopt;
  }

  int create_matrix() {
    constexpr int index = rocsparse_index_32, base = rocsparse_base_zero;
    const std::int64_t rows = kernel().rows, cols = kernel().cols, nnz = kernel().nnz;
    const std::int64_t stored = kernel().arrays[2].count;
    void* const row = array(0);
    void* const column = array(1);
    void* const value = array(2);
    if (algorithm().format == "csr") {
      return api_.create_csr(&matrix_, rows, cols, nnz, row, column, value, index, index, base,
                             type_);
    }
    if (algorithm().format == "coo") {
      return api_.create_coo(&matrix_, rows, cols, nnz, row, column, value, index, base, type_);
    }
    if (algorithm().format == "ell") {
      const std::int64_t width = rows == 0 ? 0 : stored / rows;
      return api_.create_ell(&matrix_, rows, cols, column, value, width, index, base, type_);
    }
    if (algorithm().format == "bsr") {
      const std::int64_t block_rows = kernel().arrays[0].count - 1;
      const std::int64_t side = rows / block_rows;
      return api_.create_bsr(&matrix_, block_rows, cols / side, kernel().arrays[1].count,
                             rocsparse_rows_of_blocks, side, row, column, value, index, index, base,
                             type_);
    }
    return api_.create_sell(&matrix_, rows, cols, nnz, algorithm().slice_rows, stored, row, column,
                            value, index, index, base, type_);
  }

  int create_product() {
    int status = api_.create_product(&product_);
    for (const auto& [input, value] : {std::pair{rocsparse_input_algorithm, algorithm().number},
                                       {rocsparse_input_operation, rocsparse_not_transposed},
                                       {rocsparse_input_scalar_type, type_},
                                       {rocsparse_input_compute_type, type_}}) {
      if (status != rocsparse_success) return status;
      status = api_.set_input(handle_, product_, input, &value, sizeof value, nullptr);
    }
    return status;
  }

  /// rocsparse_spmv in this version's form; one without stages tells them by the buffer.
  int spmv(const void* alpha, const void* beta, int stage, std::size_t& bytes, void* buffer) {
    constexpr int operation = rocsparse_not_transposed;
    const int number = algorithm().number;
    return api_.spmv ? api_.spmv(handle_, operation, alpha, matrix_, x_, beta, y_, type_, number,
                                 stage, &bytes, buffer)
                     : api_.spmv_without_stages(handle_, operation, alpha, matrix_, x_, beta, y_,
                                                type_, number, &bytes, buffer);
  }

  /// A buffer of no bytes is null there.
  int v2_spmv(const void* alpha, const void* beta, int stage) {
    const std::size_t bytes = buffer_bytes();
    return api_.v2_spmv(handle_, product_, alpha, matrix_, x_, beta, y_, stage, bytes,
                        bytes == 0 ? nullptr : buffer(), nullptr);
  }

  int size_buffer(const void* alpha, const void* beta, std::size_t& bytes) override {
    if (is_v2()) {
      for (const int stage : {rocsparse_v2_analysis, rocsparse_v2_compute}) {
        std::size_t needed = 0;
        const int status =
            api_.v2_buffer_size(handle_, product_, matrix_, x_, y_, stage, &needed, nullptr);
        if (status != rocsparse_success) return status;
        bytes = std::max(bytes, needed);
      }
      return rocsparse_success;
    }
    return spmv(alpha, beta, rocsparse_stage_buffer_size, bytes, nullptr);
  }

  /// Without it the product would run by another kernel than that of the algorithm.
  int preprocess(const void* alpha, const void* beta, bool&) override {
    if (is_v2()) return v2_spmv(alpha, beta, rocsparse_v2_analysis);
    std::size_t bytes = buffer_bytes();
    return spmv(alpha, beta, rocsparse_stage_preprocess, bytes, buffer());
  }

  int multiply(const void* alpha, const void* beta) override {
    if (is_v2()) return v2_spmv(alpha, beta, rocsparse_v2_compute);
    std::size_t bytes = buffer_bytes();
    return spmv(alpha, beta, rocsparse_stage_compute, bytes, buffer());
  }

  int set_vectors(void* x, void* y) override {
    const int set = api_.set_values(x_, x);
    return set != rocsparse_success ? set : api_.set_values(y_, y);
  }

  const Rocsparse& library_;
  const RocsparseApi& api_ = library_.api();
  const int type_ = rocsparse_data_type(kernel().dtype);
  RocsparseHandle handle_ = nullptr;
  RocsparseMatrix matrix_ = nullptr;
  RocsparseVector x_ = nullptr;
  RocsparseVector y_ = nullptr;
  RocsparseProduct product_ = nullptr;  // of rocsparse_v2_spmv
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_rocsparse_kernel(std::shared_ptr<GpuSession> session,
                                                            const Kernel& kernel) {
  const Result<Rocsparse>& rocsparse = Rocsparse::instance(session->api());
  if (!rocsparse) return rocsparse.failure();
  auto loaded = std::make_unique<RocsparseKernel>(std::move(session), kernel, *rocsparse);
  if (auto failure = loaded->lacking()) return *failure;
  return prepared(std::move(loaded));
}

}  // namespace alphasparse
