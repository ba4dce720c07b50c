// team: the processes that run a job together. Each has the whole machine to itself and runs its
// share of the blocks of every launch; x, y and scratch are the same memory for all. Only in mode
// plain: an observed run must know the work of every thread.
//
// Sums by atomics come in any order then, as on a GPU.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace alphasparse::emulator {

class Team {
 public:
  /// One process goes on by itself. More are forked, and in each of them this returns true; in the
  /// caller, which runs nothing, it returns false when all have come to part(). Where one ends
  /// before, the others are killed and the caller ends as that one did.
  bool gather(int processes);

  bool is_alone() const { return processes_ == 1; }
  bool is_first() const { return index_ == 0; }

  /// The blocks [first, end) of a launch that this process runs.
  std::pair<std::int64_t, std::int64_t> find_share(std::int64_t blocks) const {
    return {blocks * index_ / processes_, blocks * (index_ + 1) / processes_};
  }

  /// Returns when all have called it.
  void wait();

  /// Ends this process, unless it is alone.
  void part();

 private:
  struct Shared;

  void look_after(const std::vector<pid_t>& members) const;

  int processes_ = 1;
  int index_ = 0;
  Shared* shared_ = nullptr;  ///< of all processes; null: alone
};

}  // namespace alphasparse::emulator
