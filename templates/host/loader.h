// loader: takes a format file for one kernel, after everything in it is checked against the
// kernel's facts.
//
// Beside each array of the kernel the file holds arrays for the host alone: for a value array NAME,
// NAME.source [count], the canonical index of each entry's value or -1 for a pad; for a dictionary
// besides NAME.code [nnz], the entry that holds each canonical value; and the matrix'
// pattern, canonical_row_first [rows + 1] and canonical_col [nnz]. Where one triangle stands for
// the matrix the pattern is kept, so that other values can be checked.
//
// The kernel names the digest of all arrays of integers. A file with others is refused, so that the
// kernel and this loader follow only the entries with which the kernel was verified. Values may be
// any numbers: no address depends on them.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "templates/host/facts.h"
#include "templates/host/format_reader.h"
#include "templates/host/loaded_format.h"

namespace alphasparse::host {

/// The file is the one that the kernel names. The reader proves that its arrays are those of its
/// header.
[[gnu::cold]] inline void check_header(const Header& header, const FormatFacts& facts) {
  const char* const structure = header.text("structure").c_str();
  if (std::strcmp(structure, facts.structure) != 0) {
    refuse(
        "not the file that this kernel was made with: its structure has digest %.16s..., "
        "the kernel names %.16s...; write both again by the kernel's remake line",
        structure, facts.structure);
  }
  const char* const values = header.text("values").c_str();
  if (std::strcmp(values, facts.values) != 0) {
    refuse("kernel and format differ: values is %s in the kernel and %s in the file", facts.values,
           values);
  }
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    const ArrayFacts& array = facts.arrays[i];
    const Tensor* const tensor = header.find(array.name);
    const bool is_same = tensor && tensor->type == array.type &&
                         tensor->count == static_cast<std::uint64_t>(array.count);
    if (!is_same) {
      refuse("kernel and format differ: \"%s\" is %s [%jd] in the kernel alone", array.name,
             array.type, std::intmax_t{array.count});
    }
  }
}

inline std::vector<std::int32_t> integers(const std::vector<unsigned char>& bytes) {
  std::vector<std::int32_t> all(bytes.size() / sizeof(std::int32_t));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

/// Reads and checks everything before anything is handed out; throws BadFile. `with_pattern` keeps
/// the matrix' pattern, which a mirrored format always has.
[[gnu::cold]] inline LoadedFormat load_format(const std::string& path, const FormatFacts& facts,
                                              bool with_pattern) {
  FormatReader reader(path);
  check_header(reader.header(), facts);
  with_pattern = with_pattern || facts.mirror != Mirror::none;
  reader.read_data(with_pattern);
  LoadedFormat format;
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    const ArrayFacts& array = facts.arrays[i];
    LoadedArray& loaded = format.arrays.emplace_back();
    loaded.bytes = reader.take(array.name);
    if (!is_value(array)) continue;
    loaded.source = integers(reader.take(std::string(array.name) + ".source"));
    if (array.dictionary) loaded.code = integers(reader.take(std::string(array.name) + ".code"));
  }
  if (with_pattern) {
    format.row_first = integers(reader.take("canonical_row_first"));
    format.col = integers(reader.take("canonical_col"));
  }
  return format;
}

}  // namespace alphasparse::host
