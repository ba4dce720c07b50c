// compress | warp_rows rows=64 | thread_rows rows=1 | warp_diagonals | interleave | thread_total |
// global_store | launch tasks=bytes

/// The format, 2964 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [704] value of each stored entry; 0 for a pad
  const int* diagonal_column_;   // [11] column of x that lane 0 has on each diagonal, or would have
  const unsigned* entry_bits_;   // [22] bit p % 32 of word p / 32: there is an entry at position p
  const int* warp_first_entry_;  // [4] first stored entry of each warp

  INLINE Lanes<64> value(Run<64> i) const { return load(value_, i); }
  INLINE int diagonal_column(int i) const { return diagonal_column_[i]; }
  INLINE unsigned entry_bits(int i) const { return entry_bits_[i]; }
  INLINE int warp_first_entry(int i) const { return warp_first_entry_[i]; }
};

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 3: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int rows = 150;
  constexpr int stride = 64;
  constexpr Run<64> lane = {};
  const auto bits_of = [&](int word) { return f.entry_bits(word); };
  // A lane whose bit is not set has no entry on the diagonal.
  const auto term = [&](auto entry) {
    return f.value(entry) * diagonal(x, 150, f.diagonal_column(unsigned(entry.first) / 64), entry,
        bits_of);
  };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<64> row = (warp * 64 + lane).below(rows);
    const Lanes<64> sum =
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term);
    global_store(out, row, sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 361 * std::int64_t{warp};
}
