#include "generator/text/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/wrapped.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

WrittenKernel written(const KernelText& kernel, const std::vector<PointerParameter>& pointers,
                      const Operands& operands) {
  const bool reads_x = kernel.takes_x && kernel.body.reads("x"), writes = kernel.body.reads("out");
  Code body = Code::plain(kernel.format.empty() ? "" : wrapped(1, kernel.format.text()));
  body.read_too(kernel.format);
  const bool has_rows = operands.vectors > 1;
  if (reads_x) body += has_rows ? "  const Input x{x_, ldx};\n" : "  const Input x{x_};\n";
  if (writes)
    body += has_rows ? "  const Output out{y, alpha, beta, ldy};\n"
                     : "  const Output out{y, alpha, beta};\n";
  body += kernel.body;
  std::vector<std::string> parameters;
  const auto take = [&](const std::string& type, const std::string& name, bool is_read) {
    parameters.push_back(is_read ? type + " " + name : type);
  };
  for (const PointerParameter& pointer : pointers)
    take(pointer.type + "* __restrict__", pointer.name, body.reads(pointer.name));
  const std::string number = operands.memory_type();
  take("const " + number + "* __restrict__", "x_", reads_x);
  if (has_rows) take("long long", "ldx", reads_x);
  take(number + "* __restrict__", "y", writes);
  if (has_rows) take("long long", "ldy", writes);
  take(number, "alpha", writes);
  take(number, "beta", writes);
  const Spelling& spelling = find_spelling(Target::gpu, operands.dialect);
  const std::string blocks =
      kernel.blocks_least > 0
          ? fmt::format(", {}", spelling.second_bound(kernel.threads, kernel.blocks_least))
          : "";
  const std::string above = fmt::format("// {}\n", kernel.description);
  const std::size_t comment = kernel.functions.size();
  const std::string text = fmt::format(
      "{}{}{} __global__ void __launch_bounds__({}{})\n{}{}}}\n", kernel.functions, above,
      kernel_linkage, kernel.threads, blocks,
      wrapped(2, fmt::format("{}({}) {{", kernel.name, fmt::join(parameters, ", "))), body.text());
  return {text, {.comment = comment, .declaration = comment + above.size()}};
}

}  // namespace alphasparse
