// archive_member: the one file of an archive that holds the matrix, and is not a companion of it.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/matrix_file.h"

namespace alphasparse {

/// A file out of an archive.
struct ArchiveMember {
  std::string bytes;
  std::string location;  ///< "file:member", for messages
  std::string rest;      ///< of the request: a variable of a MATLAB file in the archive
};

/// The file that `member` names - its path, the end of its path, or its name without endings - or
/// the only one that is a matrix by its content. Throws Error (exit 2): none, several, which one
/// line lists, or damaged; and require_time.
ArchiveMember archive_member(std::string_view archive, const std::string& name,
                             const std::string& member, const ReadLimits& limits,
                             const ReadNote& note);

}  // namespace alphasparse
