// cpu_source: the parts of a source for CPUs, one behind the other, of which every task runs its
// share (templates/lanes/part.h).
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/text/branch.h"

namespace alphasparse {

/// Collects the parts, in the order in which they run.
class CpuSource {
 public:
  static constexpr const char* goes_first = "run first";
  static constexpr const char* goes_before_reads = "before it is read";
  /// Whether several writers of a row may come in any order.
  static constexpr bool adds_in_any_order = false;
  /// Passes over A are the team's.
  static std::vector<Launch> split_passes(std::vector<Launch> launches, const Operands&) {
    return launches;
  }
  static constexpr bool has_carries = false;

  explicit CpuSource(const std::vector<Store>& branches);

  /// Fragments in front of all others, and behind them.
  std::vector<std::string_view> first_fragments() const;
  std::vector<std::string_view> last_fragments() const;

  /// Bodies that are added from now on read x from a workspace.
  void gather_x() { gathers_ = true; }

  void add_by_index(const IndexLaunch& launch);
  /// The one branch of a part, and the functions by which its tasks are cut.
  void add_group(const Group& group);

  std::vector<Launch>& launches() { return launches_; }

  /// Adds all parts to its source.
  void append_to(Kernel& complete, const FormatStruct&) const { complete.source += parts_; }

  /// The end of the source: the table of all parts.
  std::string table() const;

 private:
  void append(const std::string& name, std::int64_t parts, const std::string& text);

  std::vector<Launch> launches_;
  std::string parts_;
  std::map<std::string, std::string> functions_;  ///< of tasks, as in a Part, by the part's name
  std::map<std::string, std::string> end_rows_;   ///< likewise, of parts with mirror images
  bool mirrored_;                                 ///< one triangle is stored
  std::int32_t rows_;                             ///< of y
  bool in_order_;                                 ///< nearly all of x is read in order
  bool of_one_task_;                              ///< one task runs each branch
  bool gathers_ = false;
};

}  // namespace alphasparse
