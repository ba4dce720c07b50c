// templates: the device fragments and the host part, as text inside the binary; other folders embed
// files of their own.
#pragma once
#include <string_view>
#include <vector>

namespace alphasparse {

/// One embedded file, whole.
struct Template {
  std::string_view path;  ///< relative to its folder, e.g. "fragments/thread_total.cuh"
  std::string_view text;
};

/// Every file of this folder, in the order of their paths.
const std::vector<Template>& embedded_templates();

/// Whether a file of this folder has the path.
bool has_template(std::string_view path);

/// The text of one embedded file. A path that is not embedded is our own mistake and aborts.
std::string_view template_text(std::string_view path,
                               const std::vector<Template>& files = embedded_templates());

}  // namespace alphasparse
