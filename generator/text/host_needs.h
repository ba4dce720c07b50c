// host_needs: the lines of the host part that a kernel needs. Its emitted file has no others.
//
// In a template of templates/host the lines between "//[ NAME..." and "//]" are for kernels that
// have one of these needs; !NAME stands for those without it. Such parts may lie inside each other.
// In a file for one type of values, no statement asks for the type.
#pragma once
#include <string>
#include <string_view>

#include "generator/arrays/kernel.h"

namespace alphasparse {

/// All needs by default.
struct HostNeeds {
  bool mirrored = true;  ///< one triangle stands for a symmetric matrix
  bool coded = true;     ///< a dictionary of values
  bool singles = true;   ///< values of 64 bits that are stored as float
  bool scratch = true;   ///< workspaces
  bool f32 = true;       ///< values, x and y are floats
  bool f64 = true;       ///< or doubles
  bool shared = true;    ///< the header that several kernels share, not a standalone file
};

HostNeeds host_needs(const Kernel& kernel);

/// A template without the marks and without the lines that these needs leave out.
std::string needed_lines(std::string_view text, const HostNeeds& needs);

}  // namespace alphasparse
