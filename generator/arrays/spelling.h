// spelling: the words in which the sources of targets and dialects differ. A further one is a
// further row.
#pragma once
#include <string_view>

#include "base/target.h"

namespace alphasparse {

struct Spelling {
  std::string_view inlined;            ///< in front of a function that is compiled into its callers
  std::string_view fragment_folder;    ///< of templates: "fragments/"
  std::string_view fragment_ending;    ///< ".cuh"
  std::string_view kept_directive;     ///< lines of fragments that begin so stay, other '#' go
  std::string_view dropped_directive;  ///< where all others stay; empty: none does
  std::string_view streamed;         ///< around the address of a load that caches need not keep, or
                                     ///< empty: loads are plain
  bool reads_pairs = false;          ///< two neighbours are one load
  bool divides_unsigned = false;     ///< a sign costs instructions where an index is divided
  bool names_unread = false;         ///< compilers do not warn of an argument that nothing reads
  std::string_view epilogue_to_add;  ///< the epilogue for rows that an earlier launch has written
  std::string_view compiler;         ///< and its options; "{}" stands for the architecture
  /// The second number of __launch_bounds__ by which a multiprocessor holds so many blocks of so
  /// many threads at once; null of CPUs.
  int (*second_bound)(int threads, int blocks) = nullptr;
};

const Spelling& find_spelling(Target target, Dialect dialect = Dialect::cuda);

}  // namespace alphasparse
