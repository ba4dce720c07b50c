// compress | thread_merge_path items=256 | thread_merge | global_atomic | launch tasks=bytes

/// The format, 2116 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [189] value of each stored entry
  const int* column_;        // [189] column of each stored entry
  const int* row_first_nz_;  // [151] first non-zero of each row

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  // non-zeros before each thread's piece of the merge path; linear with a short end
  INLINE int thread_first_nz(int i) const { return min(129 * i, 189); }
  // row that is open where it begins; linear with a short end
  INLINE int thread_first_row(int i) const { return min(127 * i, 149); }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
  // rows without a writer, or with several; linear with a short end
  INLINE int init_row(int i) const { return min(127 * i, 149); }
};

/// The rows that are added to, or have no entries: y = beta * y, run first.
/// Units [first_unit, end_unit) of 3: a task's share.
static void spmv_init(const Format& f, const Input, const Output out, int first_unit,
    int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    global_init(out, f.init_row(index));
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 2: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  for (int thread = first_unit; thread < end_unit; ++thread) {
    const auto row_end = [&](int row) { return f.row_first_nz(row + 1); };
    const auto row_of = [&](int row) { return row; };
    const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
    // The tile's first and last row may have parts in its neighbours.
    const auto edge = [&](int row, Value sum) { global_atomic(out, row, sum); };
    const HeadTail part = thread_merge(f.thread_first_nz(thread), f.thread_first_nz(thread + 1),
        f.thread_first_row(thread), f.thread_first_row(thread + 1), row_end, term, row_of, emit);
    edge(row_of(part.first), part.head);
    if (part.last != part.first) edge(row_of(part.last), part.tail);
  }
}

/// The row of y that a unit begins with.
static int spmv_first_row(const Format& f, int thread) { return f.thread_first_row(thread); }
