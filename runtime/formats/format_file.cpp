#include "runtime/formats/format_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/c_names.h"
#include "base/result.h"
#include "generator/arrays/stored_values.h"
#include "runtime/formats/computed_metadata.h"
#include "runtime/formats/kernel_metadata.h"
#include "runtime/system/files/atomic_file.h"
#include "templates/host/loader.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* row_first_name = "canonical_row_first";
constexpr const char* col_name = "canonical_col";

std::string source_name(const std::string& array) { return array + ".source"; }
std::string code_name(const std::string& array) { return array + ".code"; }

/// One tensor to write; its data belong to someone else.
struct OutgoingTensor {
  std::string name;
  ElementType type;
  std::int64_t count;
  const void* data;

  std::size_t bytes() const { return static_cast<std::size_t>(count * element_bytes(type)); }
};

OutgoingTensor integers_tensor(const std::string& name, const std::vector<std::int32_t>& data) {
  return {name, ElementType::i32, static_cast<std::int64_t>(data.size()), data.data()};
}

/// Every tensor of the file, in its order.
std::vector<OutgoingTensor> tensors_of(const Kernel& kernel, const Matrix& matrix) {
  std::vector<OutgoingTensor> tensors;
  for (const Array& array : kernel.arrays) {
    CHECK(array.count * element_bytes(array.type) == static_cast<std::int64_t>(array.bytes.size()));
    tensors.push_back({array.name, array.type, array.count, array.bytes.data()});
  }
  for (const Array& array : kernel.arrays) {
    if (!array.is_value()) continue;
    CHECK(static_cast<std::int64_t>(array.value_source.size()) == array.count);
    tensors.push_back(integers_tensor(source_name(array.name), array.value_source));
    if (!array.is_dictionary()) continue;
    CHECK(static_cast<std::int64_t>(array.value_code.size()) == matrix.nnz());
    tensors.push_back(integers_tensor(code_name(array.name), array.value_code));
  }
  tensors.push_back(integers_tensor(row_first_name, matrix.row_first));
  tensors.push_back(integers_tensor(col_name, matrix.col));
  std::set<std::string> names = {"__metadata__"};
  for (const OutgoingTensor& tensor : tensors) CHECK(names.insert(tensor.name).second);
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const OutgoingTensor& a, const OutgoingTensor& b) {
                     return element_bytes(a.type) > element_bytes(b.type);
                   });
  return tensors;
}

/// The header, filled up with blanks, its checksum still '0's.
std::string header_text(const Kernel& kernel, const Fingerprints& fingerprints,
                        const std::string& generator_version, const std::string& prefix,
                        const std::vector<OutgoingTensor>& tensors) {
  Json header;
  for (const auto& [key, text] : kernel_metadata(kernel, fingerprints, generator_version, prefix)) {
    header["__metadata__"][key] = text;
  }
  std::size_t end = 0;
  for (const OutgoingTensor& tensor : tensors) {
    const std::size_t begin = end;
    end += tensor.bytes();
    header[tensor.name] = {{"dtype", element_safetensors_name(tensor.type)},
                           {"shape", {tensor.count}},
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

Error bad_file(const std::filesystem::path& path, const std::string& what) {
  return Error(ExitCode::bad_input,
               fmt::format("{}: {}; make it again with `alphasparse emit`", path.string(), what));
}

std::int64_t number(const host::Header& header, const char* name, std::int64_t least,
                    std::int64_t most) {
  const std::string& text = header.text(name);
  const bool digits = !text.empty() && text.size() <= 18 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t value = digits ? std::stoll(text) : -1;
  if (value < least || value > most) {
    throw host::BadFile(fmt::format("metadata \"{}\" is \"{}\"", name, text));
  }
  return value;
}

double relative_error(const host::Header& header, const char* name) {
  const std::string& text = header.text(name);
  double error = -1;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), end, error).ptr != end || !(error >= 0 && error <= 1)) {
    throw host::BadFile(fmt::format("metadata \"{}\" is \"{}\"", name, text));
  }
  return error;
}

std::string fingerprint(const host::Header& header, const char* name) {
  const std::string& text = header.text(name);
  if (text.size() != 32 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw host::BadFile(fmt::format("metadata \"{}\" is no fingerprint", name));
  }
  return text;
}

FormatFile read_facts(const host::Header& header) {
  FormatFile file;
  file.design = header.text("design");
  const std::string& dtype = header.text("dtype");
  if (!dtype_named(dtype)) throw host::BadFile("dtype is \"" + dtype + "\"");
  file.dtype = *dtype_named(dtype);
  file.rows = static_cast<std::int32_t>(number(header, "rows", 1, index_limit));
  file.cols = static_cast<std::int32_t>(number(header, "cols", 1, index_limit));
  file.nnz = number(header, "nnz", 0, index_limit);
  file.stored = number(header, "stored", 0, index_limit);
  const std::string& mirrored = header.text("mirrored");
  if (mirrored != "yes" && mirrored != "no")
    throw host::BadFile("mirrored is \"" + mirrored + "\"");
  file.mirrored = mirrored == "yes";
  file.value_error = relative_error(header, "value_error");
  file.fingerprints = {fingerprint(header, "pattern"), fingerprint(header, "values")};
  file.generator_version = header.text("generator");
  file.prefix = header.text("prefix");
  if (!is_c_name(file.prefix)) throw host::BadFile("prefix is \"" + file.prefix + "\"");
  return file;
}

ElementType element_type(const std::string& name) {
  for (const ElementType type : {ElementType::u8, ElementType::u16, ElementType::u32,
                                 ElementType::i32, ElementType::f32, ElementType::f64}) {
    if (name == element_safetensors_name(type)) return type;
  }
  throw host::BadFile("a tensor of type " + name);
}

/// Everything of an array but its entries.
Array read_array_facts(const Json& json, const host::Header& header, Dtype dtype) {
  Array array;
  array.name = json.at("name").get<std::string>();
  array.doc = json.at("layout").get<std::string>();
  array.least = json.at("least").get<std::int64_t>();
  array.most = json.at("most").get<std::int64_t>();
  array.ascending = json.at("ascending").get<bool>();
  const host::Tensor* tensor = header.find(array.name);
  if (!tensor) throw host::BadFile("no tensor for the array \"" + array.name + "\"");
  array.type = element_type(tensor->type);
  array.count = static_cast<std::int64_t>(tensor->count);
  if (json.at("shape") != Json{array.count}) {
    throw host::BadFile("the shape of \"" + array.name + "\" is not that of its tensor");
  }
  if (array.is_value() && array.type != number_type(dtype).element && !array.is_single(dtype)) {
    throw host::BadFile("\"" + array.name + "\" is wider than the file's dtype");
  }
  array.rounded = json.value("rounded", false);
  if (array.rounded && !array.is_single(dtype)) {
    throw host::BadFile("\"" + array.name + "\" is said to be rounded");
  }
  return array;
}

void read_lists(const host::Header& header, FormatFile& file) {
  try {
    for (const Json& json : Json::parse(header.text("arrays"))) {
      file.arrays.push_back(read_array_facts(json, header, file.dtype));
    }
    for (const Json& json : Json::parse(header.text("launches"))) {
      file.launches.push_back({json.at("kernel").get<std::string>(),
                               json.at("blocks").get<std::int64_t>(),
                               json.at("threads").get<int>()});
    }
  } catch (const nlohmann::json::exception& error) {
    throw host::BadFile(std::string("metadata \"arrays\" or \"launches\": ") + error.what());
  }
  for (const Launch& launch : file.launches) {
    const bool right = launch.blocks >= 1 && launch.blocks <= index_limit && launch.threads >= 32 &&
                       launch.threads <= 1024 && launch.threads % 32 == 0;
    if (!right) throw host::BadFile("a launch of no possible size");
  }
  if (file.launches.empty()) throw host::BadFile("no launches");
  if (file.stored != stored_entries(file.arrays)) {
    throw host::BadFile("\"stored\" is not the length of the value arrays");
  }
}

/// Reads as the standalone kernel's loader does: the file's own facts stand for the kernel's.
host::LoadedFormat read_entries(const std::string& path, const host::Header& header,
                                const FormatFile& file) {
  const ComputedNumbers computed = computed_numbers(header);
  std::vector<host::ArrayFacts> arrays;
  for (const Array& array : file.arrays) {
    arrays.push_back({array.name.c_str(), element_safetensors_name(array.type), array.count,
                      array.least, array.most, array.ascending,
                      header.find(code_name(array.name)) != nullptr, array.rounded});
  }
  const host::FormatFacts facts = {file.design.c_str(),
                                   dtype_name(file.dtype),
                                   file.rows,
                                   file.cols,
                                   file.nnz,
                                   file.mirrored,
                                   file.fingerprints.pattern.c_str(),
                                   file.fingerprints.values.c_str(),
                                   file.generator_version.c_str(),
                                   file.prefix.c_str(),
                                   header.text("digest").c_str(),
                                   arrays.data(),
                                   arrays.size()};
  host::LoadedFormat format = host::load_format(path, facts, true);
  check_computed(computed, facts, format);
  return format;
}

template <class T>
void take_values(const Array& array, std::vector<double>& values, std::vector<bool>& seen) {
  for_each_value(array, [&](std::int32_t nz, std::size_t entry) {
    T stored;
    std::memcpy(&stored, array.bytes.data() + entry * sizeof(T), sizeof(T));
    values[nz] = stored;
    seen[nz] = true;
  });
}

}  // namespace

void write_format_file(const std::filesystem::path& path, const Kernel& kernel,
                       const Matrix& matrix, const Fingerprints& fingerprints,
                       const std::string& generator_version, const std::string& prefix) {
  CHECK(kernel.rows == matrix.rows && kernel.cols == matrix.cols && kernel.nnz == matrix.nnz());
  const std::vector<OutgoingTensor> tensors = tensors_of(kernel, matrix);
  std::string header =
      header_text(kernel, fingerprints, generator_version,
                  prefix.empty() ? c_prefix(path.stem().string()) : prefix, tensors);
  const std::string length = little_endian(header.size());
  host::Checksum checksum;
  checksum.add(length.data(), length.size());
  checksum.add(header.data(), header.size());
  for (const OutgoingTensor& tensor : tensors) checksum.add(tensor.data, tensor.bytes());
  const std::string before_digits = "\"checksum\":\"";
  header.replace(header.find(before_digits) + before_digits.size(), host::checksum_digits,
                 checksum.digits());
  AtomicFile file(path);
  file.write(length.data(), length.size());
  file.write(header.data(), header.size());
  for (const OutgoingTensor& tensor : tensors) file.write(tensor.data, tensor.bytes());
  file.publish();
}

FormatFile read_format_file(const std::filesystem::path& path) {
  try {
    const host::Header header = host::FormatReader(path.string()).header();
    FormatFile file = read_facts(header);
    read_lists(header, file);
    host::LoadedFormat loaded = read_entries(path.string(), header, file);
    for (std::size_t i = 0; i < file.arrays.size(); ++i) {
      const auto* bytes = reinterpret_cast<const std::byte*>(loaded.arrays[i].bytes.data());
      file.arrays[i].bytes.assign(bytes, bytes + loaded.arrays[i].bytes.size());
      file.arrays[i].value_source = std::move(loaded.arrays[i].source);
      file.arrays[i].value_code = std::move(loaded.arrays[i].code);
    }
    file.row_first = std::move(loaded.row_first);
    file.col = std::move(loaded.col);
    return file;
  } catch (const host::BadFile& error) {
    throw bad_file(path, error.what());
  }
}

Matrix matrix_of(const FormatFile& file) {
  Matrix matrix{file.rows, file.cols, file.row_first, file.col, {}};
  matrix.value.resize(file.col.size());
  std::vector<bool> seen(file.col.size());
  for (const Array& array : file.arrays) {
    if (!array.is_value()) continue;
    with_element(array.type,
                 [&](auto zero) { take_values<decltype(zero)>(array, matrix.value, seen); });
  }
  if (file.mirrored) {
    host::for_each_mirror_image(file.row_first, file.col, [&](std::int32_t nz, std::int32_t image) {
      matrix.value[image] = matrix.value[nz];
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

}  // namespace alphasparse
