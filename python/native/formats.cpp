// formats: format files in, Matrix Market files out.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
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

py::dict metadata_of(const host::Header& header) {
  py::dict metadata;
  for (const auto& [name, text] : header.metadata) metadata[py::str(name)] = text;
  return metadata;
}

py::dtype dtype_of(const std::string& type) {
  const char kind = type[0] == 'I' ? 'i' : type[0] == 'U' ? 'u' : 'f';
  return py::dtype(kind + std::to_string(host::element_bytes(type)));
}

/// All tensors by name, which lie in the memory of the format.
py::dict tensors_of(const py::object& self) {
  py::dict tensors;
  for (const host::Tensor& tensor : self.cast<const StoredFormat&>().header().tensors) {
    py::array array(dtype_of(tensor.type), tensor.count, tensor.bytes.data(), self);
    array.attr("setflags")(py::arg("write") = false);
    tensors[py::str(tensor.name)] = array;
  }
  return tensors;
}

py::array array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

/// The metadata of a format file; its tensors are not read.
py::dict read_metadata(const std::string& path) {
  return of_file(path, [&] { return metadata_of(host::FormatReader(path).header()); });
}

template <class T>
using Dense = py::array_t<T, py::array::c_style>;

/// (pattern, values) of a matrix in canonical CSR, as the program computes them.
py::tuple matrix_fingerprints(std::int32_t cols, const Dense<std::int32_t>& row_first,
                              const Dense<std::int32_t>& col, const Dense<double>& value) {
  const auto rows = static_cast<std::int32_t>(row_first.size() - 1);
  const Fingerprints prints =
      fingerprints_of(rows, cols, row_first.data(), col.data(), value.data());
  return py::make_tuple(prints.pattern, prints.values);
}

template <class T>
std::vector<T> entries_of(const Dense<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Writes canonical CSR as a Matrix Market file, as the program does.
void write_matrix(const std::string& path, std::int32_t cols, const Dense<std::int32_t>& row_first,
                  const Dense<std::int32_t>& col, const Dense<double>& value) {
  const Matrix matrix{static_cast<std::int32_t>(row_first.size() - 1), cols, entries_of(row_first),
                      entries_of(col), entries_of(value)};
  int fault = 0;
  const auto note = [&](bool is_done) {
    if (!is_done && fault == 0) fault = errno != 0 ? errno : EIO;
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
  if (fault != 0) raise("FileError", path + " cannot be written (" + std::strerror(fault) + ")");
}

}  // namespace

void define_formats(py::module_& module) {
  py::class_<StoredFormat>(module, "StoredFormat")
      .def(py::init([](const std::string& path) {
        return of_file(path, [&] {
          const py::gil_scoped_release released;
          return std::make_unique<StoredFormat>(path);
        });
      }))
      .def_property_readonly("metadata",
                             [](const StoredFormat& self) { return metadata_of(self.header()); })
      .def_property_readonly("tensors", tensors_of)
      .def_property_readonly("stored", &StoredFormat::array_names)
      .def_property_readonly("computed", &StoredFormat::computed_names)
      .def_property_readonly("is_rounded", &StoredFormat::is_rounded)
      .def("holds_floats", &StoredFormat::holds_floats)
      .def("entries",
           [](const StoredFormat& self, const std::string& name) {
             return of_file(self.path(), [&] { return array_of(self.computed(name)); });
           })
      .def("values",
           [](const StoredFormat& self) {
             return of_file(self.path(), [&] { return array_of(self.values()); });
           })
      .def("with_values",
           [](const StoredFormat& self, const py::array& values, const std::string& fingerprint) {
             return of_file(self.path(), [&] {
               return py::bytes(self.with_values(values.data(), fingerprint));
             });
           });
  module.def("read_metadata", read_metadata, py::arg("path"));
  module.def("fingerprints", matrix_fingerprints, py::arg("cols"), py::arg("row_first"),
             py::arg("col"), py::arg("value"));
  module.def("write_matrix", write_matrix);
}

}  // namespace alphasparse
