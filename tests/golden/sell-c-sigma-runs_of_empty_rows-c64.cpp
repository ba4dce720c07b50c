// sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad |
// interleave | thread_total | global_store | launch tasks=bytes

/// The format, 2924 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [192] value of each stored entry; 0 for a pad
  const int* column_;            // [192] column of each stored entry
  const unsigned* empty_lanes_;  // [5] bit l: lane l has pads alone
  const int* row_origin_;        // [150] row of y of each row

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
  // first stored entry of each warp; linear with a short end
  INLINE int warp_first_entry(int i) const { return min(96 * i, 192); }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
  INLINE Near<int, 32> row_origin(Run<32> i) const { return {row_origin_ + i.first, i.lanes}; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr int stride = 32;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<32> row = (warp * 32 + lane).below(rows);
    const Lanes<32> sum = clear(f.empty_lanes(warp),
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term));
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 95 * std::int64_t{warp};
}
