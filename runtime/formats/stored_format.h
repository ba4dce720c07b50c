// stored_format: reads NAME.safetensors, whole and checked: its arrays, those that kernels compute,
// and the rules by which it takes other values (format_file.h).
//
// Digests do not tell a file of ours from a forged one. So each index that is followed here is
// checked, and a file with others is rejected.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/number_type.h"
#include "templates/host/values.h"

namespace alphasparse {

class StoredFormat {
 public:
  /// Throws host::BadFile.
  explicit StoredFormat(std::string path);
  StoredFormat(const StoredFormat&) = delete;
  StoredFormat& operator=(const StoredFormat&) = delete;

  const std::string& path() const { return path_; }
  const host::FormatFacts& facts() const { return facts_; }
  const host::Header& header() const { return header_; }  ///< with the bytes of all tensors
  Dtype dtype() const { return dtype_; }
  const std::vector<host::ArrayFacts>& arrays() const { return arrays_; }
  const std::vector<std::string>& array_names() const { return names_; }
  const std::vector<Workspace>& workspaces() const { return workspaces_; }
  const std::vector<Launch>& launches() const { return launches_; }
  std::size_t vectors() const { return vectors_; }  ///< that its kernel multiplies at once

  bool is_rounded() const {  ///< some values stand for other ones
    return std::any_of(arrays_.begin(), arrays_.end(), [](const auto& one) { return one.rounded; });
  }

  /// The arrays that no tensor has: those of formulas, then columns that are steps.
  std::vector<std::string> computed_names() const;

  /// All entries of one of them: numbers of a dictionary where `holds_floats`, else integers. Wide
  /// is double, or Number where values are complex. Throws host::BadFile where a formula leads
  /// nowhere.
  template <class Wide>
  std::vector<Wide> computed(const std::string& name) const;
  bool holds_floats(const std::string& name) const { return find_dictionary(name) != nullptr; }

  bool is_complex() const { return host::has_pairs(facts_); }  ///< of values: see Operands

  /// The matrix' values in canonical order, as the format has them. Wide likewise. Throws
  /// host::BadFile where some are part of the kernel.
  template <class Wide>
  std::vector<Wide> values() const;

  /// Calls store(i, bytes) for each value array i with other values, [nnz] of their type. Throws
  /// host::StatusError where the format cannot hold them.
  void replace_values(
      const void* canonical,
      const std::function<void(std::size_t, const std::vector<unsigned char>&)>& store) const;

  /// The file with other values, and the fingerprint of those. Throws likewise, and host::BadFile.
  std::string with_values(const void* canonical, const std::string& fingerprint) const;

  /// Throws host::BadFile where the file is not the one that the text of a kernel, NAME.kernel.cu,
  /// states (kernel_metadata.h). `source` names the text.
  void check_kernel(const std::string& text, const std::string& source) const;

 private:
  const host::Tensor* find_dictionary(const std::string& name) const;
  const host::Tensor& tensor(const std::string& name) const;
  std::span<const std::int32_t> integers(const std::string& name) const;
  void read_metadata();
  void check() const;
  std::int64_t entries_most() const;
  void check_pattern() const;
  host::HeldValues held() const;
  std::int64_t entry(const std::string& name, std::int64_t i, int depth) const;
  std::int64_t evaluated(const Expression& expression, std::int64_t i, int depth = 0) const;
  std::vector<double> walked(const StepWalk& walk) const;

  std::string path_;
  host::Header header_;
  Dtype dtype_ = default_dtype;
  std::vector<host::ArrayFacts> arrays_;
  std::vector<std::string> names_;  // of the arrays, whose facts point there
  host::FormatFacts facts_ = {};
  std::map<std::string, ComputedArray> computed_;
  std::vector<StepWalk> steps_;
  std::vector<std::string> order_;  // of the computed arrays
  std::vector<Workspace> workspaces_;
  std::vector<Launch> launches_;
  std::size_t vectors_ = 1;
};

}  // namespace alphasparse
