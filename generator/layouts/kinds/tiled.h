// tiled: the parameters of a tiled layout, for the parts that place, read and check it.
#pragma once
#include <string>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

const Tiled& tiled(const Store& store);

/// Neighbours of a thread that stay together, at least 1.
int run_of(const Store& store);

/// A thread's positions are a multiple of it.
int multiple_of(const Store& store);

/// Whether a padded thread reads no further than its own non-zeros.
bool stops_alone(const Store& store);

/// The first position of a thread that does not hold its entry (LayoutKind::fault).
std::string tiled_fault(const Store& store, const Layout& layout);

}  // namespace alphasparse
