// all_stored: every array that this kernel reads lies in its file, whose entries the loader checks.
#pragma once
#include "templates/host/facts.h"
#include "templates/host/loaded_format.h"

namespace alphasparse::host {

inline void check_computed(const FormatFacts&, const LoadedFormat&) {}

}  // namespace alphasparse::host
