// ell_peel width=third { compress | thread_rows rows=1 | thread_pad | interleave | thread_total |
// global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | global_atomic
// | launch tasks=bytes }

/// A branch's part of the format, 3860 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;           // [480] value of each stored entry; 0 for a pad
  const int* column_;            // [480] column of each stored entry
  const unsigned* empty_lanes_;  // [5] bit l: lane l has pads alone

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
};

/// The format, 3860 bytes.
struct Format {
  Branch1 branch_1;  // the first 3 non-zeros of each row
};

/// Branch 1: the first 3 non-zeros of each row.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  constexpr int rows = 150;
  constexpr int stride = 160;
  constexpr int stored_entries = 480;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int gang = first_unit; gang < end_unit; ++gang) {
    const Run<32> row = (gang * 32 + lane).below(rows);
    const Lanes<32> sum =
        clear(f.empty_lanes(gang), thread_total(row, stored_entries, stride, term));
    global_store(out, row, sum);
  }
}
