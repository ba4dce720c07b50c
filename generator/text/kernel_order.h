// kernel_order: the order of a kernel's text. The kernel stands in front, behind the types that it
// uses and the declarations of the functions that it calls. Their definitions follow it. Code that
// the kernel does not use is left out.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

struct KernelOrder {
  std::string front;   ///< types and declarations
  std::string behind;  ///< all other definitions, behind a line that says so; or nothing
};

/// Divides the fragments' texts. `kernel` is the text that the front serves: the format and the
/// kernels. `table` stands behind all.
KernelOrder kernel_order(const std::vector<std::string>& fragments, const std::string& kernel,
                         const std::string& table);

/// The place in a kernel's source where the kernels end: that of the definitions behind them, with
/// the empty line in front of these, or of the end.
std::size_t end_of_kernels(std::string_view source);

}  // namespace alphasparse
