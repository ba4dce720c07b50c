// mirror_kind: how a matrix' entries give their mirror images.
#pragma once

namespace alphasparse::host {

/// The value of an entry (j, i) off the diagonal, by that of (i, j).
enum class Mirror {
  none,     ///< any
  same,     ///< the same: the matrix is symmetric
  negated,  ///< its negative: the matrix is skew-symmetric
#ifndef ALPHASPARSE_REAL_KERNEL
  conjugate,  ///< its complex conjugate: the matrix is Hermitian
#endif
};

}  // namespace alphasparse::host
