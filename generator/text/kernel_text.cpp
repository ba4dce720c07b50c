#include "generator/text/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/wrapped.h"

namespace alphasparse {

WrittenKernel written(const KernelText& kernel, const std::vector<PointerParameter>& pointers) {
  const bool reads_x = kernel.takes_x && kernel.body.reads("x"), writes = kernel.body.reads("out");
  Code body = Code::plain(kernel.format.empty() ? "" : wrapped(1, kernel.format.text()));
  body.read_too(kernel.format);
  if (reads_x) body += "  const Input x{x_};\n";
  if (writes) body += "  const Output out{y, alpha, beta};\n";
  body += kernel.body;
  std::vector<std::string> parameters;
  const auto take = [&](const std::string& type, const std::string& name, bool is_read) {
    parameters.push_back(is_read ? type + " " + name : type);
  };
  for (const PointerParameter& pointer : pointers)
    take(pointer.type + "* __restrict__", pointer.name, body.reads(pointer.name));
  take("const Value* __restrict__", "x_", reads_x);
  take("Value* __restrict__", "y", writes);
  take("Value", "alpha", writes);
  take("Value", "beta", writes);
  const std::string blocks =
      kernel.blocks_least > 0 ? fmt::format(", {}", kernel.blocks_least) : "";
  const std::string above = fmt::format("// {}\n", kernel.about);
  const std::size_t comment = kernel.functions.size();
  const std::string text = fmt::format(
      "{}{}{} __global__ void __launch_bounds__({}{})\n{}{}}}\n", kernel.functions, above,
      kernel_linkage, kernel.threads, blocks,
      wrapped(2, fmt::format("{}({}) {{", kernel.name, fmt::join(parameters, ", "))), body.text());
  return {text, {.comment = comment, .declaration = comment + above.size()}};
}

}  // namespace alphasparse
