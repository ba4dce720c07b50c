// compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch
// tasks=bytes

/// The format, 3860 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [480] value of each stored entry; 0 for a pad
  const int* column_;            // [480] column of each stored entry
  const unsigned* empty_lanes_;  // [5] bit l: lane l has pads alone

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr int stride = 160;
  constexpr int stored_entries = 480;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int gang = first_unit; gang < end_unit; ++gang) {
    const Run<32> row = (gang * 32 + lane).below(rows);
    const Lanes<32> sum =
        clear(f.empty_lanes(gang), thread_total(row, stored_entries, stride, term));
    global_store(out, row, sum);
  }
}
