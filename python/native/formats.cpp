// formats: format files in, Matrix Market files out.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "generator/arrays/fingerprints.h"
#include "native.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "templates/host/format_reader.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

template <class T>
py::array array_of(const std::vector<unsigned char>& bytes) {
  py::array_t<T> array(static_cast<py::ssize_t>(bytes.size() / sizeof(T)));
  if (!bytes.empty()) std::memcpy(array.mutable_data(), bytes.data(), bytes.size());
  return array;
}

py::array array_of(const std::string& type, const std::vector<unsigned char>& bytes) {
  if (type == "U8") return array_of<std::uint8_t>(bytes);
  if (type == "U16") return array_of<std::uint16_t>(bytes);
  if (type == "U32") return array_of<std::uint32_t>(bytes);
  if (type == "I32") return array_of<std::int32_t>(bytes);
  if (type == "F32") return array_of<float>(bytes);
  return array_of<double>(bytes);
}

/// The metadata and all tensors of a format file, which is checked whole.
py::tuple read_file(const std::string& path) {
  try {
    host::FormatReader reader(path);
    {
      const py::gil_scoped_release released;
      reader.read_data(true);
    }
    py::dict metadata, tensors;
    for (const auto& [name, text] : reader.header().metadata) metadata[py::str(name)] = text;
    for (const host::Tensor& tensor : reader.header().tensors) {
      tensors[py::str(tensor.name)] = array_of(tensor.type, tensor.bytes);
    }
    return py::make_tuple(metadata, tensors);
  } catch (const host::BadFile& error) {
    raise("FileError", path + ": " + error.what());
  }
}

/// The metadata of a format file; its tensors are not read.
py::dict read_metadata(const std::string& path) {
  try {
    py::dict metadata;
    const host::FormatReader reader(path);
    for (const auto& [name, text] : reader.header().metadata) metadata[py::str(name)] = text;
    return metadata;
  } catch (const host::BadFile& error) {
    raise("FileError", path + ": " + error.what());
  }
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
  module.def("read_file", read_file, py::arg("path"));
  module.def("read_metadata", read_metadata, py::arg("path"));
  module.def("fingerprints", matrix_fingerprints, py::arg("cols"), py::arg("row_first"),
             py::arg("col"), py::arg("value"));
  module.def("write_matrix", write_matrix);
}

}  // namespace alphasparse
