// compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch tasks=bytes

/// The format, 2872 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [189] value of each stored entry
  const int* column_;        // [189] column of each stored entry
  const int* row_first_nz_;  // [151] first non-zero of each row

  INLINE Lanes<8> value(Run<8> i) const { return load(value_, i); }
  INLINE Near<int, 8> column(Run<8> i) const { return {column_ + i.first, i.lanes}; }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int lanes = 8;
  constexpr Run<8> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int row = first_unit; row < end_unit; ++row) {
    const Lanes<8> sum =
        thread_total(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), lanes, term);
    const Value warp_sum = warp_total<8>(sum);
    global_store(out, row, warp_sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int row) {
  return std::int64_t{f.row_first_nz(row)} + 20 * std::int64_t{row};
}
