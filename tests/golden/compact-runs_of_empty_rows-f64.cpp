// sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave |
// thread_total | global_store | compact exceptions=8 | launch tasks=bytes

/// The format, 451 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;  // [192] code of each stored entry's value
  // [12] the distinct values; 0 for pads; exact as float
  const float* value_dictionary_;
  // [12] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* column_runs_;
  const unsigned char* column_shift_offset_;  // [66] distance of each entry from its line
  const unsigned* empty_lanes_;               // [5] bit l: lane l has pads alone
  // [10] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* row_origin_runs_;
  const unsigned char* row_origin_shift_offset_;  // [37] distance of each entry from its line

  INLINE Near<unsigned char, 32> value_code(Run<32> i) const {
    return {value_code_ + i.first, i.lanes};
  }
  template <class Codes>
  INLINE auto value_dictionary(const Codes& i) const {
    return gather(value_dictionary_, i);
  }
  // value of each stored entry; a dictionary
  INLINE Lanes<32> value(Run<32> i) const { return value_dictionary(value_code(i)); }
  // column of each stored entry; runs of neighbours
  INLINE int column(int i) const {
    return column_shift(run_number(column_runs(2 * (i / 32)), column_runs(2 * (i / 32) + 1),
        i % 32)) + i;
  }
  INLINE Ints<32> column(Run<32> i) const {
    return each(i, [&](int entry) { return column(entry); });
  }
  INLINE unsigned column_runs(int i) const { return column_runs_[i]; }
  // what the entries of each run are above their index; 8 bits above a line for each 64
  INLINE int column_shift(int i) const {
    return column_shift_base(i / 64) + column_shift_offset(i);
  }
  // base of each chunk; linear
  INLINE int column_shift_base(int i) const { return -32 * i - 159; }
  INLINE int column_shift_offset(int i) const { return column_shift_offset_[i]; }
  // first stored entry of each warp; linear with a short end
  INLINE int warp_first_entry(int i) const { return min(96 * i, 192); }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
  // row of y of each row; runs of neighbours
  INLINE int row_origin(int i) const {
    return row_origin_shift(run_number(row_origin_runs(2 * (i / 32)),
        row_origin_runs(2 * (i / 32) + 1), i % 32)) + i;
  }
  INLINE Ints<32> row_origin(Run<32> i) const {
    return each(i, [&](int entry) { return row_origin(entry); });
  }
  INLINE unsigned row_origin_runs(int i) const { return row_origin_runs_[i]; }
  // what the entries of each run are above their index; 8 bits above a line
  INLINE int row_origin_shift(int i) const { return row_origin_shift_offset(i) - 43; }
  INLINE int row_origin_shift_offset(int i) const { return row_origin_shift_offset_[i]; }
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
