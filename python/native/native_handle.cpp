#include "native_handle.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "native.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

/// All handles. A fork takes each of them first, so that no call is half done in the child, and no
/// mutex is held there by a thread that the child does not have.
struct Handles {
  std::mutex mutex;
  std::set<NativeHandle*> all;

  Handles() {
    pthread_atfork([] { the().hold(); }, [] { the().release(); }, [] { the().release(); });
  }
  static Handles& the() {
    static Handles& handles = *new Handles;  // never destroyed: a fork may happen at the very end
    return handles;
  }

 private:
  void hold() {
    mutex.lock();
    for (NativeHandle* const handle : all) handle->mutex().lock();
  }
  void release() {
    for (NativeHandle* const handle : all) handle->mutex().unlock();
    mutex.unlock();
  }
};

/// A function of the libraries that a kernel is linked with; null where they lack it.
template <class Function>
Function* linked_function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

/// Keeps the OpenMP library of a kernel until the process ends. Its threads wait for the next
/// kernel.
void keep_openmp(void* library) {
  Dl_info facts{};
  void* const known = dlsym(library, "omp_get_max_threads");
  if (known && dladdr(known, &facts) && facts.dli_fname)
    dlopen(facts.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/// How many threads OpenMP gives this thread, for the length of a block. 0: as many as it has.
class OpenMpThreads {
 public:
  OpenMpThreads(void* library, int threads)
      : set_(linked_function<void(int)>(library, "omp_set_num_threads")) {
    const auto get = linked_function<int()>(library, "omp_get_max_threads");
    if (threads == 0 || !set_ || !get) return;
    before_ = get();
    set_(threads);
  }
  OpenMpThreads(const OpenMpThreads&) = delete;
  ~OpenMpThreads() {
    if (before_ > 0) set_(before_);
  }

 private:
  void (*set_)(int) = nullptr;
  int before_ = 0;
};

}  // namespace

namespace {

Library open_object(const std::string& object) {
  Library library(dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library) return library;
  const char* const reason = dlerror();
  raise("ToolchainError", std::string("the compiled kernel cannot be loaded: ") +
                              (reason ? reason : "no reason given") +
                              "; set TMPDIR to a folder that programs may lie in");
}

}  // namespace

void LibraryCloser::operator()(void* library) const { dlclose(library); }

/// Runs a call of the C interface, and throws the exception of its status.
template <class Call>
void NativeHandle::run(Call call) {
  int status = 0;
  {
    const py::gil_scoped_release released;
    const std::lock_guard guard(mutex_);
    status = call();
  }
  if (status == alphasparse_ok) return;
  raise(status == alphasparse_bad_file            ? "FileError"
        : status == alphasparse_not_representable ? "ValuesError"
                                                  : "Error",
        kernel_->message());
}

NativeHandle::NativeHandle(const std::string& object, const std::string& prefix,
                           const std::string& format, int threads)
    : library_(open_object(object)) {
  keep_openmp(library_.get());
  const std::string name = prefix + "_interface";
  const auto interface = linked_function<const alphasparse_kernel*()>(library_.get(), name.c_str());
  if (!interface)
    raise("FileError", "a compiled kernel has no " + name + "; tune or emit it again");
  kernel_ = interface();
  if (!has_version(ALPHASPARSE_KERNEL_VERSION) && !has_own_order() && vectors() == 1) {
    raise("FileError", object + " has another version of the C interface; tune or emit it again");
  }
  const std::optional<Dtype> dtype = dtype_named(kernel_->dtype);
  if (!dtype) raise("FileError", object + " has numbers of the unknown type " + kernel_->dtype);
  type_ = &number_type(*dtype);
  run([&] {
    const OpenMpThreads given(library_.get(), threads);
    return kernel_->load(format.c_str(), &handle_);
  });
  const std::lock_guard guard(Handles::the().mutex);
  Handles::the().all.insert(this);
}

NativeHandle::~NativeHandle() {
  {
    const std::lock_guard guard(Handles::the().mutex);
    Handles::the().all.erase(this);
  }
  kernel_->free(handle_);
}

std::pair<const std::int32_t*, const std::int32_t*> NativeHandle::order() const {
  const std::int32_t *rows = nullptr, *columns = nullptr;
  kernel_->order(handle_, &rows, &columns);
  return {rows, columns};
}

int NativeHandle::call(const void* x, void* y, Number alpha, Number beta) const {
  if (!type_->is_complex()) return kernel_->spmv(handle_, x, y, alpha.re, beta.re, nullptr);
  const NumberBytes factor = number_bytes(type_->dtype, alpha),
                    scale = number_bytes(type_->dtype, beta);
  return kernel_->spmv_scaled(handle_, x, y, factor.data(), scale.data(), nullptr);
}

template <class Value>
int NativeHandle::multiply_given(const void* x, void* y, Number alpha, Number beta) {
  own_x_.resize(static_cast<std::size_t>(kernel_->cols * type_->parts));
  own_y_.resize(static_cast<std::size_t>(kernel_->rows * type_->parts));
  int status = kernel_->to_own(handle_, x, own_x_.data(), nullptr);
  if (beta != Number()) {
    auto* const own = reinterpret_cast<Value*>(own_y_.data());
    const std::int32_t* const rows = order().first;
    for (std::int64_t i = 0; i < kernel_->rows; ++i) own[i] = static_cast<const Value*>(y)[rows[i]];
  }
  if (status == alphasparse_ok) status = call(own_x_.data(), own_y_.data(), alpha, beta);
  return status == alphasparse_ok ? kernel_->from_own(handle_, y, own_y_.data(), nullptr) : status;
}

int NativeHandle::multiply_vector(const void* x, void* y, Number alpha, Number beta, bool own) {
  if (own || !has_own_order()) return call(x, y, alpha, beta);
  return with_number(type_->dtype,
                     [&](auto zero) { return multiply_given<decltype(zero)>(x, y, alpha, beta); });
}

void NativeHandle::multiply(const void* x, void* y, Number alpha, Number beta, bool own) {
  run([&] { return multiply_vector(x, y, alpha, beta, own); });
}

namespace {

/// Copies `count` numbers that lie so many bytes apart.
template <class Value>
void copy_line(const char* from, std::int64_t read_step, char* to, std::int64_t write_step,
               std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    *reinterpret_cast<Value*>(to + i * write_step) =
        *reinterpret_cast<const Value*>(from + i * read_step);
}

/// Copies columns, [rows]: one by one where few of them are far apart, else row by row.
template <class Value>
void copy(const Columns& from, const Columns& to, std::int64_t rows) {
  if (from.count < 4) {
    for (std::int64_t i = 0; i < from.count; ++i)
      copy_line<Value>(from.first + i * from.step, from.row_step, to.first + i * to.step,
                       to.row_step, rows);
    return;
  }
  for (std::int64_t row = 0; row < rows; ++row)
    copy_line<Value>(from.first + row * from.row_step, from.step, to.first + row * to.row_step,
                     to.step, from.count);
}

/// A matrix of the kernel's, of whole rows, or of `count` whole columns where it takes them one by
/// one; gives where it lies.
template <class Value>
Columns whole(std::vector<double>& memory, std::int64_t rows, std::int64_t vectors,
              std::int64_t count) {
  constexpr std::int64_t size = sizeof(Value);
  const std::int64_t all = std::max(vectors, count);
  memory.resize(static_cast<std::size_t>(std::max<std::int64_t>(rows * all, 1)) *
                (is_complex_number<Value> ? 2 : 1));
  char* const first = reinterpret_cast<char*>(memory.data());
  return vectors == 1 ? Columns{first, count, size, rows * size}
                      : Columns{first, vectors, vectors * size, size};
}

/// Whether a kernel takes columns as they lie.
bool fits(const Columns& columns, std::int64_t vectors, std::int64_t size) {
  if (vectors == 1) return columns.row_step == size;
  if (columns.count != vectors) return false;
  return columns.step == size && columns.row_step >= vectors * size && columns.row_step % size == 0;
}

/// Whether each column's numbers lie side by side, and columns one behind the other.
bool is_column_major(const Columns& columns, std::int64_t rows, std::int64_t size) {
  return columns.row_step == size && columns.step >= rows * size && columns.step % size == 0;
}

}  // namespace

template <class Value>
int NativeHandle::multiply_columns(const Columns& x, const Columns& y, Number alpha, Number beta,
                                   bool own) {
  constexpr std::int64_t size = sizeof(Value);
  const bool takes_columns = kernel_->size >= sizeof(alphasparse_kernel) && kernel_->spmm_columns;
  if (takes_columns && x.count == vectors() && is_column_major(x, kernel_->cols, size) &&
      is_column_major(y, kernel_->rows, size))
    return kernel_->spmm_columns(handle_, x.first, x.step / size, y.first, y.step / size, alpha.re,
                                 beta.re, nullptr);
  Columns from = x, to = y;
  const bool are_mixed = x.first < y.first + kernel_->rows * y.row_step &&
                         y.first < x.first + kernel_->cols * x.row_step;
  // A kernel takes rows that alternate with those of Y at one distance alone.
  if (!fits(x, vectors(), size) || (are_mixed && x.row_step != y.row_step)) {
    from = whole<Value>(x_, kernel_->cols, vectors(), x.count);
    copy<Value>(x, from, kernel_->cols);
  }
  const bool is_copied = !fits(y, vectors(), size);
  if (is_copied) {
    to = whole<Value>(y_, kernel_->rows, vectors(), y.count);
    if (beta != Number()) copy<Value>(y, to, kernel_->rows);
  }
  int status = alphasparse_ok;
  if (vectors() > 1)
    status = kernel_->spmm(handle_, from.first, from.row_step / size, to.first, to.row_step / size,
                           alpha.re, beta.re, nullptr);
  for (std::int64_t i = 0; vectors() == 1 && i < x.count && status == alphasparse_ok; ++i)
    status = multiply_vector(from.first + i * from.step, to.first + i * to.step, alpha, beta, own);
  if (status == alphasparse_ok && is_copied)
    copy<Value>({to.first, y.count, to.row_step, to.step}, y, kernel_->rows);
  return status;
}

void NativeHandle::multiply(Columns x, Columns y, Number alpha, Number beta, bool own) {
  run([&] {
    return with_number(type_->dtype, [&](auto zero) {
      return multiply_columns<decltype(zero)>(x, y, alpha, beta, own);
    });
  });
}

void NativeHandle::update_values(const void* values) {
  run([&] { return kernel_->update_values(handle_, values); });
}

void NativeHandle::set_threads(int threads) {
  run([&] { return kernel_->set_threads(handle_, threads); });
  threads_ = threads;
}

double NativeHandle::call_ns(const void* x, void* y, int calls) {
  std::chrono::duration<double, std::nano> taken{};
  run([&] {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      vectors() == 1 ? call(x, y, 1, 0)
                     : kernel_->spmm(handle_, x, vectors(), y, vectors(), 1, 0, nullptr);
    }
    taken = std::chrono::steady_clock::now() - start;
    return alphasparse_ok;
  });
  return taken.count() / calls;
}

}  // namespace alphasparse
