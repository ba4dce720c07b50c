#include "tests/support/fragment_names.h"

#include "templates/templates.h"

namespace alphasparse {

namespace {

/// The names of the files of a folder of templates, without those of folders in it.
std::set<std::string> names_in(const std::string& folder, const std::string& suffix) {
  std::set<std::string> names;
  for (const Template& file : embedded_templates()) {
    const std::string path(file.path);
    if (!path.starts_with(folder + "/") || !path.ends_with(suffix)) continue;
    if (path.find('/', folder.size() + 1) != std::string::npos) continue;
    names.insert(path.substr(folder.size() + 1, path.size() - folder.size() - 1 - suffix.size()));
  }
  return names;
}

}  // namespace

std::set<std::string> fragments_of_gpus() { return names_in("fragments", ".cuh"); }

std::set<std::string> fragments_of_cpus() { return names_in("lanes", ".h"); }

std::set<std::string> paired_fragments() {
  std::set<std::string> paired;
  const std::set<std::string> lanes = fragments_of_cpus();
  for (const std::string& name : fragments_of_gpus()) {
    if (lanes.contains(name)) paired.insert(name);
  }
  return paired;
}

}  // namespace alphasparse
