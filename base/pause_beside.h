// pause_beside: pauses of the work that threads do beside their callers (work_beside of
// parallel.h).
#pragma once

namespace alphasparse {

/// While it lives, no thread of work_beside works: making it waits until each has ended its current
/// work. A fork needs that, because a child has no other thread that could release a lock. Not to
/// be made inside such a work. Where the same thread calls work_beside meanwhile, that hangs.
class PauseBeside {
 public:
  PauseBeside();
  ~PauseBeside();
  PauseBeside(const PauseBeside&) = delete;
  PauseBeside& operator=(const PauseBeside&) = delete;

 private:
  int exceptions_;
};

/// One work beside a caller. Making it waits until there is no pause.
class WorkBeside {
 public:
  WorkBeside();
  ~WorkBeside();
  WorkBeside(const WorkBeside&) = delete;
  WorkBeside& operator=(const WorkBeside&) = delete;
};

/// One use of a work's result, by the caller of work_beside. A pause that an exception ends in its
/// thread lasts until the use is over: a work that waits learns of the exception before it begins.
class UseBeside {
 public:
  UseBeside();
  ~UseBeside();
  UseBeside(const UseBeside&) = delete;
  UseBeside& operator=(const UseBeside&) = delete;

 private:
  int pauses_before_;
};

}  // namespace alphasparse
