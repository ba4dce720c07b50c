#include "tests/fuzz/host_grid.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>
#include <vector>

#include "base/result.h"

namespace alphasparse {
namespace {

// AddressSanitizer clears its records of a whole stack at each switch, so stacks are small.
constexpr std::size_t stack_bytes = std::size_t{1} << 15;
constexpr std::size_t guard_bytes = std::size_t{1} << 12;  ///< below it: no page
constexpr int warp_size = 32;

enum class Wait { none, block, warp, done };

/// The value that a thread brings to the threads that it meets, and the result that it gets.
struct Offer {
  unsigned long long bits = 0;
  int argument = 0, width = 32, kind = 0;
  bool predicate = false;
};

struct Fiber {
  ucontext_t context;
  Wait wait = Wait::none;
  Offer offer;
  unsigned long long answer = 0;
};

class Grid {
 public:
  bool run(int blocks, int threads, const std::function<void()>& kernel) {
    kernel_ = &kernel;
    threads_ = threads;
    reserve(threads);
    bool ended = true;
    for (block_ = 0; block_ < blocks; ++block_) ended = run_block() && ended;
    return ended;
  }

  /// The thread that runs waits until all threads that it meets have come.
  unsigned long long meet(Wait whom, const Offer& offer) {
    Fiber& self = fibers_[current_];
    self.wait = whom;
    self.offer = offer;
    swapcontext(&self.context, &scheduler_);
    return fibers_[current_].answer;
  }

  int block() const { return block_; }
  int thread() const { return current_; }
  int threads() const { return threads_; }

 private:
  void reserve(int threads) {
    while (static_cast<int>(stacks_.size()) < threads) {
      void* const memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      CHECK(memory != MAP_FAILED && mprotect(memory, guard_bytes, PROT_NONE) == 0);
      stacks_.push_back(static_cast<char*>(memory) + guard_bytes);
    }
    fibers_.resize(stacks_.size());
  }

  static void enter();

  /// A function of its own: getcontext may return twice, as far as the compiler knows.
  [[gnu::noinline]] void begin(Fiber& fiber, void* stack) {
    fiber.wait = Wait::none;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {stack, 0, stack_bytes};
    fiber.context.uc_link = &scheduler_;
    makecontext(&fiber.context, enter, 0);
  }

  bool run_block() {
    for (int t = 0; t < threads_; ++t) begin(fibers_[t], stacks_[t]);
    for (;;) {
      run_all();
      if (all(0, threads_, Wait::done)) return true;
      bool met = false;
      for (int first = 0; first < threads_; first += warp_size) {
        if (!all(first, first + warp_size, Wait::warp)) continue;
        answer_warp(first);
        met = true;
      }
      if (!met && all(0, threads_, Wait::block)) {
        answer_block();
        met = true;
      }
      if (!met) return false;
    }
  }

  void run_all() {
    for (current_ = 0; current_ < threads_; ++current_) {
      if (fibers_[current_].wait == Wait::none)
        swapcontext(&scheduler_, &fibers_[current_].context);
    }
  }

  /// Whether all that have not ended wait so; of a wait that is not the end, one at least.
  bool all(int first, int end, Wait wait) const {
    bool any = wait == Wait::done;
    for (int t = first; t < end; ++t) {
      if (fibers_[t].wait == wait) any = true;
      if (fibers_[t].wait != wait && fibers_[t].wait != Wait::done) return false;
    }
    return any;
  }

  void answer_block() {
    int count = 0, present = 0;
    for (int t = 0; t < threads_; ++t) {
      if (fibers_[t].wait != Wait::block) continue;
      ++present;
      count += fibers_[t].offer.predicate;
    }
    for (int t = 0; t < threads_; ++t) {
      Fiber& fiber = fibers_[t];
      if (fiber.wait != Wait::block) continue;
      fiber.answer = fiber.offer.kind == 0   ? count
                     : fiber.offer.kind == 1 ? count == present
                                             : count > 0;
      fiber.wait = Wait::none;
    }
  }

  void answer_warp(int first) {
    unsigned ballot = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
      const Fiber& fiber = fibers_[first + lane];
      if (fiber.wait == Wait::warp && fiber.offer.predicate) ballot |= 1u << lane;
    }
    for (int lane = 0; lane < warp_size; ++lane) {
      Fiber& fiber = fibers_[first + lane];
      if (fiber.wait != Wait::warp) continue;
      fiber.answer = fiber.offer.kind < 0 ? ballot : shuffled(first, lane, fiber.offer);
    }
    for (int lane = 0; lane < warp_size; ++lane) {
      if (fibers_[first + lane].wait == Wait::warp) fibers_[first + lane].wait = Wait::none;
    }
  }

  unsigned long long shuffled(int first, int lane, const Offer& offer) const {
    const int base = lane / offer.width * offer.width, argument = offer.argument;
    int from = lane;
    if (offer.kind == 0) from = base + (argument & (offer.width - 1));
    if (offer.kind == 1 && lane - argument >= base) from = lane - argument;
    if (offer.kind == 2 && lane + argument < base + offer.width) from = lane + argument;
    if (offer.kind == 3) from = lane ^ argument;
    return fibers_[first + (from & 31)].offer.bits;
  }

  const std::function<void()>* kernel_ = nullptr;
  int block_ = 0, current_ = 0, threads_ = 0;
  ucontext_t scheduler_;
  std::vector<void*> stacks_;
  std::vector<Fiber> fibers_;
};

Grid& grid() {
  static Grid all;
  return all;
}

void Grid::enter() {
  (*grid().kernel_)();
  grid().fibers_[grid().current_].wait = Wait::done;
}

unsigned long long meet_warp(Offer offer) { return grid().meet(Wait::warp, offer); }

}  // namespace

bool run_grid(int blocks, int threads, const std::function<void()>& kernel) {
  CHECK(threads % warp_size == 0);
  return grid().run(blocks, threads, kernel);
}

}  // namespace alphasparse

/// The functions that the emulator's shim calls (templates/emulator).
extern "C" {

struct uint3 {
  unsigned x, y, z;
};

uint3 emulator_thread_index() {
  return {static_cast<unsigned>(alphasparse::grid().thread()), 0, 0};
}
uint3 emulator_block_index() { return {static_cast<unsigned>(alphasparse::grid().block()), 0, 0}; }
uint3 emulator_block_size() { return {static_cast<unsigned>(alphasparse::grid().threads()), 1, 1}; }

void emulator_block_barrier(int) { alphasparse::grid().meet(alphasparse::Wait::block, {}); }
int emulator_block_vote(int predicate, int kind, int) {
  return static_cast<int>(
      alphasparse::grid().meet(alphasparse::Wait::block, {0, 0, 32, kind, predicate != 0}));
}
void emulator_warp_barrier(unsigned, int) { alphasparse::meet_warp({}); }
unsigned long long emulator_shuffle(unsigned, unsigned long long bits, int argument, int width,
                                    int kind, int) {
  return alphasparse::meet_warp({bits, argument, width, kind, false});
}
unsigned emulator_ballot(unsigned, int predicate, int) {
  return static_cast<unsigned>(alphasparse::meet_warp({0, 0, 32, -1, predicate != 0}));
}
void emulator_fence() {}
void emulator_copy_vector(void* to, const void* from, unsigned bytes) {
  std::memmove(to, from, bytes);
}

float emulator_atomicAdd_f32(float* address, float operand) {
  const float before = *address;
  *address += operand;
  return before;
}
double emulator_atomicAdd_f64(double* address, double operand) {
  const double before = *address;
  *address += operand;
  return before;
}
}
