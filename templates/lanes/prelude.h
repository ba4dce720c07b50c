// prelude: the value type, a gang of lanes, and the vectors of a task.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

using Value = ALPHASPARSE_VALUE;
constexpr bool is_double = std::is_same_v<Value, double>;

#define INLINE __attribute__((always_inline, unused)) inline

/// In a loop that adds products one by one: else compilers make many at once, by the hardware's
/// gathers, only to take them apart again.
#define ONE_BY_ONE asm("")

INLINE constexpr int min(int a, int b) { return a < b ? a : b; }
INLINE constexpr int max(int a, int b) { return a > b ? a : b; }

// Not 64 with AVX-512: gathers of sixteen columns at a time do not fit into the integer registers.
#if !defined(ALPHASPARSE_VECTOR_BYTES) && defined(__AVX__)
#define ALPHASPARSE_VECTOR_BYTES 32
#elif !defined(ALPHASPARSE_VECTOR_BYTES)
#define ALPHASPARSE_VECTOR_BYTES 16
#endif

/// One Value of each lane of a gang. A gang of G lanes does the work of a GPU's warp: one core
/// works on all of them at once. Neighbours in memory are a Run; any other integer of each lane is
/// an Ints. A number that is the same for all lanes is a plain int or Value. There are `count`
/// registers of `width` lanes; a Mask has an Integer a lane. Loops over parts are unrolled in full
/// (#pragma GCC unroll), so that none lies in memory.
template <int G>
struct Lanes {
  static constexpr int most = ALPHASPARSE_VECTOR_BYTES / sizeof(Value);
  static constexpr int width = G < most ? G : most, count = G / width;
  using Integer = std::conditional_t<is_double, std::int64_t, std::int32_t>;
  typedef Value Vector
      __attribute__((vector_size(width * sizeof(Value)), aligned(sizeof(Value)), may_alias));
  typedef Integer Mask __attribute__((vector_size(width * sizeof(Value))));
  Vector part[count];

  INLINE Value operator[](int lane) const { return part[lane / width][lane % width]; }
};

template <int G>
INLINE Lanes<G>& operator+=(Lanes<G>& a, const Lanes<G>& b) {
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) a.part[p] += b.part[p];
  return a;
}

template <int G>
INLINE Lanes<G> operator*(const Lanes<G>& a, const Lanes<G>& b) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) product.part[p] = a.part[p] * b.part[p];
  return product;
}

template <int G>
INLINE Lanes<G> scaled(const Lanes<G>& lanes, Value factor) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) product.part[p] = lanes.part[p] * factor;
  return product;
}

/// The integers first, first + 1, ...; the first `lanes` of them are in use.
template <int G>
struct Run {
  int first = 0;
  int lanes = G;

  INLINE int operator[](int lane) const { return first + lane; }
  /// Those below `end` alone.
  INLINE Run below(int end) const { return {first, end - first < lanes ? end - first : lanes}; }
  friend INLINE Run operator+(int base, Run run) { return {base + run.first, run.lanes}; }
};

/// One integer of each lane; the first `lanes` of them are in use.
template <int G>
struct Ints {
  static constexpr int gang = G;
  alignas(64) int of[G];
  int lanes = G;

  INLINE int operator[](int lane) const { return of[lane]; }
};

/// Integers that lie side by side in memory: one of each lane, not loaded yet.
template <class T, int G>
struct Near {
  static constexpr int gang = G;
  const T* first;
  int lanes;

  INLINE int operator[](int lane) const { return first[lane]; }
};

/// The result of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE Ints<G> each(Run<G> run, Function function) {
  Ints<G> all;
  all.lanes = run.lanes;
  for (int lane = 0; lane < G; ++lane) all.of[lane] = lane < run.lanes ? function(run[lane]) : 0;
  return all;
}

/// The value of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE Lanes<G> each_value(Run<G> run, Function function) {
  alignas(64) Value all[G];
  for (int lane = 0; lane < G; ++lane) {
    ONE_BY_ONE;  // g++ 12 makes wrong sums of this loop over dictionaries of floats
    all[lane] = lane < run.lanes ? function(run[lane]) : Value(0);
  }
  Lanes<G> lanes;
  std::memcpy(&lanes, all, sizeof lanes);
  return lanes;
}

/// Values side by side in memory. Arrays have slack behind them: all lanes are read, unused ones
/// too.
template <int G>
INLINE Lanes<G> load(const Value* values, Run<G> run) {
  Lanes<G> loaded;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) {
    loaded.part[p] = *reinterpret_cast<const typename Lanes<G>::Vector*>(values + run.first +
                                                                         p * Lanes<G>::width);
  }
  return loaded;
}

/// Narrower values side by side in memory, each of which is widened.
template <int G, class Narrow>
INLINE Lanes<G> load_narrow(const Narrow* values, Run<G> run) {
  using R = Lanes<G>;
  typedef Narrow Several __attribute__((vector_size(R::width * sizeof(Narrow))));
  Lanes<G> loaded;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    Several several;
    std::memcpy(&several, values + run.first + p * R::width, sizeof several);
    loaded.part[p] = __builtin_convertvector(several, typename R::Vector);
  }
  return loaded;
}

/// The first `count` lanes, and 0 in all others: their contents are gone, Inf and NaN too.
template <int G>
INLINE Lanes<G> keep(int count, const Lanes<G>& lanes) {
  using R = Lanes<G>;
  typename R::Mask place;
  for (int l = 0; l < R::width; ++l) place[l] = l;
  Lanes<G> kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    const typename R::Mask lane = place + p * R::width;
    kept.part[p] = lane < typename R::Mask{} + count ? lanes.part[p] : typename R::Vector{};
  }
  return kept;
}

/// 0 in the lanes with their bit set, and the others as they are.
template <int G>
INLINE Lanes<G> clear(std::uint64_t bits, const Lanes<G>& lanes) {
  using R = Lanes<G>;
  constexpr int together = 8 * sizeof(typename R::Integer);  // lanes with bits in one Integer
  Lanes<G> kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    const int first = p * R::width, before = first / together * together;
    typename R::Mask own;
    for (int l = 0; l < R::width; ++l) own[l] = typename R::Integer(1ULL << (first - before + l));
    const typename R::Mask all = typename R::Mask{} + typename R::Integer(bits >> before);
    kept.part[p] = (all & own) != 0 ? typename R::Vector{} : lanes.part[p];
  }
  return kept;
}

/// x: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Value* __restrict__ x;
  static constexpr std::int64_t ld = 1;  // from one column's element to the next
  INLINE const Value& operator[](std::int64_t column) const { return x[ld * column]; }
  INLINE Input operator+(std::int64_t columns) const { return {x + ld * columns}; }
};

/// y = alpha * A * x + beta * y. beta == 0 never reads y. Tasks take their shares of an SpMV at the
/// same time. A task's sum of a row that its neighbour may write waits in its carry.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
  int carry_row;  // the first row of a task; -1: it is the first task
  Value* carry;
  static constexpr std::int64_t ld = 1;  // from one row's element to the next
  INLINE Value& operator[](std::int64_t row) const { return y[ld * row]; }
};
