// dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands bands=8 |
// thread_bands | thread_pad | interleave | thread_total | global_store | launch tasks=bytes } {
// compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }

/// A branch's part of the format, 6936 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;             // [1296] value of each stored entry; 0 for a pad
  const int* block_first_col_;     // [144] first column of each block
  const unsigned* stored_places_;  // [144] bit r * 3 + c: row r of the block has its column c
  const int* row_origin_;          // [150] row of y of each row

  INLINE Value value(int i) const { return value_[i]; }
  INLINE Lanes<8> value(Run<8> i) const { return load(value_, i); }
  INLINE int block_first_col(int i) const { return block_first_col_[i]; }
  INLINE Near<int, 8> block_first_col(Run<8> i) const {
    return {block_first_col_ + i.first, i.lanes};
  }
  INLINE unsigned stored_places(int i) const { return stored_places_[i]; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
  // first block of each warp; linear with a short end
  INLINE int warp_first_block(int i) const { return min(40 * i, 144); }
};

/// The format, 6936 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 3
};

/// Branch 1: blocks of 3 x 3.
/// Units [first_unit, end_unit) of 7: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  constexpr int threads = 50;
  constexpr int stride = 8;
  constexpr Run<8> lane = {};
  const auto column_of = [&](auto block) { return f.block_first_col(block); };
  const auto value_of = [&](auto entry) { return f.value(entry); };
  // Fill and pads have no bit, and add nothing.
  const auto term = [&](int entry, int block, int cell) {
    if ((f.stored_places(block) >> cell & 1u) == 0) return Value(0);
    return f.value(entry) * x[f.block_first_col(block) + cell % 3];
  };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<8> thread = (warp * 8 + lane).below(threads);
    const auto emit = [&](int band_row, const auto& sum) {
      const auto row_of = [&](int one) { return f.row_origin(3 * one + band_row); };
      global_store(out, asked(thread, row_of), sum);
    };
    thread_total_band_gaps<3, 3>(f.warp_first_block(warp) + lane, f.warp_first_block(warp + 1),
        stride, lane, x, column_of, value_of, term, emit);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_1_weight(const Format& format, int warp) {
  const Branch1& f = format.branch_1;
  return std::int64_t{9 * f.warp_first_block(warp)} + 130 * std::int64_t{warp};
}
