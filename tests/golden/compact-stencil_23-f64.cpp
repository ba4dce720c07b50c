// sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave |
// thread_total | global_store | compact exceptions=8 | launch tasks=bytes

/// The format, 4056 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;  // [2624] code of each stored entry's value
  const float* value_dictionary_;    // [12] the distinct values; 0 for pads; exact as float
  // [164] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* column_runs_;
  const int* column_shift_base_;       // [7] base of each chunk
  const unsigned* column_shift_bits_;  // [124] fields of the entries
  // [34] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* row_origin_runs_;
  const unsigned* row_origin_shift_bits_;  // [17] fields of the entries

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
    return column_shift(
        run_number(column_runs(2 * (i / 32)), column_runs(2 * (i / 32) + 1), i % 32)) + i;
  }
  INLINE Ints<32> column(Run<32> i) const {
    return each(i, [&](int entry) { return column(entry); });
  }
  INLINE unsigned column_runs(int i) const { return column_runs_[i]; }
  // what the entries of each run are above their index; packed in 10 bits by 64
  INLINE int column_shift(int i) const {
    return column_shift_base(i / 64) + packed_fields(column_shift_bits_, 10, i);
  }
  INLINE int column_shift_base(int i) const { return column_shift_base_[i]; }
  // first stored entry of each warp; linear with a short end, 2 exceptions
  INLINE int warp_first_entry(int i) const {
    return i == 15 ? 2368 : i == 16 ? 2496 : min(160 * i, 2624);
  }
  // row of y of each row; runs of neighbours
  INLINE int row_origin(int i) const {
    return row_origin_shift(
        run_number(row_origin_runs(2 * (i / 32)), row_origin_runs(2 * (i / 32) + 1), i % 32)) + i;
  }
  INLINE Ints<32> row_origin(Run<32> i) const {
    return each(i, [&](int entry) { return row_origin(entry); });
  }
  INLINE unsigned row_origin_runs(int i) const { return row_origin_runs_[i]; }
  // what the entries of each run are above their index; packed in 10 bits
  INLINE int row_origin_shift(int i) const {
    return packed_fields(row_origin_shift_bits_, 10, i) - 525;
  }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 17: a task's share.
static void spmv(const Format& f, const Value* __restrict__ x, const Output out, int first_unit,
                 int end_unit) {
  constexpr int rows = 529;
  constexpr int stride = 32;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<32> row = (warp * 32 + lane).below(rows);
    const Lanes<32> sum =
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term);
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 95 * std::int64_t{warp};
}
