// formats: format files in, Matrix Market files out.
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#define XXH_INLINE_ALL
#include "generator/arrays/fingerprints.h"
#include "native.h"
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

/// Collects a file's text and writes it in pieces.
class TextFile {
 public:
  explicit TextFile(const std::string& path)
      : file_(std::fopen(path.c_str(), "wb")), fault_(file_ ? 0 : errno) {}
  ~TextFile() {
    if (file_) std::fclose(file_);
  }

  template <class Number>
  void put(Number number, char behind) {
    if (text_.size() > piece_bytes) flush();
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_.append(digits, end) += behind;
  }
  void put(const char* text) { text_ += text; }

  /// The error of the system by which some of it could not be written; 0: all was.
  int close() {
    flush();
    if (file_) note(std::fclose(file_) == 0);
    file_ = nullptr;
    return fault_;
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  void flush() {
    if (file_) note(std::fwrite(text_.data(), 1, text_.size(), file_) == text_.size());
    text_.clear();
  }

  void note(bool is_done) {
    if (!is_done && fault_ == 0) fault_ = errno != 0 ? errno : EIO;
  }

  std::FILE* file_;
  std::string text_;
  int fault_;
};

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

/// Writes canonical CSR as a Matrix Market file, each value so that it comes back bit for bit.
void write_matrix(const std::string& path, std::int64_t cols, const Dense<std::int64_t>& row_first,
                  const Dense<std::int64_t>& col, const Dense<double>& value) {
  const std::int64_t rows = row_first.size() - 1;
  const std::int64_t* const first = row_first.data();
  const std::int64_t* const columns = col.data();
  const double* const values = value.data();
  const std::int64_t nnz = value.size();
  int fault = 0;
  {
    const py::gil_scoped_release released;
    TextFile file(path);
    file.put("%%MatrixMarket matrix coordinate real general\n");
    file.put(rows, ' ');
    file.put(cols, ' ');
    file.put(nnz, '\n');
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t nz = first[row]; nz < first[row + 1]; ++nz) {
        file.put(row + 1, ' ');
        file.put(columns[nz] + 1, ' ');
        file.put(values[nz], '\n');
      }
    }
    fault = file.close();
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
