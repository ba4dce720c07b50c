// format_mutator: changes format files so that most are whole again - lengths, offsets and the
// digests are mended - and come past the reader's first checks.
#pragma once
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "templates/host/safetensors.h"

namespace alphasparse {

/// An input of the format targets, taken apart.
struct FormatParts {
  std::string kernel;  ///< two bytes
  std::map<std::string, std::string> metadata;
  std::vector<host::Tensor> tensors;
  std::vector<std::string> data;  ///< of each tensor

  /// Throws host::BadFile, or std::out_of_range, where the input has no header.
  explicit FormatParts(const std::string& input);

  /// The header with right lengths and offsets.
  std::string header() const;
};

/// The input of a header and data, with its length and digests right.
std::string mended_format(const std::string& kernel, std::string header,
                          const std::vector<std::string>& data);

class FormatMutator {
 public:
  explicit FormatMutator(std::uint64_t seed) : random_(seed) {}

  /// One mutation: of the content of tensors, of a tensor's length, of a text of the metadata, or
  /// of the header anywhere.
  std::string mutated(FormatParts parts);

  // Not a standard distribution: those differ between libraries.
  std::size_t below(std::size_t count) { return random_() % count; }

 private:
  std::size_t some_tensor(const FormatParts& parts);
  void change_entry(FormatParts& parts);
  void level_run(std::string& data, std::size_t bytes);
  void stretch(FormatParts& parts);
  void change_text(FormatParts& parts);

  std::mt19937_64 random_;
};

}  // namespace alphasparse
