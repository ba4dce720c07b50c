// read_format: format files read back: the matrix, the arrays and the facts that they hold.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "runtime/formats/stored_format.h"
#include "templates/host/facts.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// The contents of a format file.
struct FormatFile {
  std::shared_ptr<const StoredFormat> read;
  std::string design;
  Dtype dtype = Dtype::f32;
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t stored = 0;
  Mirror mirror = Mirror::none;
  double value_error = 0;  ///< as in the kernel
  Fingerprints fingerprints;
  std::string generator_version;
  std::string prefix;
  std::vector<Array> arrays;  ///< as in the kernel, value_source and doc included
  std::vector<Launch> launches;
  std::vector<std::int32_t> row_first;  ///< [rows + 1], the canonical pattern
  std::vector<std::int32_t> col;        ///< [nnz]
};

/// Reads a format file, whose digests are checked; throws host::BadFile.
FormatFile read_format_file(const std::filesystem::path& path);

/// The canonical matrix, its values taken back from the value arrays (so rounded as they are).
/// Throws host::BadFile where the file leaves a value out, and Error where the pattern is not
/// canonical.
Matrix matrix_of(const FormatFile& file);

/// The facts that a standalone kernel has on its format file, without its source. Points into the
/// kernel.
class LoaderFacts {
 public:
  LoaderFacts(const Kernel& kernel, const host::Header& header);
  LoaderFacts(const LoaderFacts&) = delete;
  LoaderFacts& operator=(const LoaderFacts&) = delete;

  const host::FormatFacts& facts() const { return facts_; }

 private:
  std::string structure_, values_, prefix_;
  std::vector<host::ArrayFacts> arrays_;
  host::FormatFacts facts_;
};

}  // namespace alphasparse
