// gather_runs: loads runs of x that ends at a page that nobody may read, and counts the differences
// from x itself. tests/templates/gather_runs_test.cpp puts the fragment's text in front.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace {

constexpr int columns_of_x = 301, rounds = 33;
int differences = 0;

/// x's elements, whose sums have no rounding.
const Value* x_before_a_guard() {
  const long page = sysconf(_SC_PAGESIZE);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const guard = static_cast<char*>(memory) + page;
  if (mprotect(guard, page, PROT_NONE) != 0) return nullptr;
  Value* const x = reinterpret_cast<Value*>(guard) - columns_of_x;
  for (int i = 0; i < columns_of_x; ++i) x[i] = Value(i + 1);
  return x;
}

template <int W, class Columns, int G>
void compare(Input x, const Columns& columns, const int (&expected)[G], int lanes) {
  const auto runs = gather_runs<W>(x, columns);
  const auto sums = sums_of_runs<W>(runs);
  for (int lane = 0; lane < lanes; ++lane) {
    Value sum = 0;
    for (int c = 0; c < W; ++c) {
      sum += x[expected[lane] + c];
      differences += runs[lane * W + c] != x[expected[lane] + c];
    }
    differences += sums[lane] != sum;
  }
}

/// In each round some lane's run is x's last one.
template <int W, int G>
void compare_all(Input x) {
  constexpr int last = columns_of_x - W, slack = 16;
  for (int round = 0; round < rounds; ++round) {
    int expected[G], neighbours[G];
    int wide[G + slack] = {};
    unsigned short narrow[G + slack] = {};
    Ints<G> ints;
    const int lanes = 1 + round % G;
    for (int lane = 0; lane < G; ++lane) {
      expected[lane] = lane == round % G ? last : (round * 7 + lane * 13) % last;
      wide[lane] = ints.of[lane] = expected[lane];
      narrow[lane] = static_cast<unsigned short>(expected[lane]);
      neighbours[lane] = last - lanes + 1 + lane;
    }
    compare<W>(x, Near<int, G>{wide, G}, expected, G);
    compare<W>(x, Near<unsigned short, G>{narrow, G}, expected, G);
    compare<W>(x, ints, expected, G);
    compare<W>(x, Run<G>{last - lanes + 1, lanes}, neighbours, lanes);
  }
}

template <int G>
void compare_gang(Input x) {
  compare_all<2, G>(x);
  compare_all<4, G>(x);
  compare_all<8, G>(x);
  compare_all<16, G>(x);
}

}  // namespace

int main() {
  const Value* const x = x_before_a_guard();
  if (x == nullptr) return 1;
  compare_gang<8>({x});
  compare_gang<32>({x});
  std::printf("%d differences\n", differences);
  return 0;
}
