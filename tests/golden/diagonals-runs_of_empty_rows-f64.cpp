// compress | warp_rows rows=16 | thread_rows rows=1 | warp_diagonals | interleave | thread_total |
// global_store | launch tasks=bytes

/// The format, 3128 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [368] value of each stored entry; 0 for a pad
  const int* diagonal_column_;   // [23] column of x that lane 0 has on each diagonal, or would have
  const unsigned* entry_bits_;   // [12] bit p % 32 of word p / 32: there is an entry at position p
  const int* warp_first_entry_;  // [11] first stored entry of each warp

  INLINE Lanes<16> value(Run<16> i) const { return load(value_, i); }
  INLINE int diagonal_column(int i) const { return diagonal_column_[i]; }
  INLINE unsigned entry_bits(int i) const { return entry_bits_[i]; }
  INLINE int warp_first_entry(int i) const { return warp_first_entry_[i]; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 10: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr int stride = 16;
  constexpr Run<16> lane = {};
  const auto bits_of = [&](int word) { return f.entry_bits(word); };
  // A lane whose bit is not set has no entry on the diagonal.
  const auto term = [&](auto entry) {
    return f.value(entry) * diagonal(x, 150, f.diagonal_column(unsigned(entry.first) / 16), entry,
        bits_of);
  };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<16> row = (warp * 16 + lane).below(rows);
    const Lanes<16> sum =
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term);
    global_store(out, row, sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 67 * std::int64_t{warp};
}
