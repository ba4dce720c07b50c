// fake_rocsparse: a fake of rocSPARSE's SpMV on the "GPU" of the fake of HIP, with memory on the
// host; a product is queued there and runs when the caller waits for it.
//
// FAKE_ROCSPARSE_VERSION is the number of its version, which decides its functions and algorithms.
// FakeGpuState::calls has the stages in their order. The real library computes without a
// preprocessing, by another kernel: this one does too, and notes it as a broken rule.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>

#include "generator/arrays/number_type.h"
#include "runtime/hip/rocsparse_api.h"
#include "tests/fakes/fake_driver_state.h"
#include "tests/fakes/fake_gpu_state.h"
#include "tests/fakes/fake_product.h"

using namespace alphasparse;

namespace alphasparse {
struct RocsparseContextRecord {
  GpuStream stream = nullptr;
};
struct RocsparseMatrixRecord : FakeMatrix {
  int sized = -1;     // the algorithm whose buffer was asked for
  int prepared = -1;  // by the preprocessing

  explicit RocsparseMatrixRecord(const FakeMatrix& matrix) : FakeMatrix(matrix) {}
};
struct RocsparseVectorRecord {
  void* values;
  std::int64_t size;
  int type;
};
struct RocsparseProductRecord {
  int inputs[4] = {-1, -1, -1, -1};
  int stage = -1;  // that was run last
};
}  // namespace alphasparse

namespace {

using Format = FakeMatrix::Format;

constexpr int version = FAKE_ROCSPARSE_VERSION;

constexpr int invalid_handle = 1;
constexpr int not_implemented = 2;
constexpr int invalid_pointer = 3;
constexpr int invalid_size = 4;
constexpr int internal_error = 6;
constexpr int invalid_value = 7;

/// Everything that was made and not destroyed, and how many of it are handles.
std::set<const void*> alive;
int handles = 0;

template <class Record>
Record* made(Record* record) {
  alive.insert(record);
  return record;
}

template <class Record>
int destroyed(Record* record, const char* call) {
  if (alive.erase(record) == 0) {
    fake_broken(fmt::format("{} of what is not there", call));
    return invalid_pointer;
  }
  delete record;
  return rocsparse_success;
}

bool are_alive(std::initializer_list<const void*> records) {
  return std::all_of(records.begin(), records.end(),
                     [](const void* record) { return alive.count(record) == 1; });
}

const NumberType* number_of(int type) {
  const auto* const row = std::find_if(
      number_types.begin(), number_types.end(),
      [&](const NumberType& number) { return rocsparse_data_type(number.dtype) == type; });
  return row == number_types.end() ? nullptr : row;
}

int create(RocsparseMatrix* matrix, FakeMatrix record, int base, int type,
           std::initializer_list<int> index_types) {
  const NumberType* const number = number_of(type);
  const bool are_32 = std::all_of(index_types.begin(), index_types.end(),
                                  [](int one) { return one == rocsparse_index_32; });
  if (matrix == nullptr) return invalid_pointer;
  if (number == nullptr || !are_32 || base != rocsparse_base_zero) return invalid_value;
  record.dtype = number->dtype;
  if (!record.is_there()) return invalid_pointer;
  *matrix = made(new RocsparseMatrixRecord(record));
  fake_count_matrices(1);
  return rocsparse_success;
}

const int* ints(void* address) { return static_cast<const int*>(address); }

struct Algorithm {
  int number;
  const char* name;
  Format format;
  int since;
  std::size_t buffer_bytes;  ///< so that callers do not rely on none
};
constexpr Algorithm algorithms[] = {
    {1, "coo", Format::coo, 0, 0},
    {2, "csr_adaptive", Format::csr, 0, 100},
    {3, "csr_rowsplit", Format::csr, 0, 0},
    {4, "ell", Format::ell, 0, 0},
    {5, "coo_atomic", Format::coo, 0, 0},
    {6, "bsr", Format::bsr, 0, 0},
    {7, "csr_lrb", Format::csr, rocsparse_version_number(3, 1, 0), 100},
    {8, "csr_nnzsplit", Format::csr, rocsparse_version_number(4, 2, 0), 100},
    {9, "sell", Format::sell, rocsparse_version_number(4, 2, 0), 0},
};

/// That of this version; null where it lacks it.
const Algorithm* find_algorithm(int number) {
  const auto* const found =
      std::find_if(std::begin(algorithms), std::end(algorithms),
                   [&](const Algorithm& one) { return one.number == number; });
  return found == std::end(algorithms) || found->since > version ? nullptr : found;
}

/// A product by either function.
struct Product {
  RocsparseHandle handle;
  int operation;
  const void* alpha;
  RocsparseMatrix matrix;
  RocsparseVector x;
  const void* beta;
  RocsparseVector y;
  int type;
  int algorithm;
};

/// The status where its parts do not fit together.
int refusal_of(const Product& product) {
  if (!are_alive({product.handle})) return invalid_handle;
  if (!are_alive({product.matrix, product.x, product.y}) || !product.alpha || !product.beta)
    return invalid_pointer;
  const Algorithm* const algorithm = find_algorithm(product.algorithm);
  if (algorithm == nullptr || algorithm->format != product.matrix->format) return invalid_value;
  if (product.operation != rocsparse_not_transposed) return not_implemented;
  if (product.x->size != product.matrix->cols || product.y->size != product.matrix->rows)
    return invalid_size;
  const bool fits = product.type == rocsparse_data_type(product.matrix->dtype) &&
                    product.x->type == product.type && product.y->type == product.type;
  return fits ? rocsparse_success : not_implemented;
}

bool is_buffer(const void* buffer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(buffer);
  return bytes == 0 || (address % 128 == 0 && fake_gpu()->is_allocated(address, bytes));
}

/// Notes a call in FakeGpuState::calls.
int told(const std::string& call, int code = rocsparse_success) {
  fake_gpu()->calls.push_back(call);
  return code;
}

/// The blocking preparation of the algorithm, which no capture takes.
int preprocess(const Product& product, const char* call) {
  if (fake_illegal_in_capture(call, product.handle->stream) != 0) return internal_error;
  fake_vendor_prepares();
  product.matrix->prepared = product.algorithm;
  return fake_vendor_code("rocsparse_spmv preprocess");
}

int compute(const Product& product, const char* call) {
  if (product.handle->stream == nullptr) fake_broken(fmt::format("{} without a stream", call));
  if (product.matrix->prepared != product.algorithm)
    fake_broken(fmt::format("{} computes unprepared, by another kernel", call));
  fake_multiply(call, *product.matrix, product.alpha, product.x->values, product.beta,
                product.y->values);
  int code = fake_vendor_code("rocsparse_spmv");
  if (code == 0 && fake_gpu()->recording) code = fake_vendor_code("rocsparse_spmv in a capture");
  if (code == internal_error) fake_gpu()->lost = gpu_error_illegal_address;
  return code;
}

/// rocsparse_spmv and rocsparse_spmv_ex in stages.
[[maybe_unused]] int run_stage(const Product& product, int stage, std::size_t* bytes,
                               void* buffer) {
  const int refusal = refusal_of(product);
  if (refusal != 0) return refusal;
  if (product.matrix->format == Format::sell) return not_implemented;
  if (buffer == nullptr && bytes == nullptr) return invalid_pointer;
  const Algorithm& algorithm = *find_algorithm(product.algorithm);
  if (stage == rocsparse_stage_buffer_size) {
    *bytes = algorithm.buffer_bytes;
    product.matrix->sized = product.algorithm;
    return told(fmt::format("rocsparse_spmv buffer_size {}", algorithm.name));
  }
  if (product.matrix->sized != product.algorithm)
    fake_broken("rocsparse_spmv before the size of its buffer");
  if (!is_buffer(buffer, algorithm.buffer_bytes)) return invalid_pointer;
  if (stage == rocsparse_stage_preprocess) {
    return told(fmt::format("rocsparse_spmv preprocess {}", algorithm.name),
                preprocess(product, "rocsparse_spmv preprocess"));
  }
  if (stage != rocsparse_stage_compute) return invalid_value;
  return compute(product, "rocsparse_spmv");
}

/// rocsparse_spmv as it was before stages: a buffer of null asks for its size, and the first
/// product prepares.
[[maybe_unused]] int run_without_stages(const Product& product, std::size_t* bytes, void* buffer) {
  const int refusal = refusal_of(product);
  if (refusal != 0) return refusal;
  if (buffer == nullptr) {
    if (bytes == nullptr) return invalid_pointer;
    *bytes = 4;
    return told("rocsparse_spmv without a buffer");
  }
  if (!is_buffer(buffer, 4)) return invalid_pointer;
  if (product.matrix->prepared != product.algorithm) {
    const int code = preprocess(product, "the first rocsparse_spmv");
    if (code != 0) return code;
  }
  return compute(product, "rocsparse_spmv");
}

}  // namespace

extern "C" {

int rocsparse_create_handle(RocsparseHandle* handle) {
  const int code = fake_vendor_code("rocsparse_create_handle");
  if (code != 0) return code;
  *handle = made(new RocsparseContextRecord);
  ++handles;
  return rocsparse_success;
}
int rocsparse_destroy_handle(RocsparseHandle handle) {
  const int code = destroyed(handle, "rocsparse_destroy_handle");
  if (code == 0 && --handles == 0 && !alive.empty())
    fake_broken("the last handle of rocSPARSE goes before its descriptors");
  return code;
}
int rocsparse_get_version(RocsparseHandle handle, int* number) {
  if (!are_alive({handle})) return invalid_handle;
  *number = version;
  return fake_vendor_code("rocsparse_get_version");
}
int rocsparse_set_stream(RocsparseHandle handle, GpuStream stream) {
  if (!are_alive({handle})) return invalid_handle;
  handle->stream = stream;
  return fake_vendor_code("rocsparse_set_stream");
}
int rocsparse_create_csr_descr(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                               std::int64_t nnz, void* row, void* column, void* value, int row_type,
                               int column_type, int base, int type) {
  const int code = fake_vendor_code("rocsparse_create_csr_descr");
  if (code != 0) return code;
  return create(matrix, {Format::csr, rows, cols, nnz, ints(row), ints(column), value, {}}, base,
                type, {row_type, column_type});
}
int rocsparse_create_coo_descr(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                               std::int64_t nnz, void* row, void* column, void* value,
                               int index_type, int base, int type) {
  return create(matrix, {Format::coo, rows, cols, nnz, ints(row), ints(column), value, {}}, base,
                type, {index_type});
}
int rocsparse_create_ell_descr(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                               void* column, void* value, std::int64_t width, int index_type,
                               int base, int type) {
  if (width < 0 || width > cols) return invalid_size;
  return create(matrix, {Format::ell, rows, cols, rows * width, nullptr, ints(column), value, {}},
                base, type, {index_type});
}
int rocsparse_create_bsr_descr(RocsparseMatrix* matrix, std::int64_t block_rows,
                               std::int64_t block_cols, std::int64_t blocks, int direction,
                               std::int64_t side, void* row, void* column, void* value,
                               int row_type, int column_type, int base, int type) {
  if (direction != rocsparse_rows_of_blocks) return not_implemented;  // all that this fake can
  if (side < 1) return invalid_size;
  FakeMatrix record{Format::bsr,
                    block_rows * side,
                    block_cols * side,
                    blocks * side * side,
                    ints(row),
                    ints(column),
                    value,
                    {}};
  record.side = side;
  return create(matrix, record, base, type, {row_type, column_type});
}
int rocsparse_destroy_spmat_descr(RocsparseMatrix matrix) {
  fake_count_matrices(-1);
  return destroyed(matrix, "rocsparse_destroy_spmat_descr");
}
int rocsparse_create_dnvec_descr(RocsparseVector* vector, std::int64_t size, void* values,
                                 int type) {
  const NumberType* const number = number_of(type);
  if (number == nullptr) return invalid_value;
  if (!fake_is_there(values, size, static_cast<std::size_t>(number->bytes))) return invalid_pointer;
  *vector = made(new RocsparseVectorRecord{values, size, type});
  return rocsparse_success;
}
int rocsparse_destroy_dnvec_descr(RocsparseVector vector) {
  return destroyed(vector, "rocsparse_destroy_dnvec_descr");
}
int rocsparse_dnvec_set_values(RocsparseVector vector, void* values) {
  const auto bytes = static_cast<std::size_t>(number_of(vector->type)->bytes);
  if (!are_alive({vector}) || !fake_is_there(values, vector->size, bytes)) return invalid_pointer;
  vector->values = values;
  return fake_vendor_code("rocsparse_dnvec_set_values");
}

#if FAKE_ROCSPARSE_VERSION < 300000
int rocsparse_spmv(RocsparseHandle handle, int operation, const void* alpha, RocsparseMatrix matrix,
                   RocsparseVector x, const void* beta, RocsparseVector y, int type, int algorithm,
                   std::size_t* bytes, void* buffer) {
  return run_without_stages({handle, operation, alpha, matrix, x, beta, y, type, algorithm}, bytes,
                            buffer);
}
#else
int rocsparse_spmv(RocsparseHandle handle, int operation, const void* alpha, RocsparseMatrix matrix,
                   RocsparseVector x, const void* beta, RocsparseVector y, int type, int algorithm,
                   int stage, std::size_t* bytes, void* buffer) {
  return run_stage({handle, operation, alpha, matrix, x, beta, y, type, algorithm}, stage, bytes,
                   buffer);
}
#endif

#if FAKE_ROCSPARSE_VERSION >= 200400 && FAKE_ROCSPARSE_VERSION < 300000
int rocsparse_spmv_ex(RocsparseHandle handle, int operation, const void* alpha,
                      RocsparseMatrix matrix, RocsparseVector x, const void* beta,
                      RocsparseVector y, int type, int algorithm, int stage, std::size_t* bytes,
                      void* buffer) {
  return run_stage({handle, operation, alpha, matrix, x, beta, y, type, algorithm}, stage, bytes,
                   buffer);
}
#endif

#if FAKE_ROCSPARSE_VERSION >= 400000
int rocsparse_create_sell_descr(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                                std::int64_t nnz, std::int64_t slice_rows, std::int64_t stored,
                                void* slice, void* column, void* value, int slice_type,
                                int column_type, int base, int type) {
  if (slice_rows < 1 || stored < nnz) return invalid_size;
  FakeMatrix record{Format::sell, rows, cols, stored, ints(slice), ints(column), value, {}};
  record.slice_rows = slice_rows;
  return create(matrix, record, base, type, {slice_type, column_type});
}
int rocsparse_create_spmv_descr(RocsparseProduct* product) {
  *product = made(new RocsparseProductRecord);
  return rocsparse_success;
}
int rocsparse_destroy_spmv_descr(RocsparseProduct product) {
  return destroyed(product, "rocsparse_destroy_spmv_descr");
}
int rocsparse_spmv_set_input(RocsparseHandle handle, RocsparseProduct product, int input,
                             const void* value, std::size_t bytes, RocsparseError*) {
  if (!are_alive({handle})) return invalid_handle;
  if (!are_alive({product}) || value == nullptr) return invalid_pointer;
  if (input < 0 || input > rocsparse_input_compute_type) return invalid_value;
  if (bytes != sizeof(int)) return invalid_size;
  if (product->stage >= 0 && input <= rocsparse_input_operation) return internal_error;
  product->inputs[input] = *static_cast<const int*>(value);
  return rocsparse_success;
}
int rocsparse_v2_spmv_buffer_size(RocsparseHandle handle, RocsparseProduct product,
                                  RocsparseMatrix matrix, RocsparseVector x, RocsparseVector y,
                                  int stage, std::size_t* bytes, RocsparseError*) {
  if (!are_alive({handle})) return invalid_handle;
  if (!are_alive({product, matrix, x, y}) || bytes == nullptr) return invalid_pointer;
  const int* const inputs = product->inputs;
  if (std::count(inputs, inputs + 4, -1) > 0) return invalid_value;
  if (stage != rocsparse_v2_analysis && stage != rocsparse_v2_compute) return invalid_value;
  const Algorithm* const algorithm = find_algorithm(inputs[rocsparse_input_algorithm]);
  if (algorithm == nullptr) return invalid_value;
  *bytes = stage == rocsparse_v2_analysis ? algorithm->buffer_bytes : 0;
  return told(fmt::format("rocsparse_v2_spmv_buffer_size {} {}",
                          stage == rocsparse_v2_analysis ? "analysis" : "compute",
                          algorithm->name));
}
int rocsparse_v2_spmv(RocsparseHandle handle, RocsparseProduct record, const void* alpha,
                      RocsparseMatrix matrix, RocsparseVector x, const void* beta,
                      RocsparseVector y, int stage, std::size_t bytes, void* buffer,
                      RocsparseError*) {
  if (!are_alive({record})) return invalid_pointer;
  const int* const inputs = record->inputs;
  const Product product = {handle,
                           inputs[rocsparse_input_operation],
                           alpha,
                           matrix,
                           x,
                           beta,
                           y,
                           inputs[rocsparse_input_compute_type],
                           inputs[rocsparse_input_algorithm]};
  const int refusal = refusal_of(product);
  if (refusal != 0) return refusal;
  if (inputs[rocsparse_input_scalar_type] != product.type) return not_implemented;
  if ((bytes == 0) != (buffer == nullptr)) return bytes == 0 ? invalid_size : invalid_pointer;
  const Algorithm& algorithm = *find_algorithm(product.algorithm);
  const bool is_analysis = stage == rocsparse_v2_analysis;
  if (is_analysis ? record->stage >= 0 : record->stage < 0) return invalid_value;
  const std::size_t needed = is_analysis ? algorithm.buffer_bytes : 0;
  if (bytes < needed || !is_buffer(buffer, needed)) return invalid_size;
  record->stage = stage;
  if (!is_analysis) return compute(product, "rocsparse_v2_spmv");
  return told(fmt::format("rocsparse_v2_spmv analysis {}", algorithm.name),
              preprocess(product, "rocsparse_v2_spmv analysis"));
}
#endif
}
