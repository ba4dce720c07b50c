// compress blocks=4 | sort_rows_in_bands rows=1024 | warp_rows rows=16 | thread_rows rows=1 |
// thread_pad | interleave | thread_total | global_store | launch tasks=bytes

/// The format, 2176 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [192] value of each stored entry; 0 for a pad
  const int* block_first_col_;   // [0] first column of each block
  const int* column_;            // [192] column of each single entry
  const unsigned* empty_lanes_;  // [10] bit l: lane l has pads alone
  const int* row_origin_;        // [150] row of y of each row

  template <int G>
  INLINE Lanes<G> value(Run<G> i) const {
    return load(value_, i);
  }
  INLINE Near<int, 16> block_first_col(Run<16> i) const {
    return {block_first_col_ + i.first, i.lanes};
  }
  INLINE Near<int, 16> column(Run<16> i) const { return {column_ + i.first, i.lanes}; }
  // first single entry of each warp; linear with a short end
  INLINE int warp_first_single(int i) const { return min(48 * i, 192); }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
  INLINE Near<int, 16> row_origin(Run<16> i) const { return {row_origin_ + i.first, i.lanes}; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 10: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr Run<16> lane = {};
  const auto column_of = [&](auto block) { return f.block_first_col(block); };
  const auto bits_of = [&](auto block) { return each(block, [](int) { return 0; }); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<16> row = (warp * 16 + lane).below(rows);
    const int first_single = f.warp_first_single(warp);
    const int end_cells = 4 * 0;
    const auto value_of = [&](auto cell) { return f.value(first_single + cell); };
    const auto term = [&](auto entry) {
      return f.value(end_cells + entry) * gather(x, f.column(entry));
    };
    const Lanes<16> sum = clear(f.empty_lanes(warp),
        thread_total_mix<4>(0 + lane, 0, first_single + lane, f.warp_first_single(warp + 1), 16, x,
        column_of, value_of, bits_of, term));
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{4 * 0 + f.warp_first_single(warp)} + 138 * std::int64_t{warp};
}
