// read: the sum of x - the throughput of memory where nothing is written.
struct Format {
  const Value* nothing_;
};

static void read(const Format&, Input x, Output out, int first_unit, int end_unit) {
  Lanes<64> sum{};
  const Value* const end = &x[std::size_t(end_unit) * unit_values];
  for (const Value* at = &x[std::size_t(first_unit) * unit_values]; at < end; at += 64) {
    sum += load(at, Run<64>{});
  }
  for (int lane = 0; lane < 64; ++lane) *out.carry += sum[lane];
}

static const Part parts[] = {{read, units, nullptr, nullptr}};
