// compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes

/// The format, 2116 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [189] value of each stored entry
  const int* column_;        // [189] column of each stored entry
  const int* row_first_nz_;  // [151] first non-zero of each row

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  for (int row = first_unit; row < end_unit; ++row) {
    const Value sum = thread_total(f.row_first_nz(row), f.row_first_nz(row + 1), 1, term);
    global_store(out, row, sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int row) {
  return std::int64_t{f.row_first_nz(row)} + 2 * std::int64_t{row};
}
