// csr5: one warp a tile of 32 x 16 entries; a bit says where a row starts. Rows that lie inside a tile
// are stored by it, rows at its edges are added to the values that the first launch has set.
struct Format {
  const int* tile_segment;         // [tiles] non-empty row that is open where the tile starts, or -1
  const unsigned* starts;          // [32 * tiles] bit k: entry k of the thread starts a row
  const unsigned short* segment;   // [32 * tiles] open segment where the thread starts, in the tile
  const int* segment_row;          // [non-empty rows]
  const int* column;               // [512 * tiles] entry k of lane l at 32 * k + l
  const Value* value;              // [512 * tiles]
};

constexpr unsigned all_lanes = 0xffffffffu;

extern "C" __global__ void __launch_bounds__(128)
    initialise(const int*, const unsigned*, const unsigned short*, const int*, const int*,
               const Value*, const Value*, Value* y, Value, Value beta) {
  const int row = blockIdx.x * 128 + threadIdx.x;
  if (row < ROWS) y[row] = beta == 0 ? Value(0) : beta * y[row];
}

extern "C" __global__ void __launch_bounds__(128)
    spmv(const int* tile_segment, const unsigned* starts_of, const unsigned short* segment_of,
         const int* segment_row, const int* column, const Value* value,
         const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{tile_segment, starts_of, segment_of, segment_row, column, value};
  const Input x{x_};
  const Output out{y, alpha, beta};
  const int tile = blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (tile >= TILES) return;
  const unsigned starts = f.starts[tile * 32 + lane];
  int segment = f.tile_segment[tile] + f.segment[tile * 32 + lane];
  const auto add = [&](int at, Value sum) {
    if (at >= 0) atomicAdd(&out[f.segment_row[at]], out.alpha * sum);
  };
  const int first_segment = segment;
  Value head = 0, sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    if (starts >> k & 1u) {
      if (segment == first_segment) {
        head = sum;
      } else {
        out[f.segment_row[segment]] += out.alpha * sum;
      }
      ++segment;
      sum = 0;
    }
    const int entry = tile * 512 + k * 32 + lane;
    sum += __ldcs(f.value + entry) * x[f.column[entry]];
  }
  const bool begins = segment != first_segment;
  if (!begins) head = sum;
  const unsigned later = __ballot_sync(all_lanes, begins) & ~1u << lane;
  const int stop = later ? __ffs(later) - 1 : 31;
  Value heads = __shfl_down_sync(all_lanes, head, 1);
  if (lane == stop) heads = 0;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const Value next = __shfl_down_sync(all_lanes, heads, step);
    if (lane + step < stop) heads += next;
  }
  if (lane == 0) add(first_segment, begins ? head : head + heads);
  if (begins) {
    if (later) {
      out[f.segment_row[segment]] += out.alpha * (sum + heads);
    } else {
      add(segment, sum + heads);
    }
  }
}
