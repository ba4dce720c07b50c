// mirror: the ways in which an entry gives its mirror image, and their words.
#pragma once
#include <array>
#include <cstddef>

#include "templates/host/mirror.h"

namespace alphasparse {

using host::Mirror;

struct MirrorKind {
  const char* name;      ///< of the enumerator
  const char* in_files;  ///< the value of a format file's key "mirrored"
  const char* matrix;    ///< as Matrix Market spells it
  const char* sign;      ///< of the image's product in a kernel's text: "" or "-"
};

/// All rows, in the order of Mirror.
inline constexpr std::array<MirrorKind, 3> mirror_kinds = {
    {{"none", "no", "general", ""},
     {"same", "yes", "symmetric", ""},
     {"negated", "negated", "skew-symmetric", "-"}}};

constexpr const MirrorKind& mirror_kind(Mirror mirror) {
  return mirror_kinds[static_cast<std::size_t>(mirror)];
}

}  // namespace alphasparse
