// stacks: the stacks of the fibers, one a lane that is under way, each with a guard below it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace alphasparse::emulator {

/// Leaves the running stack, storing its pointer in *save, and goes on at `load`.
extern "C" void emulator_switch(void** save, void* load);

/// One address range holds all stacks, so that "is this a variable of a lane" is one comparison.
class Stacks {
 public:
  Stacks();

  /// The top of a free stack; its neighbours' tops lie in other cache sets. Aborts where 1024 are
  /// taken.
  char* take();
  void give(char* top) { free_.push_back(top); }

  std::uintptr_t low() const { return low_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::uintptr_t low_ = 0;
  std::size_t bytes_ = 0;
  std::vector<char*> free_;
  int made_ = 0;
};

/// A new fiber on the stack `top`: the registers that emulator_switch loads to enter `body`, which
/// never returns.
void* prepare_fiber(char* top, void (*body)());

}  // namespace alphasparse::emulator
