#include "generator/text/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/wrapped.h"

namespace alphasparse {

std::string text_of(const KernelText& kernel, const std::vector<PointerParameter>& pointers) {
  const bool writes = times_named(kernel.body, "out") > 0;
  const std::string body = (kernel.format.empty() ? "" : wrapped(1, kernel.format)) +
                           (writes ? "  const Output out{y, alpha, beta};\n" : "") + kernel.body;
  std::vector<std::string> parameters;
  const auto take = [&](const std::string& type, const std::string& name, bool is_read) {
    parameters.push_back(is_read ? type + " " + name : type);
  };
  for (const PointerParameter& pointer : pointers)
    take(pointer.type + "* __restrict__", pointer.name, times_named(body, pointer.name) > 0);
  take("const Value* __restrict__", "x", kernel.takes_x && times_named(body, "x") > 0);
  take("Value* __restrict__", "y", writes);
  take("Value", "alpha", writes);
  take("Value", "beta", writes);
  const std::string blocks =
      kernel.blocks_least > 0 ? fmt::format(", {}", kernel.blocks_least) : "";
  return fmt::format("{}// {}\nextern \"C\" __global__ void __launch_bounds__({}{})\n{}{}}}\n",
                     kernel.functions, kernel.about, kernel.threads, blocks,
                     wrapped(2, fmt::format("{}({}) {{", kernel.name, fmt::join(parameters, ", "))),
                     body);
}

}  // namespace alphasparse
