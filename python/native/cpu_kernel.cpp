// cpu_kernel: a kernel for CPUs as a shared object, called through its C interface.
//
// matvec is what people call a million times: it takes buffers as they are, and no Python code runs
// between the caller and the kernel. Arrays that it does not take so go to vectors.py.
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "native.h"
#include "native_handle.h"

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

  /// False: the object is no array of NumPy's own class, or none that a kernel takes as it lies.
  bool take(py::handle object, bool writable, std::int64_t length, char type) {
    if (Py_TYPE(object.ptr()) != py::detail::npy_api::get().PyArray_Type_) return false;
    held_ = PyObject_GetBuffer(object.ptr(), &view_,
                               PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) == 0;
    if (!held_) PyErr_Clear();
    return held_ && view_.ndim == 1 && view_.shape[0] == length && has_type(type) &&
           (length < 2 || view_.strides[0] == view_.itemsize) &&
           reinterpret_cast<std::uintptr_t>(view_.buf) % view_.itemsize == 0;
  }

  char* data() const { return static_cast<char*>(view_.buf); }
  std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }

 private:
  bool has_type(char type) const {
    const char* const format = view_.format ? view_.format : "B";
    return (*format == '@' || *format == '=' || *format == '<' ? format[1] : *format) == type;
  }

  Py_buffer view_;
  bool held_ = false;
};

class CpuKernel {
 public:
  CpuKernel(const std::string& object, const std::string& prefix, const std::string& format)
      : handle_(std::make_shared<NativeHandle>(object, prefix, format)) {}

  /// One that has the same arrays, until one of them takes others.
  CpuKernel(const CpuKernel& other) = default;

  /// Has the arrays of another kernel from now on.
  void take_from(const CpuKernel& other) { handle_ = other.handle_; }

  py::object matvec(py::handle x, py::object out, double alpha, double beta, bool cast) {
    Vector from, to;
    if (!from.take(x, false, facts().cols, handle_->type()))
      return elsewhere(x, out, alpha, beta, cast);
    if (out.is_none()) {
      if (beta != 0) raise("LayoutError", "beta wants an out to add to");
      out = handle_->type() == 'f' ? py::object(py::array_t<float>(facts().rows))
                                   : py::object(py::array_t<double>(facts().rows));
    }
    if (!to.take(out, true, facts().rows, handle_->type())) {
      return elsewhere(x, out, alpha, beta, cast);
    }
    if (from.data() < to.data() + to.bytes() && to.data() < from.data() + from.bytes()) {
      raise("LayoutError", "x and out overlap");
    }
    handle_->multiply(from.data(), to.data(), alpha, beta);
    return out;
  }

  /// matvec of arrays that vectors.py has made fit.
  void multiply(py::handle x, py::handle out, double alpha, double beta) {
    Vector from, to;
    if (!from.take(x, false, facts().cols, handle_->type()) ||
        !to.take(out, true, facts().rows, handle_->type())) {
      raise("LayoutError", "x or out does not fit the kernel as it lies");
    }
    handle_->multiply(from.data(), to.data(), alpha, beta);
  }

  void update_values(const py::array& values) { handle_->update_values(values.data()); }
  void set_threads(int threads) { handle_->set_threads(threads); }
  int threads() const { return handle_->threads(); }
  std::int64_t nnz() const { return facts().nnz; }
  std::string design() const { return facts().design; }
  std::string dtype() const { return facts().dtype; }
  py::tuple shape() const { return py::make_tuple(facts().rows, facts().cols); }

  /// Nanoseconds of one call of the C interface, x and y of ours: what matvec is compared with.
  double call_ns(const py::array& x, py::array& y, int calls) {
    return handle_->call_ns(x.data(), y.mutable_data(), calls);
  }

 private:
  const alphasparse_kernel& facts() const { return handle_->facts(); }

  py::object elsewhere(py::handle x, const py::object& out, double alpha, double beta, bool cast) {
    return py::module_::import("alphasparse.vectors")
        .attr("product")(py::cast(this), x, out, alpha, beta, cast);
  }

  std::shared_ptr<NativeHandle> handle_;
};

}  // namespace

void define_cpu_kernel(py::module_& module) {
  py::class_<CpuKernel>(module, "CpuKernel")
      .def(py::init<const std::string&, const std::string&, const std::string&>())
      .def(py::init<const CpuKernel&>())
      .def("take_from", &CpuKernel::take_from)
      .def("matvec", &CpuKernel::matvec, py::arg("x"), py::arg("out") = py::none(),
           py::arg("alpha") = 1.0, py::arg("beta") = 0.0, py::arg("cast") = false,
           "out = alpha * A x + beta * out, for x of shape (columns,). Gives out, of shape "
           "(rows,),\n"
           "which is made where it is None. The types are those of the table in python/README.md:\n"
           "the result has NumPy's type, and a complex x is computed as A re + i A im. With "
           "cast=True\n"
           "x and the result are converted even where digits or imaginary parts get lost. x is\n"
           "copied where its type or its layout differs from the kernel's. The interpreter runs "
           "on;\n"
           "calls of one kernel wait for each other.\n"
           "Raises ShapeError, DtypeError, LayoutError or DeviceError.")
      .def("multiply", &CpuKernel::multiply)
      .def("update_values", &CpuKernel::update_values)
      .def("call_ns", &CpuKernel::call_ns)
      .def_property("threads", &CpuKernel::threads, &CpuKernel::set_threads)
      .def_property_readonly("native_nnz", &CpuKernel::nnz)
      .def_property_readonly("native_design", &CpuKernel::design)
      .def_property_readonly("native_dtype", &CpuKernel::dtype)
      .def_property_readonly("native_shape", &CpuKernel::shape);
}

}  // namespace alphasparse
