// dense_block_peel rows=2 cols=2 share=0 from=entry { sort_rows_in_bands rows=1024 | warp_bands
// bands=8 | thread_bands | thread_pad | interleave run=cols | thread_total | global_store | compact
// columns=narrow structure=narrow values=full | launch tasks=bytes } { compress | thread_nnz nnz=1
// | thread_total | global_atomic | launch tasks=bytes }

/// A branch's part of the format, 2849 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;                    // [512] value of each stored entry; 0 for a pad
  const unsigned char* block_first_col_;  // [128] first column of each block
  // [128] bit r * 2 + c: row r of the block has its column c
  const unsigned* stored_places_;
  const unsigned char* row_origin_;        // [150] row of y of each row
  const unsigned char* warp_first_block_;  // [11] first block of each warp

  INLINE Value value(int i) const { return value_[i]; }
  template <int G>
  INLINE Lanes<G> value(Run<G> i) const {
    return load(value_, i);
  }
  INLINE int block_first_col(int i) const { return block_first_col_[i]; }
  INLINE Near<unsigned char, 8> block_first_col(Run<8> i) const {
    return {block_first_col_ + i.first, i.lanes};
  }
  INLINE unsigned stored_places(int i) const { return stored_places_[i]; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
  INLINE int warp_first_block(int i) const { return warp_first_block_[i]; }
};

/// The format, 2849 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 2 x 2
};

/// Branch 1: blocks of 2 x 2.
/// Units [first_unit, end_unit) of 10: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  constexpr int threads = 75;
  constexpr int stride = 8;
  constexpr Run<8> lane = {};
  const auto column_of = [&](auto block) { return f.block_first_col(block); };
  const auto value_of = [&](auto entry) { return f.value(entry); };
  // Fill and pads have no bit, and add nothing.
  const auto term = [&](int entry, int block, int cell) {
    if ((f.stored_places(block) >> cell & 1u) == 0) return Value(0);
    return f.value(entry) * x[f.block_first_col(block) + cell % 2];
  };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<8> thread = (warp * 8 + lane).below(threads);
    const auto emit = [&](int band_row, const auto& sum) {
      const auto row_of = [&](int one) { return f.row_origin(2 * one + band_row); };
      global_store(out, asked(thread, row_of), sum);
    };
    thread_total_band_runs_gaps<2, 2, 2>(f.warp_first_block(warp) + lane,
        f.warp_first_block(warp + 1), stride, lane, x, column_of, value_of, term, emit);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_1_weight(const Format& format, int warp) {
  const Branch1& f = format.branch_1;
  return std::int64_t{4 * f.warp_first_block(warp)} + 133 * std::int64_t{warp};
}
