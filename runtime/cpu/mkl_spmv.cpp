#include "runtime/cpu/mkl_spmv.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "runtime/cpu/mkl_api.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/system/machine/toolkit_paths.h"
#include "runtime/system/processes/dynamic_library.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr int calls_hinted = 1000;  // SpMVs that optimising may be worth

struct Mkl {
  DynamicLibrary library;
  MklApi api;
};

/// False where the library lacks one of them. BLAS has a letter for each type.
template <class Value>
bool load_calls(const DynamicLibrary& library, MklCalls<Value>& calls, char letter) {
  const auto name = [&](const char* call) { return fmt::format("mkl_sparse_{}_{}", letter, call); };
  return library.load(calls.create_csr, name("create_csr").c_str()) &&
         library.load(calls.create_bsr, name("create_bsr").c_str()) &&
         library.load(calls.multiply, name("mv").c_str()) &&
         library.load(calls.multiply_many, name("mm").c_str());
}

/// The same.
bool load_api(const DynamicLibrary& library, MklApi& api) {
  return load_calls(library, std::get<0>(api.calls), 's') &&
         load_calls(library, std::get<1>(api.calls), 'd') &&
         load_calls(library, std::get<2>(api.calls), 'c') &&
         load_calls(library, std::get<3>(api.calls), 'z') &&
         library.load(api.hint, "mkl_sparse_set_mv_hint") &&
         library.load(api.hint_many, "mkl_sparse_set_mm_hint") &&
         library.load(api.optimize, "mkl_sparse_optimize") &&
         library.load(api.destroy, "mkl_sparse_destroy") &&
         library.load(api.set_interface, "MKL_Set_Interface_Layer") &&
         library.load(api.set_threading, "MKL_Set_Threading_Layer") &&
         library.load(api.set_threads, "MKL_Set_Num_Threads") &&
         library.load(api.set_dynamic, "MKL_Set_Dynamic") &&
         library.load(api.version, "MKL_Get_Version");
}

Result<Mkl> open_mkl() {
  std::vector<std::string> names =
      python_library_paths({"libmkl_rt.so", "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1"});
  if (const char* named = std::getenv("ALPHASPARSE_LIBMKL"); named && *named) names = {named};
  Result<DynamicLibrary> library = DynamicLibrary::open(names);
  if (!library) {
    return library_missing("MKL", library.reason(), "name its libmkl_rt.so in ALPHASPARSE_LIBMKL");
  }
  MklApi api;
  if (!load_api(*library, api)) {
    return Failure{Status::launch_error,
                   fmt::format("{} lacks functions of MKL 2018 or later", library->name())};
  }
  return Mkl{std::move(*library), api};
}

const Result<Mkl>& mkl() {
  static const Result<Mkl> opened = open_mkl();
  return opened;
}

LibraryFacts read_facts(const MklApi& api) {
  MklVersion version;
  api.version(&version);
  return {fmt::format("{}.{}.{}", version.major, version.minor, version.update),
          version.processor == nullptr ? "" : version.processor};
}

/// MKL takes arrays that it may change by other calls; these change nothing.
int* integers(const void* array) { return static_cast<int*>(const_cast<void*>(array)); }

template <class Value>
class MklSpmv : public CpuSpmv {
 public:
  MklSpmv(const Kernel& kernel, const Baseline& algorithm, const MklApi& api,
          const MklCalls<Value>& calls)
      : kernel_(kernel), algorithm_(algorithm), api_(api), calls_(calls) {
    const int of_triangle = kernel.mirror == Mirror::same ? mkl_symmetric : mkl_hermitian;
    description_ = {algorithm.format == "triangle" ? of_triangle : mkl_general, mkl_upper,
                    mkl_diagonal_stored};
  }
  ~MklSpmv() override { destroy(); }

  /// Optimising may copy values: a handle for other values is of no use.
  MaybeFailure take(const std::vector<const void*>& pointers, int threads) override {
    destroy();
    use_threads(threads);
    if (auto failure = check(create(pointers), "making the matrix")) return failure;
    if (!algorithm_.optimised) return std::nullopt;
    const Stopwatch clock;
    const int hinted = columns_ == 1
                           ? api_.hint(matrix_, mkl_not_transposed, description_, calls_hinted)
                           : api_.hint_many(matrix_, mkl_not_transposed, description_,
                                            mkl_order_row, columns_, calls_hinted);
    if (auto failure = check(hinted, "the hint")) return failure;
    if (auto failure = check(api_.optimize(matrix_), "mkl_sparse_optimize")) return failure;
    optimised_us_ = 1e6 * clock.seconds();
    return std::nullopt;
  }

  void run(const Scaling& scaling, const void* x, void* y, const RowDistances& d) override {
    const Value alpha = number(scaling.alpha), beta = number(scaling.beta);
    const auto* const from = static_cast<const Value*>(x);
    auto* const to = static_cast<Value*>(y);
    status_ =
        columns_ == 1
            ? calls_.multiply(mkl_not_transposed, alpha, matrix_, description_, from, beta, to)
            : calls_.multiply_many(mkl_not_transposed, alpha, matrix_, description_, mkl_order_row,
                                   from, columns_, static_cast<int>(d.x), beta, to,
                                   static_cast<int>(d.y));
  }

  MaybeFailure failure() const override { return check(status_, "the product"); }

  std::string note() const override {
    const std::string note = library_note(read_facts(api_));
    if (!algorithm_.optimised) return note;
    return fmt::format("{}; optimised in {:.1f} us", note, optimised_us_);
  }

 private:
  static Value number(const Number& number) {
    if constexpr (is_complex_number<Value>)
      return Value(number);
    else
      return static_cast<Value>(number.re);
  }

  /// GNU's OpenMP is that of all other kernels; one thread needs none.
  void use_threads(int threads) const {
    api_.set_interface(mkl_integers_32);
    api_.set_threading(threads == 1 ? mkl_sequential : mkl_gnu_threads);
    api_.set_dynamic(0);
    api_.set_threads(threads);
  }

  int create(const std::vector<const void*>& pointers) {
    int* const row = integers(pointers.at(0));
    int* const column = integers(pointers.at(1));
    auto* const value = static_cast<Value*>(const_cast<void*>(pointers.at(2)));
    if (algorithm_.format != "bsr") {
      return calls_.create_csr(&matrix_, mkl_base_zero, kernel_.rows, kernel_.cols, row, row + 1,
                               column, value);
    }
    const auto block_rows = static_cast<int>(kernel_.arrays[0].count - 1);
    const int side = kernel_.rows / block_rows;
    return calls_.create_bsr(&matrix_, mkl_base_zero, mkl_order_row, block_rows,
                             kernel_.cols / side, side, row, row + 1, column, value);
  }

  void destroy() {
    if (matrix_ != nullptr) api_.destroy(std::exchange(matrix_, nullptr));
  }

  static MaybeFailure check(int status, const char* doing) {
    if (status == mkl_success) return std::nullopt;
    return Failure{Status::launch_error, fmt::format("{}: MKL says status {}", doing, status)};
  }

  const Kernel& kernel_;
  const Baseline& algorithm_;
  const MklApi& api_;
  const MklCalls<Value>& calls_;
  const int columns_ = columns_a_call(kernel_);
  MklDescription description_;
  MklMatrix matrix_ = nullptr;
  int status_ = mkl_success;
  double optimised_us_ = 0;
};

}  // namespace

Result<std::unique_ptr<CpuSpmv>> open_mkl_spmv(const Kernel& kernel) {
  const Result<Mkl>& library = mkl();
  if (!library) return library.failure();
  const Baseline* const algorithm = find_baseline(kernel.vendor);
  CHECK(algorithm != nullptr);
  const MklApi& api = library->api;
  return with_number(kernel.dtype, [&](auto zero) {
    using Value = decltype(zero);
    return std::unique_ptr<CpuSpmv>(std::make_unique<MklSpmv<Value>>(
        kernel, *algorithm, api, std::get<MklCalls<Value>>(api.calls)));
  });
}

Result<LibraryFacts> mkl_facts() {
  if (!mkl()) return mkl().failure();
  return read_facts(mkl()->api);
}

}  // namespace alphasparse
