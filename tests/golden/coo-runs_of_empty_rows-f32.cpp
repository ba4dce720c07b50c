// compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes

/// The format, 2268 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;     // [189] value of each stored entry
  const int* column_;      // [189] column of each stored entry
  const int* thread_row_;  // [189] row of y of each thread

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  INLINE int thread_row(int i) const { return thread_row_[i]; }
};

/// The rows that are added to, or have no entries: y = beta * y, run first.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv_init(const Format&, const Input, const Output out, int first_unit, int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    global_init(out, index);
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 189: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  for (int thread = first_unit; thread < end_unit; ++thread) {
    const Value sum = term(thread);
    global_atomic(out, f.thread_row(thread), sum);
  }
}

/// The row of y that a unit begins with.
static int spmv_first_row(const Format& f, int thread) { return f.thread_row(thread); }
