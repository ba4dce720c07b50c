// reread: the sum of x, again and again - the throughput of the nearest cache that holds x for a
// thread.
struct Format {
  const Value* nothing_;
};

static void reread(const Format&, Input x, Output out, int first_unit, int end_unit) {
  Lanes<64> even{}, odd{};  // so many chains that no addition is waited for
  for (int unit = first_unit; unit < end_unit; ++unit) {
    const Value* const begin = &x[std::size_t(unit % x_units) * unit_values];
    for (const Value* at = begin; at < begin + unit_values; at += 128) {
      even += load(at, Run<64>{});
      odd += load(at + 64, Run<64>{});
    }
  }
  even += odd;
  for (int lane = 0; lane < 64; ++lane) *out.carry += even[lane];
}

static const Part parts[] = {{reread, units, nullptr, nullptr}};
