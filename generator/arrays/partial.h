// partial: the sums between the non-zeros and y, and the worker that holds them.
//
// A sum is finished where its holder has all the parts of the row (holder >= owner); otherwise only
// an addition to y is legal. The facts that operators need stand here, apart from the device
// functions that make a partial (fragment.h). So a new role of those functions does not concern the
// store.
#pragma once

namespace alphasparse {

/// Workers, from small to large. `group` is a fixed number of neighbouring lanes of a warp.
enum class Worker { thread, group, warp, block, matrix };

const char* worker_name(Worker worker);

/// The shape of a value between the non-zeros and y.
enum class Shape {
  none,       ///< no reduction yet: the thread's stored positions
  one,        ///< one sum of one row
  head_tail,  ///< a sum for the row open at the start, one for the row open at the end
  done,       ///< every sum has left through emit or edge
};

/// The result of the reduction chain so far.
struct Partial {
  Shape shape = Shape::none;
  Worker holder = Worker::thread;    ///< every thread | lane 0 of a group or warp | thread 0
  Worker owner = Worker::thread;     ///< smallest worker that has all parts of the row
  bool row_by_row = false;           ///< the thread has several rows and is inside a loop over them
  Worker together = Worker::thread;  ///< largest worker with threads that all have parts of one row
};

}  // namespace alphasparse
