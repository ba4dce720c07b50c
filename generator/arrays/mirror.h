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
  const char* image;     ///< its value in a kernel's text, by `value`
};

/// All rows, in the order of Mirror.
inline constexpr std::array<MirrorKind, 4> mirror_kinds = {
    {{"none", "no", "general", ""},
     {"same", "yes", "symmetric", "value"},
     {"negated", "negated", "skew-symmetric", "-value"},
     {"conjugate", "conjugate", "hermitian", "conjugate(value)"}}};

/// Whether a value on the diagonal is its own mirror image, as it has to be.
inline bool is_own_image(Mirror mirror, double value, double imag) {
  return value == host::image_of(mirror, value) && imag == host::image_of_imag(mirror, imag);
}

constexpr const MirrorKind& mirror_kind(Mirror mirror) {
  return mirror_kinds[static_cast<std::size_t>(mirror)];
}

}  // namespace alphasparse
