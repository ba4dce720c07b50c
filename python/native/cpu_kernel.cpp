// cpu_kernel: a kernel for CPUs as a shared object, called through its C interface.
//
// matvec is what people call a million times: it takes buffers as they are, and no Python code runs
// between the caller and the kernel.
#include <chrono>
#include <cstdint>
#include <mutex>

#include "native.h"
#include "templates/host/alphasparse_kernel.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

/// A vector of the caller's for the length of one call.
class Vector {
 public:
  Vector() = default;
  Vector(const Vector&) = delete;
  ~Vector() {
    if (held_) PyBuffer_Release(&view_);
  }

  /// False: the object has no such buffer.
  bool take(py::handle object, bool writable) {
    held_ = PyObject_GetBuffer(object.ptr(), &view_,
                               PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) == 0;
    if (!held_) PyErr_Clear();
    return held_;
  }

  char* data() const { return static_cast<char*>(view_.buf); }
  std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }
  bool is_contiguous() const { return view_.shape[0] < 2 || view_.strides[0] == view_.itemsize; }
  bool has_length(std::int64_t length) const { return view_.ndim == 1 && view_.shape[0] == length; }
  bool has_type(char type) const {
    const char* const format = view_.format ? view_.format : "B";
    return (*format == '@' || *format == '=' || *format == '<' ? format[1] : *format) == type;
  }
  std::string type() const { return view_.format ? view_.format : "bytes"; }
  std::string shape() const {
    std::string text = "(";
    for (int i = 0; i < view_.ndim; ++i) text += std::to_string(view_.shape[i]) + ",";
    if (view_.ndim > 1) text.pop_back();
    return text + ")";
  }

 private:
  Py_buffer view_;
  bool held_ = false;
};

class CpuKernel {
 public:
  CpuKernel(const std::string& object, const std::string& prefix, const std::string& format) {
    void* const library = open_library({object}, "the compiled kernel");
    const alphasparse_kernel* (*interface)() = nullptr;
    load(interface, library, (prefix + "_interface").c_str());
    kernel_ = interface();
    if (kernel_->version != ALPHASPARSE_KERNEL_VERSION) {
      raise("FileError", object + " has another version of the C interface; tune or emit it again");
    }
    type_ = kernel_->dtype[1] == '3' ? 'f' : 'd';
    int status = 0;
    {
      const py::gil_scoped_release released;
      status = kernel_->load(format.c_str(), &handle_);
    }
    check(status);
  }
  CpuKernel(const CpuKernel&) = delete;
  ~CpuKernel() { kernel_->free(handle_); }

  py::object matvec(py::handle x, py::object out, double alpha, double beta) {
    Vector from, to;
    py::object copied;
    if (!from.take(x, false)) refuse(x, "x", "no buffer");
    check_vector(from, "x", kernel_->cols);
    if (!from.is_contiguous()) {
      copied = py::module_::import("numpy").attr("ascontiguousarray")(x);
      return matvec(copied, std::move(out), alpha, beta);
    }
    if (out.is_none()) {
      if (beta != 0) raise("LayoutError", "beta wants an out to add to");
      out = type_ == 'f' ? py::object(py::array_t<float>(kernel_->rows))
                         : py::object(py::array_t<double>(kernel_->rows));
    }
    if (!to.take(out, true)) refuse(out, "out", "no buffer that may be written");
    check_vector(to, "out", kernel_->rows);
    if (!to.is_contiguous()) raise("LayoutError", "out is not contiguous");
    if (from.data() < to.data() + to.bytes() && to.data() < from.data() + from.bytes()) {
      raise("LayoutError", "x and out overlap");
    }
    multiply(from.data(), to.data(), alpha, beta);
    return out;
  }

  void update_values(const py::array& values) {
    const auto guard = own();
    check(kernel_->update_values(handle_, values.data()));
  }

  void set_threads(int threads) {
    const auto guard = own();
    check(kernel_->set_threads(handle_, threads));
    threads_ = threads;
  }

  int threads() const { return threads_; }
  std::int64_t nnz() const { return kernel_->nnz; }
  std::string design() const { return kernel_->design; }
  std::string dtype() const { return kernel_->dtype; }
  py::tuple shape() const { return py::make_tuple(kernel_->rows, kernel_->cols); }

  /// Nanoseconds of one call of the C interface, x and y of ours: what matvec is compared with.
  double call_ns(const py::array& x, py::array& y, int calls) {
    const auto guard = own();
    void* const to = y.mutable_data();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) kernel_->spmv(handle_, x.data(), to, 1, 0, nullptr);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / calls;
  }

 private:
  /// A handle runs one call at a time. Whoever waits for it does not hold the interpreter.
  std::unique_lock<std::mutex> own() {
    const py::gil_scoped_release released;
    return std::unique_lock(mutex_);
  }

  void multiply(const void* x, void* y, double alpha, double beta) {
    int status = 0;
    {
      const py::gil_scoped_release released;
      const std::lock_guard guard(mutex_);
      status = kernel_->spmv(handle_, x, y, alpha, beta, nullptr);
    }
    check(status);
  }

  [[noreturn]] void refuse(py::handle object, const char* name, const char* lacks) {
    if (py::hasattr(object, "__cuda_array_interface__") ||
        py::hasattr(object, "__dlpack_device__")) {
      if (!py::hasattr(object, "__array_interface__")) {
        raise("DeviceError",
              std::string(name) + " lies on another device than the kernel, the CPU");
      }
      raise("LayoutError", std::string(name) + " cannot be written");
    }
    raise("DtypeError", std::string(name) + " is of type " + Py_TYPE(object.ptr())->tp_name +
                            ", which has " + lacks + "; it takes NumPy arrays");
  }

  void check_vector(const Vector& vector, const char* name, std::int64_t length) {
    if (!vector.has_length(length)) {
      raise("ShapeError", std::string(name) + " has shape " + vector.shape() +
                              ", but a matrix of " + std::to_string(kernel_->rows) + " x " +
                              std::to_string(kernel_->cols) + " takes (" + std::to_string(length) +
                              ",)");
    }
    if (!vector.has_type(type_)) {
      raise("DtypeError", std::string(name) + " is of the buffer type '" + vector.type() +
                              "', the kernel of '" + type_ + "' (" +
                              (type_ == 'f' ? "float32)" : "float64)"));
    }
  }

  void check(int status) const {
    if (status == alphasparse_ok) return;
    raise(status == alphasparse_bad_file            ? "FileError"
          : status == alphasparse_not_representable ? "ValuesError"
                                                    : "Error",
          kernel_->message());
  }

  const alphasparse_kernel* kernel_ = nullptr;
  alphasparse_handle* handle_ = nullptr;
  char type_ = 'd';
  int threads_ = 0;  // 0: as many as OpenMP gave
  std::mutex mutex_;
};

}  // namespace

void define_cpu_kernel(py::module_& module) {
  py::class_<CpuKernel>(module, "CpuKernel")
      .def(py::init<const std::string&, const std::string&, const std::string&>())
      .def("matvec", &CpuKernel::matvec, py::arg("x"), py::arg("out") = py::none(),
           py::arg("alpha") = 1.0, py::arg("beta") = 0.0,
           "out = alpha * A x + beta * out, for x of shape (columns,); gives out, of shape "
           "(rows,),\n"
           "which is made where it is None. Both are of the kernel's dtype; x is copied where it "
           "is\n"
           "not contiguous. The interpreter runs on; calls of one kernel wait for each other.\n"
           "Raises ShapeError, DtypeError, LayoutError or DeviceError.")
      .def("update_values", &CpuKernel::update_values)
      .def("call_ns", &CpuKernel::call_ns)
      .def_property("threads", &CpuKernel::threads, &CpuKernel::set_threads)
      .def_property_readonly("native_nnz", &CpuKernel::nnz)
      .def_property_readonly("native_design", &CpuKernel::design)
      .def_property_readonly("native_dtype", &CpuKernel::dtype)
      .def_property_readonly("native_shape", &CpuKernel::shape);
}

}  // namespace alphasparse
