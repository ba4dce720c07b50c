// dense_block_peel rows=3 cols=3 share=0 { warp_rows rows=3 | thread_cols lanes=8 | thread_total |
// warp_total | global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total |
// global_atomic | launch tasks=bytes }

/// A branch's part of the format, 9460 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;       // [1107] value of each stored entry; 0 for a pad
  const int* column_;        // [1107] column of each stored entry
  const int* row_first_nz_;  // [151] first non-zero of each row

  INLINE Lanes<8> value(Run<8> i) const { return load(value_, i); }
  INLINE Near<int, 8> column(Run<8> i) const { return {column_ + i.first, i.lanes}; }
  // first row of each warp; linear
  INLINE int warp_first_row(int i) const { return 3 * i; }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
};

/// The format, 9460 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 3
};

/// Branch 1: blocks of 3 x 3.
/// Units [first_unit, end_unit) of 50: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  constexpr int lanes = 8;
  constexpr Run<8> lane = {};
  // Fill of an empty row has column -1 and adds nothing.
  const auto term = [&](auto entry) { return f.value(entry) * gather_or_zero(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const int warp_end_row = f.warp_first_row(warp + 1);
    for (int row = f.warp_first_row(warp); row < warp_end_row; ++row) {
      const Lanes<8> sum =
          thread_total(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), lanes, term);
      const Value warp_sum = warp_total<8>(sum);
      global_store(out, row, warp_sum);
    }
  }
}
