// sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | global_store |
// launch tasks=bytes

/// The format, 2112 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;     // [189] value of each stored entry
  const int* column_;      // [189] column of each stored entry
  const int* row_origin_;  // [150] row of y of each row

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
  // first stored entry of each diagonal; linear
  INLINE int diagonal_first_entry(int i) const { return 63 * i; }
  INLINE Near<int, 32> row_origin(Run<32> i) const { return {row_origin_ + i.first, i.lanes}; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr int diagonals = 3;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  const auto entry_of = [&](int diagonal) { return f.diagonal_first_entry(diagonal); };
  for (int gang = first_unit; gang < end_unit; ++gang) {
    const Run<32> row = (gang * 32 + lane).below(rows);
    const Lanes<32> sum = thread_total_ragged(0, diagonals, row, entry_of, term);
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int gang) {
  return std::int64_t{entries_before(32 * gang, 3,
      [&](int diagonal) { return f.diagonal_first_entry(diagonal); })} + 17 * std::int64_t{gang};
}
