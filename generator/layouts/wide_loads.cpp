#include "generator/layouts/wide_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/code/composition.h"

namespace alphasparse {

std::vector<Code> load_neighbours(Composition& composition, const std::string& array, int width,
                                  Code& text) {
  std::vector<Code> names;
  const int at_once = std::min(width, composition.format.loaded_most(array));
  for (int first = 0; first < width; first += at_once) {
    const std::string vector = first == 0 ? array : fmt::format("{}_{}", array, first);
    const Code index = first == 0 ? "entry" : code("entry + {}", first);
    const VectorRead read = composition.format.read_vector(array, at_once, index);
    text += code("  const {} {} = {};\n", read.type, vector, read.expression);
    for (int k = 0; k < at_once; ++k) names.push_back(code("{}.{}", vector, "xyzw"[k]));
  }
  return names;
}

}  // namespace alphasparse
