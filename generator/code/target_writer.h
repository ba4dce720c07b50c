// target_writer: the contract between a target and the passes that write a kernel body.
//
// Passes say which work is to be done, and ask the target's writer where the words differ: how
// levels open, how a thread is called, and which slot a tile lives in. A target is one row of
// functions; no pass asks which target it is. Types and functions of fragments are equal on all
// targets, because each target has its own fragments (templates/README.md). The words around a body
// are in generator/arrays/spelling.h and generator/text.
//
// Every function may assume that the store passed its checks and that `open_levels` was called
// first. Functions add values by Slot::bind, which ignores a value that is there.
#pragma once
#include <cstddef>
#include <string>

#include "base/code.h"
#include "generator/code/body.h"
#include "generator/facts/store.h"

namespace alphasparse {

struct Composition;

struct TargetWriter {
  /// Whether the threads of a block are threads of the hardware. They share memory and hold a value
  /// together; their loads wait behind branches and stores. Else the lanes of a gang are one
  /// thread, which is a core's.
  bool simt = false;

  /// Opens a slot for every level, outermost first, and sets the parts of the launch.
  void (*open_levels)(Composition&);

  /// The facts on the outermost parts that tasks need; nothing where no tasks are cut.
  TaskText (*tasks)(Composition&);

  /// The lane in its warp, and in a group of `lanes` lanes that share a row.
  Code (*lane)(Composition&);
  Code (*group_lane)(Composition&, int lanes);

  /// The index of the innermost thread among those of its parent, which is no whole matrix.
  Code (*local_thread)(Composition&, const std::string& thread);

  /// How many threads a warp has, and in which slot a tile is open.
  int (*threads_of_warp)(const Composition&);
  std::size_t (*slot_of_tile)(const Composition&);

  /// The statements that end a functor of a product with `value`: 0 where the functor's `column` is
  /// below 0, for any x.
  Code (*product_or_zero)(const Composition&, const Code& value);
};

}  // namespace alphasparse
