// templates: the device fragments, the host part and the emulator's shim, as text inside the
// binary.
#pragma once
#include <string_view>
#include <vector>

namespace alphasparse {

/// One file below templates/, whole.
struct Template {
  std::string_view path;  ///< relative to templates/, e.g. "fragments/thread_total.cuh"
  std::string_view text;
};

/// Every embedded file, in the order of their paths.
const std::vector<Template>& embedded_templates();

/// The text of one embedded file. A path that is not embedded is our own mistake and aborts.
std::string_view template_text(std::string_view path);

}  // namespace alphasparse
