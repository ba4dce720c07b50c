// diagonal_peel share=0 { thread_rows rows=1 | thread_pad | interleave | thread_total |
// global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | thread_total | global_atomic
// | launch tasks=bytes }

/// A branch's part of the format, 6400 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;  // [800] value of each stored entry; 0 for a pad
  const int* column_;   // [800] column of each stored entry

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
};

/// The format, 6400 bytes.
struct Format {
  Branch1 branch_1;  // 5 diagonals
};

/// Branch 1: 5 diagonals.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  constexpr int rows = 150;
  constexpr int stride = 160;
  constexpr int stored_entries = 800;
  constexpr Run<32> lane = {};
  // Fill of an empty row has column -1 and adds nothing.
  const auto term = [&](auto entry) { return f.value(entry) * gather_or_zero(x, f.column(entry)); };
  for (int gang = first_unit; gang < end_unit; ++gang) {
    const Run<32> row = (gang * 32 + lane).below(rows);
    const Lanes<32> sum = thread_total(row, stored_entries, stride, term);
    global_store(out, row, sum);
  }
}
