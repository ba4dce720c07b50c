// symmetric_half | dense_block_peel rows=3 cols=2 share=0 from=entry { thread_bands | thread_total
// | global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | thread_total |
// global_atomic | launch tasks=bytes }

/// A branch's part of the format, 9152 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;             // [966] value of each stored entry; 0 for a pad
  const int* block_first_col_;     // [161] first column of each block
  const unsigned* stored_places_;  // [161] bit r * 2 + c: row r of the block has its column c
  const int* thread_first_block_;  // [34] first block of each thread

  INLINE Value value(int i) const { return value_[i]; }
  template <int G>
  INLINE Lanes<G> value(Run<G> i) const {
    return load(value_, i);
  }
  INLINE int block_first_col(int i) const { return block_first_col_[i]; }
  INLINE unsigned stored_places(int i) const { return stored_places_[i]; }
  INLINE int thread_first_block(int i) const { return thread_first_block_[i]; }
  // first row of each thread; linear with a short end
  INLINE int thread_first_row(int i) const { return min(3 * i, 97); }
};

/// The format, 9152 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 2
};

/// The rows that are added to, or have no entries: y = beta * y, run first.
/// Units [first_unit, end_unit) of 97: a task's share.
static void spmv_init(const Format&, const Input, const Output out, int first_unit, int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    global_init(out, index);
  }
}

/// Branch 1: blocks of 3 x 2.
/// Units [first_unit, end_unit) of 33: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  const auto column_of = [&](int block) { return f.block_first_col(block); };
  const auto value_of = [&](auto entry) { return f.value(entry); };
  // Fill has no bit.
  const auto has_cell =
      [&](int block, int cell) { return (f.stored_places(block) >> cell & 1u) != 0; };
  for (int thread = first_unit; thread < end_unit; ++thread) {
    const int y_row = 3 * thread;
    const auto image_x = [&](int band_row) {
      if (y_row + band_row >= 97) return Value(0);
      return out.alpha * x[y_row + band_row];
    };
    // The last band has fewer rows.
    const auto emit = [&](int band_row, Value sum) {
      if (3 * thread + band_row < 97) global_add(out, 3 * thread + band_row, sum);
    };
    thread_total_band_mirrored<3, 2>(f.thread_first_block(thread), f.thread_first_block(thread + 1),
        y_row, x, out, column_of, value_of, image_x, has_cell, emit);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_1_weight(const Format& format, int thread) {
  const Branch1& f = format.branch_1;
  return std::int64_t{6 * f.thread_first_block(thread)} + 77 * std::int64_t{thread};
}

/// The row of y that a unit begins with.
static int spmv_1_first_row(const Format& format, int thread) {
  const Branch1& f = format.branch_1;
  return f.thread_first_row(thread);
}

/// The row behind those that a unit, or one before it, adds to.
static int spmv_1_end_row(const Format& format, int thread) {
  const Branch1& f = format.branch_1;
  return max(3 * thread + 3, f.block_first_col(max(f.thread_first_block(thread + 1), 1) - 1) + 2);
}
