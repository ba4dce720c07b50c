// emitted_file: how an emitted file of one target or dialect differs from that of another. A
// further one is a further row.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/text/host_text.h"
#include "generator/text/standalone.h"

namespace alphasparse {

struct EmittedFile {
  std::string_view ending;           ///< of the source file's name: ".cu"
  std::string_view kernels_ending;   ///< of the file with the kernels alone; empty: there is none
  std::string_view kernels_build;    ///< its compiler's command, for an architecture and a file
  std::string_view kernels_library;  ///< the same compiler as a library
  std::string_view kernels_prelude;  ///< in front of the kernels there
  std::string_view remake_device;    ///< the remake command's option; "{}" stands for the threads
  std::string_view same_results;     ///< of kernels that add in one order
  std::string_view c_header;         ///< the template of NAME.h
  std::string_view runtime_header;   ///< the name of the header that kernels share
  std::string_view runtime_define;   ///< chooses the target's part of it
  std::string_view hide, show;       ///< around all that no other file may see; empty where an
                                     ///< unnamed namespace is enough. Of HIP `hide` is its words
  std::string_view program_facts;    ///< where it was tuned: the literal of a name, and the threads

  /// Words of templates of the host part, and their form in the file.
  std::vector<Replacement> replacements;

  /// The kernel as the file has it: nothing of it is seen by others.
  std::string (*kernel)(const Kernel& kernel, Includes& includes);

  /// The launches of one SpMV, where the file names them.
  std::string (*launches)(const Kernel& kernel);
};

const EmittedFile& emitted_file(Target target, Dialect dialect);

inline const EmittedFile& emitted_file(const Kernel& kernel) {
  return emitted_file(kernel.target, kernel.dialect);
}

/// The host part's namespace around some text.
std::string wrap_in_host(const std::string& text);

/// Launches and facts, over which the rest of a file is written.
std::string own_sections(const Kernel& kernel, const StandaloneInfo& info);

}  // namespace alphasparse
