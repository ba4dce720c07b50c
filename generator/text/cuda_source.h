// cuda_source: the kernels of a source for GPUs, one a launch, around the bodies of branches.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/text/branch.h"
#include "generator/text/kernel_text.h"

namespace alphasparse {

/// Collects the kernels, in the order of their launches.
class CudaSource {
 public:
  static constexpr const char* goes_first = "launched first";
  static constexpr const char* goes_before_reads = "launched before it is read";
  /// Whether several writers of a row may come in any order.
  static constexpr bool adds_in_any_order = true;
  /// The launches of all passes over A.
  static std::vector<Launch> split_passes(const std::vector<Launch>& launches,
                                          const Operands& operands);
  static constexpr bool has_carries = true;

  explicit CudaSource(const std::vector<Store>&) {}

  /// Fragments in front of all others, and behind them.
  std::vector<std::string_view> first_fragments() const { return {}; }
  std::vector<std::string_view> last_fragments() const { return {}; }

  /// Bodies that are added from now on read x from a workspace.
  void gather_x() { gathers_ = true; }

  void add_by_index(const IndexLaunch& launch);
  /// The branches of one launch; those of several are fused.
  void add_group(const Group& group);
  /// The launch behind a branch's own: rows that its tiles share.
  void add_carries(const Branch& branch, const Code& body, std::int64_t blocks);

  std::vector<Launch>& launches() { return launches_; }

  /// Adds all kernels, which take the pointers of the complete format, to its source.
  void append_to(Kernel& complete, const FormatStruct& format);

  /// The end of the source.
  std::string table() const { return ""; }

 private:
  void add_fused(const Group& group);
  /// The body reads the arrays of `branch` as f; of null, those of the whole, which fused branches
  /// share.
  void append(KernelText kernel, const Branch* branch, std::int64_t blocks);

  std::vector<Launch> launches_;
  std::vector<std::pair<KernelText, const Branch*>> texts_;
  bool gathers_ = false;
};

}  // namespace alphasparse
