// compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch
// tasks=bytes

/// The format, 21760 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [2720] value of each stored entry; 0 for a pad
  const int* column_;   // [2720] column of each stored entry

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 17: a task's share.
static void spmv(const Format& f, const Value* __restrict__ x, const Output out, int first_unit,
                 int end_unit) {
  constexpr int rows = 529;
  constexpr int stride = 544;
  constexpr int stored_entries = 2720;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int gang = first_unit; gang < end_unit; ++gang) {
    const Run<32> row = (gang * 32 + lane).below(rows);
    const Lanes<32> sum = thread_total(row, stored_entries, stride, term);
    global_store(out, row, sum);
  }
}
