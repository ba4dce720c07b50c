#include "tests/support/read_format.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "templates/host/loader.h"

namespace alphasparse {

namespace {

Array array_of(const StoredFormat& stored, const host::ArrayFacts& facts, const std::string& doc) {
  Array array;
  array.name = facts.name;
  array.doc = doc;
  array.type = *element_of_tensor(facts.type);
  array.count = facts.count;
  array.rounded = facts.rounded;
  const auto bytes_of = [&](const std::string& end) -> const std::vector<unsigned char>& {
    return stored.header().find(array.name + end)->bytes;
  };
  const auto* const first = reinterpret_cast<const std::byte*>(bytes_of("").data());
  array.bytes.assign(first, first + bytes_of("").size());
  if (array.is_value()) array.value_source = host::integers(bytes_of(".source"));
  if (facts.dictionary) array.value_code = host::integers(bytes_of(".code"));
  return array;
}

}  // namespace

FormatFile read_format_file(const std::filesystem::path& path) {
  const auto stored = std::make_shared<const StoredFormat>(path.string());
  const host::Header& header = stored->header();
  const host::FormatFacts& facts = stored->facts();
  FormatFile file;
  file.read = stored;
  file.design = facts.design;
  file.dtype = stored->dtype();
  file.rows = static_cast<std::int32_t>(facts.rows);
  file.cols = static_cast<std::int32_t>(facts.cols);
  file.nnz = facts.nnz;
  file.stored = std::stoll(header.text("stored"));
  file.mirror = facts.mirror;
  file.value_error = std::stod(header.text("value_error"));
  file.fingerprints = {header.text("pattern"), header.text("values")};
  file.generator_version = header.text("generator");
  file.prefix = facts.prefix;
  const auto json = nlohmann::ordered_json::parse(header.text("arrays"));
  for (std::size_t i = 0; i < json.size(); ++i)
    file.arrays.push_back(array_of(*stored, stored->arrays()[i], json[i].at("layout")));
  file.launches = stored->launches();
  file.row_first = host::integers(header.find("canonical_row_first")->bytes);
  file.col = host::integers(header.find("canonical_col")->bytes);
  return file;
}

Matrix matrix_of(const FormatFile& file) {
  Matrix matrix{file.rows, file.cols, file.row_first, file.col, {}};
  for (const Number& value : file.read->values<Number>()) {
    matrix.value.push_back(value.re);
    if (file.read->is_complex()) matrix.imag.push_back(value.im);
  }
  const std::string fault = check_canonical(matrix);
  if (!fault.empty()) throw Error("the format's matrix is not canonical: " + fault);
  return matrix;
}

LoaderFacts::LoaderFacts(const Kernel& kernel, const host::Header& header)
    : structure_(header.text("structure")),
      values_(header.text("values")),
      prefix_(header.text("prefix")) {
  for (const Array& array : kernel.arrays) {
    arrays_.push_back({array.name.c_str(), element_tensor_name(array.type), array.count,
                       array.is_dictionary(), array.rounded});
  }
  facts_ = {kernel.design.c_str(),
            dtype_name(kernel.dtype),
            kernel.rows,
            kernel.cols,
            kernel.nnz,
            kernel.mirror,
            structure_.c_str(),
            values_.c_str(),
            prefix_.c_str(),
            arrays_.data(),
            arrays_.size()};
}

}  // namespace alphasparse
