// symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch
// tasks=bytes

/// The format, 3764 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [281] value of each stored entry
  const int* column_;        // [281] column of each stored entry
  const int* row_first_nz_;  // [98] first non-zero of each row

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
};

/// The rows that are added to, or have no entries: y = beta * y, run first.
/// Units [first_unit, end_unit) of 97: a task's share.
static void spmv_init(const Format&, const Input, const Output out, int first_unit, int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    global_init(out, index);
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 97: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  const auto column_of = [&](int entry) { return f.column(entry); };
  const auto value_of = [&](int entry) { return f.value(entry); };
  const auto image_of = [](auto value) { return conjugate(value); };
  for (int row = first_unit; row < end_unit; ++row) {
    const Value sum = thread_total_mirrored(f.row_first_nz(row), f.row_first_nz(row + 1), row, x,
        out, column_of, value_of, image_of);
    global_add(out, row, sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int row) {
  return std::int64_t{f.row_first_nz(row)} + 2 * std::int64_t{row};
}

/// The row of y that a unit begins with.
static int spmv_first_row(const Format&, int row) { return row; }

/// The row behind those that a unit, or one before it, adds to.
static int spmv_end_row(const Format& f, int row) {
  return max(row, f.column(max(f.row_first_nz(row + 1), 1) - 1)) + 1;
}
