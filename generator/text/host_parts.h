// host_parts: the templates of the host part by their use, each list in the order of its text. A
// standalone file and the header that kernels share are made of the same ones.
#pragma once
#include <string_view>
#include <vector>

#include "base/target.h"

namespace alphasparse {

struct HostParts {
  using Paths = std::vector<std::string_view>;

  Paths interface;     ///< outside of every namespace: of all kernels
  Paths declarations;  ///< the functions of the runtime that a kernel calls
  Paths loading;       ///< the definitions of those functions
  Paths place_values;  ///< kernels of a GPU beside the SpMV, outside of every namespace
  Paths kernel;        ///< over the names of a kernel: its handle
  Paths functions;     ///< its C functions, outside of every namespace
  Paths report;        ///< its program
};

HostParts host_parts(Target target);

}  // namespace alphasparse
