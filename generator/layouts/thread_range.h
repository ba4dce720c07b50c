// thread_range: the offsets from which threads learn where their entries begin, for the layouts
// that read entry by entry.
#pragma once
#include <cstdint>
#include <string>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// The offsets of a level's non-zeros, read at an index.
Code read_offsets(Composition& c, const std::string& part, const Key& key, const Code& index);

/// The arrays UNIT_first_entry and UNIT_first_block say where the entries of each unit begin, or
/// its blocks of `together` entries each.
struct Beginnings {
  const char* of_what = "stored entry";
  const char* suffix = "_first_entry";
  std::int32_t together = 1;
  bool has_blocks() const { return together > 1; }
};

/// The unit with entries that a thread, or several lanes, go through: a row, or the part of one.
struct SharedPart {
  std::string name;
  Key first_nz;
  Code index;  ///< of the unit in the body
};

SharedPart part_of_entries(Composition& c);

/// Lanes that share the entries of a unit, from `first` to `end`. Each takes as many neighbours at
/// a time as are loaded at once.
Range range_of_lanes(Composition& c, const Code& first, const Code& end);

/// Threads with entries one behind the other.
Range range_behind(Composition& c, const std::string& name, const Beginnings& beginnings = {});

/// Threads side by side, with entries in runs.
Range range_side_by_side(Composition& c, const std::string& name, int run,
                         const Beginnings& beginnings = {});

/// The index of a thread under its parent.
Code local_index(Composition& c, const std::string& name);

}  // namespace alphasparse
