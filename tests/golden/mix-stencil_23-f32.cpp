// compress blocks=4 | sort_rows_in_bands rows=1024 | warp_rows rows=16 | thread_rows rows=1 |
// thread_pad | interleave | thread_total | global_store | launch tasks=bytes

/// The format, 23632 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;            // [3216] value of each stored entry; 0 for a pad
  const int* block_first_col_;    // [544] first column of each block
  const int* block_places_;       // [544] bit c: the row of the block has its column c
  const int* column_;             // [1040] column of each single entry
  const int* warp_first_single_;  // [35] first single entry of each warp
  const int* row_origin_;         // [529] row of y of each row

  template <int G>
  INLINE Lanes<G> value(Run<G> i) const {
    return load(value_, i);
  }
  INLINE Near<int, 16> block_first_col(Run<16> i) const {
    return {block_first_col_ + i.first, i.lanes};
  }
  INLINE Near<int, 16> block_places(Run<16> i) const { return {block_places_ + i.first, i.lanes}; }
  INLINE Near<int, 16> column(Run<16> i) const { return {column_ + i.first, i.lanes}; }
  // first block of each warp; linear
  INLINE int warp_first_block(int i) const { return 16 * i; }
  INLINE int warp_first_single(int i) const { return warp_first_single_[i]; }
  INLINE Near<int, 16> row_origin(Run<16> i) const { return {row_origin_ + i.first, i.lanes}; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 34: a task's share.
static void spmv(const Format& f, const Value* __restrict__ x, const Output out, int first_unit,
                 int end_unit) {
  constexpr int rows = 529;
  constexpr Run<16> lane = {};
  const auto column_of = [&](auto block) { return f.block_first_col(block); };
  const auto bits_of = [&](auto block) { return f.block_places(block); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<16> row = (warp * 16 + lane).below(rows);
    const int first_single = f.warp_first_single(warp);
    const int end_places = 4 * f.warp_first_block(warp + 1);
    const auto value_of = [&](auto place) { return f.value(first_single + place); };
    const auto term = [&](auto entry) {
      return f.value(end_places + entry) * gather(x, f.column(entry));
    };
    const Lanes<16> sum = thread_total_mix<4>(
        f.warp_first_block(warp) + lane, f.warp_first_block(warp + 1), first_single + lane,
        f.warp_first_single(warp + 1), 16, x, column_of, value_of, bits_of, term);
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{4 * f.warp_first_block(warp) + f.warp_first_single(warp)} +
         138 * std::int64_t{warp};
}
