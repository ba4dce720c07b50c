// partial: what is on its way from the non-zeros to y, and who holds it.
//
// A sum is finished where its holder has all the parts of the row (holder >= owner); otherwise only
// an addition to y is legal. What operators ask of it stands here, apart from the device functions
// that make it (fragment.h): a new role of theirs is no matter of the store's.
#pragma once

namespace alphasparse {

/// Who works, from small to large. `group` is a fixed number of neighbouring lanes of a warp.
enum class Worker { thread, group, warp, block, matrix };

const char* worker_name(Worker worker);

/// The shape of a value on its way from the non-zeros to y.
enum class Shape {
  none,       ///< no reduction yet: the thread's stored positions
  one,        ///< one sum of one row
  head_tail,  ///< a sum for the row open at the start, one for the row open at the end
  done,       ///< every sum has left through emit or edge
};

/// What the reduction chain has come to.
struct Partial {
  Shape shape = Shape::none;
  Worker holder = Worker::thread;    ///< every thread | lane 0 of a group or warp | thread 0
  Worker owner = Worker::thread;     ///< smallest worker that has all parts of the row
  bool row_by_row = false;           ///< the thread has several rows and is inside a loop over them
  Worker together = Worker::thread;  ///< largest worker whose threads all have parts of one row
};

}  // namespace alphasparse
