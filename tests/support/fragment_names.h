// fragment_names: which fragments there are, for GPUs and for CPUs.
#pragma once
#include <set>
#include <string>

namespace alphasparse {

/// The names in templates/fragments and in templates/lanes, without the endings of their files.
std::set<std::string> fragments_of_gpus();
std::set<std::string> fragments_of_cpus();

/// The fragments that have both forms.
std::set<std::string> paired_fragments();

}  // namespace alphasparse
