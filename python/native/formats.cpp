// formats: format files in, Matrix Market files out.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "generator/arrays/fingerprints.h"
#include "native.h"
#include "runtime/formats/stored_format.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "templates/host/format_reader.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

py::dict list_metadata(const host::Header& header) {
  py::dict metadata;
  for (const auto& [name, text] : header.metadata) metadata[py::str(name)] = text;
  return metadata;
}

py::dtype find_dtype(const std::string& type) {
  const char kind = type[0] == 'I' ? 'i' : type[0] == 'U' ? 'u' : type.ends_with("x2") ? 'c' : 'f';
  return py::dtype(kind + std::to_string(host::element_bytes(type)));
}

/// All tensors by name, which lie in the memory of the format.
py::dict read_tensors(const py::object& self) {
  py::dict tensors;
  for (const host::Tensor& tensor : self.cast<const StoredFormat&>().header().tensors) {
    py::array array(find_dtype(tensor.type), tensor.count, tensor.bytes.data(), self);
    array.attr("setflags")(py::arg("write") = false);
    tensors[py::str(tensor.name)] = array;
  }
  return tensors;
}

/// The numbers that `made` gives for a zero of their type, where some may be complex.
template <class Make>
py::array to_array(const StoredFormat& format, bool may_be_complex, const Make& made) {
  return read_file(format.path(), [&]() -> py::array {
    if (may_be_complex && format.is_complex()) {
      const std::vector<Number> numbers = made(Number());
      return py::array(py::dtype("c16"), numbers.size(), numbers.data());
    }
    const std::vector<double> numbers = made(double());
    return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  });
}

/// The metadata of a format file; its tensors are not read.
py::dict read_metadata(const std::string& path) {
  return read_file(path, [&] { return list_metadata(host::FormatReader(path).header()); });
}

template <class T>
using Dense = py::array_t<T, py::array::c_style>;

/// Canonical CSR; of complex values the imaginary parts too.
struct CanonicalArrays {
  std::int32_t cols;
  Dense<std::int32_t> row_first, col;
  Dense<double> value;
  std::optional<Dense<double>> imag;

  std::int32_t rows() const { return static_cast<std::int32_t>(row_first.size() - 1); }
};

/// (pattern, values), as the program computes them.
py::tuple matrix_fingerprints(const CanonicalArrays& matrix) {
  const Fingerprints prints =
      make_fingerprints(matrix.rows(), matrix.cols, matrix.row_first.data(), matrix.col.data(),
                        matrix.value.data(), matrix.imag ? matrix.imag->data() : nullptr);
  return py::make_tuple(prints.pattern, prints.values);
}

template <class T>
std::vector<T> copy_entries(const Dense<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Writes the matrix as a Matrix Market file, as the program does.
void write_matrix(const std::string& path, const CanonicalArrays& arrays) {
  Matrix matrix{arrays.rows(), arrays.cols, copy_entries(arrays.row_first),
                copy_entries(arrays.col), copy_entries(arrays.value)};
  if (arrays.imag) matrix.imag = copy_entries(*arrays.imag);
  int error = 0;
  const auto note = [&](bool is_done) {
    if (!is_done && error == 0) error = errno != 0 ? errno : EIO;
  };
  {
    const py::gil_scoped_release released;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    note(file != nullptr);
    const auto write = [&](std::string_view text) {
      note(std::fwrite(text.data(), 1, text.size(), file) == text.size());
    };
    if (file) write_matrix_market(write, matrix, "written by the Python package of alphasparse");
    if (file) note(std::fclose(file) == 0);
  }
  if (error != 0) raise("FileError", path + " cannot be written (" + std::strerror(error) + ")");
}

}  // namespace

void define_formats(py::module_& module) {
  py::class_<StoredFormat>(module, "StoredFormat")
      .def(py::init([](const std::string& path) {
        return read_file(path, [&] {
          const py::gil_scoped_release released;
          return std::make_unique<StoredFormat>(path);
        });
      }))
      .def_property_readonly("metadata",
                             [](const StoredFormat& self) { return list_metadata(self.header()); })
      .def_property_readonly("tensors", read_tensors)
      .def_property_readonly("stored", &StoredFormat::array_names)
      .def_property_readonly("computed", &StoredFormat::computed_names)
      .def_property_readonly("is_rounded", &StoredFormat::is_rounded)
      .def_property_readonly("is_complex", &StoredFormat::is_complex)
      .def("holds_floats", &StoredFormat::holds_floats)
      .def("entries",
           [](const StoredFormat& self, const std::string& name) {
             return to_array(self, self.holds_floats(name),
                             [&](auto zero) { return self.computed<decltype(zero)>(name); });
           })
      .def("values",
           [](const StoredFormat& self) {
             return to_array(self, true, [&](auto zero) { return self.values<decltype(zero)>(); });
           })
      .def("with_values",
           [](const StoredFormat& self, const py::array& values, const std::string& fingerprint) {
             return read_file(self.path(), [&] {
               return py::bytes(self.with_values(values.data(), fingerprint));
             });
           });
  module.def("read_metadata", read_metadata, py::arg("path"));
  py::class_<CanonicalArrays>(module, "CanonicalArrays")
      .def(py::init([](std::int32_t cols, Dense<std::int32_t> row_first, Dense<std::int32_t> col,
                       Dense<double> value, std::optional<Dense<double>> imag) {
             return CanonicalArrays{cols, std::move(row_first), std::move(col), std::move(value),
                                    std::move(imag)};
           }),
           py::arg("cols"), py::arg("row_first"), py::arg("col"), py::arg("value"),
           py::arg("imag") = py::none());
  module.def("fingerprints", matrix_fingerprints);
  module.def("write_matrix", write_matrix);
}

}  // namespace alphasparse
