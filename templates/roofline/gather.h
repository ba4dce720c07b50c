// gather: elements of x at random places, a cache line each, several at a time.
struct Format {
  const Value* nothing_;
};

static void gather_lines(const Format&, Input x, Output out, int first_unit, int end_unit) {
  std::uint32_t state = 2654435761u * (first_unit + 1);
  Value sums[8] = {};
  for (int unit = first_unit; unit < end_unit; ++unit) {
    for (int k = 0; k < gathers; k += 8) {
      for (int way = 0; way < 8; ++way) {
        state = state * 1664525u + 1013904223u;
        sums[way] += x[std::size_t(state >> (32 - line_bits)) * line_values];
      }
    }
  }
  for (const Value sum : sums) *out.carry += sum;
}

static const Part parts[] = {{gather_lines, units, nullptr, nullptr}};
