#include "runtime/formats/format_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/c_names.h"
#include "base/result.h"
#include "runtime/formats/kernel_metadata.h"
#include "runtime/system/files/atomic_file.h"
#include "templates/host/format_reader.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// One tensor to write; its data belong to someone else.
struct OutgoingTensor {
  std::string name;
  ElementType type;
  std::int64_t count;
  const void* data;

  std::size_t bytes() const { return static_cast<std::size_t>(count * element_bytes(type)); }
  bool is_value() const { return is_float(type); }
};

OutgoingTensor integers_tensor(const std::string& name, const std::vector<std::int32_t>& data) {
  return {name, ElementType::i32, static_cast<std::int64_t>(data.size()), data.data()};
}

/// Every tensor of the file, in its order.
std::vector<OutgoingTensor> list_tensors(const Kernel& kernel, const Matrix& matrix) {
  std::vector<OutgoingTensor> tensors;
  for (const Array& array : kernel.arrays) {
    CHECK(array.count * element_bytes(array.type) == static_cast<std::int64_t>(array.bytes.size()));
    tensors.push_back({array.name, array.type, array.count, array.bytes.data()});
  }
  for (const Array& array : kernel.arrays) {
    if (!array.is_value()) continue;
    CHECK(static_cast<std::int64_t>(array.value_source.size()) == array.count);
    tensors.push_back(integers_tensor(array.name + ".source", array.value_source));
    if (!array.is_dictionary()) continue;
    CHECK(static_cast<std::int64_t>(array.value_code.size()) == matrix.nnz());
    tensors.push_back(integers_tensor(array.name + ".code", array.value_code));
  }
  tensors.push_back(integers_tensor("canonical_row_first", matrix.row_first));
  tensors.push_back(integers_tensor("canonical_col", matrix.col));
  std::set<std::string> names = {"__metadata__"};
  for (const OutgoingTensor& tensor : tensors) CHECK(names.insert(tensor.name).second);
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const OutgoingTensor& a, const OutgoingTensor& b) {
                     return element_bytes(a.type) > element_bytes(b.type);
                   });
  return tensors;
}

std::string describe(const std::vector<OutgoingTensor>& tensors) {
  host::Digest digest;
  for (const OutgoingTensor& tensor : tensors) {
    if (tensor.is_value()) continue;
    digest.add(host::structure_line(tensor.name, element_safetensors_name(tensor.type),
                                    static_cast<std::uint64_t>(tensor.count)));
    digest.add(tensor.data, tensor.bytes());
  }
  return digest.digits();
}

/// The header, filled up with blanks, its checksum still '0's.
std::string header_text(const Metadata& metadata, const std::vector<OutgoingTensor>& tensors) {
  Json header;
  for (const auto& [key, text] : metadata) header["__metadata__"][key] = text;
  std::size_t end = 0;
  for (const OutgoingTensor& tensor : tensors) {
    const std::size_t begin = end;
    end += tensor.bytes();
    header[tensor.name] = {{"dtype", element_safetensors_name(tensor.type)},
                           {"shape", element_shape(tensor.type, tensor.count)},
                           {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

std::string little_endian(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> 8 * i & 255);
  return bytes;
}

}  // namespace

std::string structure_digest(const Kernel& kernel, const Matrix& matrix) {
  return describe(list_tensors(kernel, matrix));
}

void write_format_file(const std::filesystem::path& path, const Kernel& kernel,
                       const Matrix& matrix, const Fingerprints& fingerprints,
                       const std::string& generator_version, const std::string& prefix,
                       const std::string& structure) {
  CHECK(kernel.rows == matrix.rows && kernel.cols == matrix.cols && kernel.nnz == matrix.nnz());
  const std::vector<OutgoingTensor> tensors = list_tensors(kernel, matrix);
  std::string header = header_text(
      kernel_metadata(kernel, fingerprints, structure.empty() ? describe(tensors) : structure,
                      generator_version, prefix.empty() ? c_prefix(path.stem().string()) : prefix),
      tensors);
  const std::string length = little_endian(header.size());
  host::Digest checksum;
  checksum.add(length);
  checksum.add(header);
  for (const OutgoingTensor& tensor : tensors) {
    if (tensor.is_value()) checksum.add(tensor.data, tensor.bytes());
  }
  const std::string before_digits = "\"checksum\":\"";
  header.replace(header.find(before_digits) + before_digits.size(), host::checksum_digits,
                 checksum.digits());
  AtomicFile file(path);
  file.write(length.data(), length.size());
  file.write(header.data(), header.size());
  for (const OutgoingTensor& tensor : tensors) file.write(tensor.data, tensor.bytes());
  file.publish();
}

}  // namespace alphasparse
