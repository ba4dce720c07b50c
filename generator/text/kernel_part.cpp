#include "generator/text/kernel_part.h"

#include <string_view>

#include "base/result.h"
#include "generator/text/facts_text.h"
#include "generator/text/provenance.h"

namespace alphasparse {

namespace {

/// The kernel's source with nothing in it that another file sees. Its kernels are static outside of
/// the unnamed namespace, because nvcc makes kernels inside one global.
std::string internal_source(const Kernel& kernel) {
  const std::string_view keyword = "extern \"C\" __global__";
  std::string text = kernel.source;
  if (!text.ends_with('\n')) text += "\n";
  const std::size_t before_first = text.rfind("\n\n", text.find(keyword));
  CHECK(before_first != std::string::npos);
  text.insert(before_first + 2, "}  // namespace\n\n");
  return "namespace {\n\n" + replaced(text, {{keyword, "static __global__"}});
}

}  // namespace

std::string kernel_text(const Kernel& kernel, Includes& includes) {
  if (is_cpu(kernel)) return unnamed(without_includes(kernel.source, includes));
  return internal_source(kernel) + "\n";
}

std::string own_sections(const Kernel& kernel, const StandaloneInfo& info) {
  return (is_cpu(kernel) ? "" : launches_text(kernel)) + facts_text(kernel, info);
}

}  // namespace alphasparse
