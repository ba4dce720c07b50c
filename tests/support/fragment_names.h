// fragment_names: which fragments there are, for GPUs and for CPUs.
#pragma once
#include <set>
#include <string>

namespace alphasparse {

/// Of templates/fragments and of templates/lanes, without the endings of their files.
std::set<std::string> fragments_of_gpus();
std::set<std::string> fragments_of_cpus();

/// Those that have both.
std::set<std::string> paired_fragments();

}  // namespace alphasparse
