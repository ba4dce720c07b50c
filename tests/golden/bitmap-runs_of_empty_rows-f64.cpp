// bitmap_block_peel cols=8 share=5 { compress | thread_rows rows=1 | thread_total | global_store |
// launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch
// tasks=bytes }

/// A branch's part of the format, 1940 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;           // [175] value of each stored entry
  const int* band_first_block_;  // [20] first block of each band of 8 rows
  const int* block_first_col_;   // [23] first column of each block
  // [46] bit r * 8 + c: row r of this half of the block has column c
  const unsigned* block_bits_;
  const int* block_first_entry_;  // [46] stored position of the first bit of each half of a block

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int band_first_block(int i) const { return band_first_block_[i]; }
  INLINE int block_first_col(int i) const { return block_first_col_[i]; }
  INLINE unsigned block_bits(int i) const { return block_bits_[i]; }
  INLINE int block_first_entry(int i) const { return block_first_entry_[i]; }
};

/// A branch's part of the format, 224 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;     // [14] value of each stored entry
  const int* column_;      // [14] column of each stored entry
  const int* thread_row_;  // [14] row of y of each thread

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  INLINE int thread_row(int i) const { return thread_row_[i]; }
};

/// The format, 2164 bytes.
struct Format {
  Branch1 branch_1;  // bitmap blocks of 8 x 8
  Branch2 branch_2;  // what lies in no full block
};

/// Branch 1: bitmap blocks of 8 x 8.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  const auto term = [&](int entry, int column) { return f.value(entry) * x[column]; };
  for (int row = first_unit; row < end_unit; ++row) {
    const int band = row / 8;
    const int half = row % 8 / 4;
    const auto bits_of = [&](int block) { return f.block_bits(2 * block + half); };
    const auto entry_of = [&](int block) { return f.block_first_entry(2 * block + half); };
    const auto column_of = [&](int block) { return f.block_first_col(block); };
    const Value sum = thread_total_bits<8, 1>(f.band_first_block(band),
        f.band_first_block(band + 1), row % 4 * 8, 0, bits_of, entry_of, column_of, term);
    global_store(out, row, sum);
  }
}

/// Branch 2: what lies in no full block.
/// Units [first_unit, end_unit) of 14: a task's share.
static void spmv_2(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch2& f = format.branch_2;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  for (int thread = first_unit; thread < end_unit; ++thread) {
    const Value sum = term(thread);
    global_add(out, f.thread_row(thread), sum);
  }
}
