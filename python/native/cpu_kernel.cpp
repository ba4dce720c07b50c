// cpu_kernel: a kernel for CPUs as a shared object, called through its C interface.
//
// Programs call matvec a million times: it takes buffers as they are, and no Python code runs
// between the caller and the kernel. Arrays that it does not take so go to vectors.py.
#include <pybind11/complex.h>

#include <chrono>
#include <complex>
#include <cstdint>
#include <memory>
#include <utility>

#include "native.h"
#include "native_handle.h"
#include "result_buffers.h"

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
  bool take(py::handle object, bool writable, std::int64_t length, const NumberType& type) {
    if (Py_TYPE(object.ptr()) != py::detail::npy_api::get().PyArray_Type_) return false;
    held_ = PyObject_GetBuffer(object.ptr(), &view_,
                               PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) == 0;
    if (!held_) PyErr_Clear();
    return held_ && view_.ndim == 1 && view_.shape[0] == length && has_type(type) &&
           (length < 2 || view_.strides[0] == view_.itemsize) &&
           reinterpret_cast<std::uintptr_t>(view_.buf) % (view_.itemsize / type.parts) == 0;
  }

  char* data() const { return static_cast<char*>(view_.buf); }
  std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }

 private:
  /// Numbers are "f" or "d", and "Zf" or "Zd" where they are complex.
  bool has_type(const NumberType& type) const {
    const char* format = view_.format ? view_.format : "B";
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    const bool is_complex = *format == 'Z';
    return is_complex == type.is_complex() &&
           format[is_complex] == (type.real == Dtype::f32 ? 'f' : 'd');
  }

  Py_buffer view_;
  bool held_ = false;
};

constexpr Py_ssize_t threads_most = 1024;

Number to_number(std::complex<double> number) { return {number.real(), number.imag()}; }

/// A factor of a product, of any type; nothing of it gets lost.
Number read_factor(const py::object& value, const char* name, const NumberType& type) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  const auto number = py::module_::import("alphasparse.vectors")
                          .attr("factor")(value, name, type.is_complex())
                          .cast<std::complex<double>>();
  return to_number(number);
}

/// The letter of a type in NumPy.
char find_letter(const NumberType& type) { return "fdFD"[static_cast<int>(type.dtype)]; }

/// The end of a call with other arguments.
py::object reject_arguments(const py::args&, const py::kwargs&) {
  raise("DtypeError",
        "the arguments do not fit: it is matvec(x, out=None, alpha=1.0, beta=0.0, cast=False, "
        "own=False)");
}

class CpuKernel {
 public:
  CpuKernel(const std::string& object, const std::string& prefix, const std::string& format,
            int threads)
      : handle_(std::make_shared<NativeHandle>(object, prefix, format, threads)) {}

  /// One that has the same arrays, until one of them takes others.
  CpuKernel(const CpuKernel& other) = default;

  /// Has the arrays of another kernel from now on.
  void take_from(const CpuKernel& other) { handle_ = other.handle_; }

  /// matvec as most call it: an argument more takes 100 ns.
  py::object matvec_given(py::handle x, py::object out, const py::object& alpha,
                          const py::object& beta, bool cast) {
    return matvec(x, std::move(out), alpha, beta, cast, false);
  }

  py::object matvec(py::handle x, py::object out, const py::object& alpha_given,
                    const py::object& beta_given, bool cast, bool own) {
    const Number alpha = read_factor(alpha_given, "alpha", handle_->type()),
                 beta = read_factor(beta_given, "beta", handle_->type());
    Vector from, to;
    if (handle_->vectors() > 1 || !from.take(x, false, facts().cols, handle_->type()))
      return elsewhere(x, out, alpha_given, beta_given, cast, own);
    if (out.is_none()) {
      if (beta != Number()) raise("LayoutError", "beta wants an out to add to");
      out = new_result(find_letter(handle_->type()), facts().rows);
    }
    if (!to.take(out, true, facts().rows, handle_->type())) {
      return elsewhere(x, out, alpha_given, beta_given, cast, own);
    }
    if (from.data() < to.data() + to.bytes() && to.data() < from.data() + from.bytes()) {
      raise("LayoutError", "x and out overlap");
    }
    handle_->multiply(from.data(), to.data(), alpha, beta, own);
    return out;
  }

  /// The product of columns of the kernel's type, as many as it takes or less: columns.py has them.
  void run(std::uintptr_t x, std::int64_t x_count, std::int64_t x_row_step, std::int64_t x_step,
           std::uintptr_t y, std::int64_t y_count, std::int64_t y_row_step, std::int64_t y_step,
           std::complex<double> alpha, std::complex<double> beta, bool own) {
    handle_->multiply({reinterpret_cast<char*>(x), x_count, x_row_step, x_step},
                      {reinterpret_cast<char*>(y), y_count, y_row_step, y_step}, to_number(alpha),
                      to_number(beta), own);
  }

  /// The same of `count` columns of arrays of two axes, from column `first` on.
  void run_arrays(const py::array& x, const py::array& y, std::int64_t first, std::int64_t count,
                  std::complex<double> alpha, std::complex<double> beta, bool own) {
    const auto columns = [&](const py::array& array) {
      const std::int64_t step = array.shape(1) > 1 ? array.strides(1) : array.itemsize();
      const std::int64_t row_step =
          array.shape(0) > 1 ? array.strides(0) : array.shape(1) * array.itemsize();
      char* const data = static_cast<char*>(const_cast<void*>(array.data()));
      return Columns{data + first * step, count, row_step, step};
    };
    handle_->multiply(columns(x), columns(y), to_number(alpha), to_number(beta), own);
  }

  /// (rows, columns) of the kernel's own order, or None.
  py::object order() const {
    if (!handle_->has_own_order()) return py::none();
    const auto [rows, columns] = handle_->order();
    return py::make_tuple(py::array_t<std::int32_t>(facts().rows, rows),
                          py::array_t<std::int32_t>(facts().cols, columns));
  }

  void update_values(const py::array& values) { handle_->update_values(values.data()); }
  void set_threads(const py::object& threads) {
    const Py_ssize_t count =
        PyIndex_Check(threads.ptr()) ? PyNumber_AsSsize_t(threads.ptr(), nullptr) : 0;
    if (PyErr_Occurred()) PyErr_Clear();
    if (count < 1 || count > threads_most) {
      raise("InputError", "threads is " + std::string(py::repr(threads)) +
                              ": it takes a whole number of 1 to " + std::to_string(threads_most));
    }
    handle_->set_threads(static_cast<int>(count));
  }
  int threads() const { return handle_->threads(); }
  int vectors() const { return handle_->vectors(); }
  std::int64_t nnz() const { return facts().nnz; }
  std::string design() const { return facts().design; }
  std::string dtype() const { return facts().dtype; }
  py::tuple shape() const { return py::make_tuple(facts().rows, facts().cols); }

  /// Nanoseconds of one call of the C interface, x and y of ours. Benchmarks compare matvec with
  /// it.
  double call_ns(const py::array& x, py::array& y, int calls) {
    return handle_->call_ns(x.data(), y.mutable_data(), calls);
  }

 private:
  const alphasparse_kernel& facts() const { return handle_->facts(); }

  py::object elsewhere(py::handle x, const py::object& out, const py::object& alpha,
                       const py::object& beta, bool cast, bool own) {
    return py::module_::import("alphasparse.vectors")
        .attr("product")(py::cast(this), x, out, alpha, beta, cast, own);
  }

  std::shared_ptr<NativeHandle> handle_;
};

}  // namespace

void define_cpu_kernel(py::module_& module) {
  module.def("kept_bytes", kept_bytes);
  module.def("new_result", new_result);
  py::class_<CpuKernel>(module, "CpuKernel")
      .def(py::init<const std::string&, const std::string&, const std::string&, int>(),
           py::arg("object"), py::arg("prefix"), py::arg("format"), py::arg("threads") = 0)
      .def(py::init<const CpuKernel&>())
      .def("take_from", &CpuKernel::take_from)
      .def("matvec", &CpuKernel::matvec_given, py::arg("x"), py::arg("out") = py::none(),
           py::arg("alpha") = 1.0, py::arg("beta") = 0.0, py::arg("cast") = false,
           "out = alpha * A x + beta * out, for x of shape (columns,). Gives out, of shape "
           "(rows,),\n"
           "which is made where it is None. The types are those of the table in python/README.md:\n"
           "the result has NumPy's type, and a complex x of a real kernel is computed as A re + i "
           "A im. "
           "With cast=True\n"
           "x and the result are converted even where digits or imaginary parts get lost. x is\n"
           "copied where its type or its layout differs from the kernel's. The interpreter runs "
           "on;\n"
           "calls of one kernel wait for each other. A kernel with an order of its own copies x\n"
           "there and y back, which costs a pass over each; with own=True both lie there already.\n"
           "Raises ShapeError, DtypeError, LayoutError or DeviceError.")
      .def("matvec", &CpuKernel::matvec, py::arg("x"), py::arg("out") = py::none(),
           py::arg("alpha") = 1.0, py::arg("beta") = 0.0, py::arg("cast") = false,
           py::arg("own") = false)
      .def("matvec", reject_arguments)
      .def("native_run", &CpuKernel::run)
      .def("native_run_arrays", &CpuKernel::run_arrays)
      .def("update_values", &CpuKernel::update_values)
      .def("call_ns", &CpuKernel::call_ns)
      .def_property("native_threads", &CpuKernel::threads, &CpuKernel::set_threads)
      .def_property_readonly("native_order", &CpuKernel::order)
      .def_property_readonly("native_vectors", &CpuKernel::vectors)
      .def_property_readonly("native_nnz", &CpuKernel::nnz)
      .def_property_readonly("native_design", &CpuKernel::design)
      .def_property_readonly("native_dtype", &CpuKernel::dtype)
      .def_property_readonly("native_shape", &CpuKernel::shape);
}

}  // namespace alphasparse
