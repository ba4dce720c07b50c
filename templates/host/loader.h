// loader: takes a format file for one kernel, after everything in it is checked against the
// kernel's facts.
//
// Beside each array of the kernel the file holds arrays for the host alone: for a value array NAME,
// NAME.source [count], the canonical index of each entry's value or -1 for a pad; for a dictionary
// besides NAME.code [nnz], the entry that holds each canonical value; and the matrix'
// pattern, canonical_row_first [rows + 1] and canonical_col [nnz]. Where one triangle stands for a
// symmetric matrix the pattern is kept, so that other values can be checked.
//
// A damaged file is refused, and so is a file of another kernel: the file has the digest of its
// kernel. A file that somebody made on purpose, with a correct checksum, may give wrong numbers.
// But the kernel reads and writes no memory outside of its arrays, x and y: each entry that it
// follows is in its range, and so is each number that it computes from entries. A refusal names the
// array and the entry.
#pragma once
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "templates/host/entry_checks.h"
#include "templates/host/facts.h"
#include "templates/host/format_reader.h"
#include "templates/host/loaded_format.h"
#include "templates/host/mirror.h"

namespace alphasparse::host {

inline void check_same(const char* what, const std::string& in_file, const std::string& in_kernel) {
  if (in_file != in_kernel) {
    throw BadFile(std::string("kernel and format differ: ") + what + " is " + in_kernel +
                  " in the kernel and " + in_file + " in the file");
  }
}

inline void check_metadata(const Header& header, const FormatFacts& facts) {
  check_same("design", header.text("design"), facts.design);
  check_same("dtype", header.text("dtype"), facts.dtype);
  check_same("rows", header.text("rows"), std::to_string(facts.rows));
  check_same("cols", header.text("cols"), std::to_string(facts.cols));
  check_same("nnz", header.text("nnz"), std::to_string(facts.nnz));
  check_same("mirrored", header.text("mirrored"), facts.mirrored ? "yes" : "no");
  check_same("pattern", header.text("pattern"), facts.pattern);
  check_same("values", header.text("values"), facts.values);
  check_same("generator", header.text("generator"), facts.generator);
  check_same("prefix", header.text("prefix"), facts.prefix);
  check_same("digest", header.text("digest"), facts.digest);
}

inline void check_tensor(const Header& header, const std::string& name, const std::string& type,
                         std::int64_t count) {
  const Tensor* tensor = header.find(name);
  if (!tensor) throw BadFile("kernel and format differ: the file has no tensor \"" + name + "\"");
  check_same(("type of \"" + name + "\"").c_str(), tensor->type, type);
  check_same(("length of \"" + name + "\"").c_str(), std::to_string(tensor->count),
             std::to_string(count));
}

/// The file holds the tensors of the facts, and no others.
inline void check_tensors(const Header& header, const FormatFacts& facts) {
  std::size_t expected = facts.array_count + 2;
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    const ArrayFacts& array = facts.arrays[i];
    check_tensor(header, array.name, array.type, array.count);
    if (!is_value(array)) continue;
    check_tensor(header, std::string(array.name) + ".source", "I32", array.count);
    ++expected;
    //[ coded
    if (!array.dictionary) continue;
    check_tensor(header, std::string(array.name) + ".code", "I32", facts.nnz);
    ++expected;
    //]
  }
  check_tensor(header, "canonical_row_first", "I32", facts.rows + 1);
  check_tensor(header, "canonical_col", "I32", facts.nnz);
  if (header.tensors.size() != expected) {
    throw BadFile("kernel and format differ: the file has " +
                  std::to_string(header.tensors.size()) + " tensors, the kernel knows " +
                  std::to_string(expected));
  }
}

inline void check_entries(const ArrayFacts& array, const std::vector<unsigned char>& bytes) {
  const auto check = [&](auto zero) {
    check_stored<decltype(zero)>(array.name, bytes, array.least, array.most, array.ascending);
  };
  const std::string type = array.type;
  if (type == "U8") check(std::uint8_t{0});
  if (type == "U16") check(std::uint16_t{0});
  if (type == "U32") check(std::uint32_t{0});
  if (type == "I32") check(std::int32_t{0});
}

inline std::vector<std::int32_t> integers(const std::vector<unsigned char>& bytes) {
  std::vector<std::int32_t> all(bytes.size() / sizeof(std::int32_t));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

//[ coded
/// No value is coded as a pad, which has no value of its own to be compared with.
inline void check_codes(const std::string& name, const LoadedArray& dictionary) {
  for (std::size_t nz = 0; nz < dictionary.code.size(); ++nz) {
    const std::int32_t code = dictionary.code[nz];
    if (code < 0 || dictionary.source[code] >= 0) continue;
    throw BadFile(name + "[" + std::to_string(nz) + "] is " + std::to_string(code) +
                  ", which is a pad");
  }
}

//]
inline void take_pattern(const TensorData& data, const FormatFacts& facts, LoadedFormat& format) {
  const auto& row_first = data.at("canonical_row_first");
  const auto& col = data.at("canonical_col");
  check_stored<std::int32_t>("canonical_row_first", row_first, 0, facts.nnz, true);
  check_stored<std::int32_t>("canonical_col", col, 0, facts.cols - 1, false);
  format.row_first = integers(row_first);
  format.col = integers(col);
  if (format.row_first.front() != 0 || format.row_first.back() != facts.nnz) {
    throw BadFile("canonical_row_first does not run from 0 to nnz");
  }
  //[ mirrored
  const auto any = [](std::int32_t, std::int32_t) { return true; };
  if (facts.mirrored &&
      (facts.rows != facts.cols || !for_each_mirror_image(format.row_first, format.col, any))) {
    throw BadFile("one triangle is stored, but the pattern is not symmetric");
  }
  //]
}

/// Reads and checks everything before anything is handed out; throws BadFile. `with_pattern` keeps
/// the matrix' pattern, which a mirrored format always has.
inline LoadedFormat load_format(const std::string& path, const FormatFacts& facts,
                                bool with_pattern) {
  FormatReader reader(path);
  check_metadata(reader.header(), facts);
  check_tensors(reader.header(), facts);
  std::set<std::string> wanted;
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    wanted.insert(facts.arrays[i].name);
    if (is_value(facts.arrays[i])) wanted.insert(std::string(facts.arrays[i].name) + ".source");
    //[ coded
    if (facts.arrays[i].dictionary) wanted.insert(std::string(facts.arrays[i].name) + ".code");
    //]
  }
  //[ mirrored
  with_pattern = with_pattern || facts.mirrored;
  //]
  if (with_pattern) wanted.insert({"canonical_row_first", "canonical_col"});
  TensorData data = reader.read_data(wanted);

  LoadedFormat format;
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    const ArrayFacts& array = facts.arrays[i];
    LoadedArray& loaded = format.arrays.emplace_back();
    loaded.bytes = std::move(data.at(array.name));
    if (is_value(array)) {
      const std::string source = std::string(array.name) + ".source";
      check_stored<std::int32_t>(source, data.at(source), -1, facts.nnz - 1, false);
      loaded.source = integers(data.at(source));
      //[ coded
      if (!array.dictionary) continue;
      const std::string code = std::string(array.name) + ".code";
      check_stored<std::int32_t>(code, data.at(code), -1, array.count - 1, false);
      loaded.code = integers(data.at(code));
      check_codes(code, loaded);
      //]
    } else {
      check_entries(array, loaded.bytes);
    }
  }
  //[ computed
  if (facts.check_computed) facts.check_computed(format);
  //]
  if (with_pattern) take_pattern(data, facts, format);
  return format;
}

}  // namespace alphasparse::host
