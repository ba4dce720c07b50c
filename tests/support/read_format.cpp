#include "tests/support/read_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "templates/host/loader.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

ElementType element_type(const std::string& name) {
  for (const ElementType type : {ElementType::u8, ElementType::u16, ElementType::u32,
                                 ElementType::i32, ElementType::f32, ElementType::f64}) {
    if (name == element_safetensors_name(type)) return type;
  }
  throw host::BadFile("a tensor of type " + name);
}

Array read_array(const Json& json, host::FormatReader& reader) {
  Array array;
  array.name = json.at("name").get<std::string>();
  array.doc = json.at("layout").get<std::string>();
  array.type = element_type(json.at("dtype").get<std::string>());
  array.count = json.at("shape").at(0).get<std::int64_t>();
  array.rounded = json.value("rounded", false);
  const std::vector<unsigned char> bytes = reader.take(array.name);
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  array.bytes.assign(first, first + bytes.size());
  if (array.is_value()) array.value_source = host::integers(reader.take(array.name + ".source"));
  if (json.value("dictionary", false))
    array.value_code = host::integers(reader.take(array.name + ".code"));
  return array;
}

template <class T>
void take_values(const Array& array, std::vector<double>& values, std::vector<bool>& seen) {
  const auto take = [&](std::int32_t nz, std::size_t entry) {
    T stored;
    std::memcpy(&stored, array.bytes.data() + entry * sizeof(T), sizeof(T));
    values[nz] = stored;
    seen[nz] = true;
  };
  for (std::size_t entry = 0; entry < array.value_source.size(); ++entry) {
    if (array.value_source[entry] >= 0) take(array.value_source[entry], entry);
  }
  for (std::size_t nz = 0; nz < array.value_code.size(); ++nz) {
    if (array.value_code[nz] >= 0) take(static_cast<std::int32_t>(nz), array.value_code[nz]);
  }
}

}  // namespace

FormatFile read_format_file(const std::filesystem::path& path) {
  host::FormatReader reader(path.string());
  reader.read_data(true);
  const host::Header& header = reader.header();
  FormatFile file;
  file.design = header.text("design");
  file.dtype = header.text("dtype") == "f32" ? Dtype::f32 : Dtype::f64;
  file.rows = std::stoi(header.text("rows"));
  file.cols = std::stoi(header.text("cols"));
  file.nnz = std::stoll(header.text("nnz"));
  file.stored = std::stoll(header.text("stored"));
  for (const Mirror mirror : {Mirror::same, Mirror::negated})
    if (header.text("mirrored") == mirror_kind(mirror).in_files) file.mirror = mirror;
  file.value_error = std::stod(header.text("value_error"));
  file.fingerprints = {header.text("pattern"), header.text("values")};
  file.generator_version = header.text("generator");
  file.prefix = header.text("prefix");
  for (const Json& json : Json::parse(header.text("arrays")))
    file.arrays.push_back(read_array(json, reader));
  for (const Json& json : Json::parse(header.text("launches"))) {
    file.launches.push_back({json.at("kernel").get<std::string>(),
                             json.at("blocks").get<std::int64_t>(), json.at("threads").get<int>()});
  }
  file.row_first = host::integers(reader.take("canonical_row_first"));
  file.col = host::integers(reader.take("canonical_col"));
  return file;
}

Matrix matrix_of(const FormatFile& file) {
  Matrix matrix{file.rows, file.cols, file.row_first, file.col, {}};
  matrix.value.resize(file.col.size());
  std::vector<bool> seen(file.col.size());
  for (const Array& array : file.arrays) {
    if (array.type == ElementType::f32) take_values<float>(array, matrix.value, seen);
    if (array.type == ElementType::f64) take_values<double>(array, matrix.value, seen);
  }
  if (file.mirror != Mirror::none) {
    host::for_each_mirror_image(file.row_first, file.col, [&](std::int32_t nz, std::int32_t image) {
      matrix.value[image] = host::image_of(file.mirror, matrix.value[nz]);
      seen[image] = seen[nz];
      return true;
    });
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end()) {
    throw Error(fmt::format("the format leaves out the value of non-zero {}; it cannot be decoded",
                            missing - seen.begin()));
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
    arrays_.push_back({array.name.c_str(), element_safetensors_name(array.type), array.count,
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
