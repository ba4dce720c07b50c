// bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | global_store |
// launch tasks=bytes } { compress | thread_cols lanes=2 | thread_total | warp_total | global_store
// | launch tasks=bytes } { compress | thread_cols lanes=4 | thread_total | warp_total |
// global_store | launch tasks=bytes } { compress | thread_cols lanes=8 | thread_total | warp_total
// | global_store | launch tasks=bytes } { compress | thread_cols lanes=16 | thread_total |
// warp_total | global_store | launch tasks=bytes } { compress | thread_cols lanes=32 | thread_total
// | warp_total | global_store | launch tasks=bytes } { compress | thread_cols lanes=32 |
// thread_total | warp_total | global_store | launch tasks=bytes }

/// A branch's part of the format, 348 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;     // [0] value of each stored entry
  const int* column_;      // [0] column of each stored entry
  const int* row_origin_;  // [87] row of y of each row

  INLINE Value value(int i) const { return value_[i]; }
  INLINE int column(int i) const { return column_[i]; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
};

/// A branch's part of the format, 1764 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;     // [189] value of each stored entry
  const int* column_;      // [189] column of each stored entry
  const int* row_origin_;  // [63] row of y of each row

  INLINE Lanes<2> value(Run<2> i) const { return load(value_, i); }
  INLINE Near<int, 2> column(Run<2> i) const { return {column_ + i.first, i.lanes}; }
  // first non-zero of each row; linear
  INLINE int row_first_nz(int i) const { return 3 * i; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
};

/// The format, 2112 bytes.
struct Format {
  Branch1 branch_1;  // rows of fewer than 3 non-zeros
  Branch2 branch_2;  // rows of 3 to 4 non-zeros
};

/// Branch 1: rows of fewer than 3 non-zeros.
/// Units [first_unit, end_unit) of 87: a task's share.
static void spmv_1(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch1& f = format.branch_1;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  for (int row = first_unit; row < end_unit; ++row) {
    const Value sum = thread_total(0, 0, 1, term);
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_1_weight(const Format&, int row) {
  return std::int64_t{0} + 2 * std::int64_t{row};
}

/// Branch 2: rows of 3 to 4 non-zeros.
/// Units [first_unit, end_unit) of 63: a task's share.
static void spmv_2(const Format& format, const Input x, const Output out, int first_unit,
    int end_unit) {
  const Branch2& f = format.branch_2;
  constexpr int lanes = 2;
  constexpr Run<2> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int row = first_unit; row < end_unit; ++row) {
    const Lanes<2> sum =
        thread_total(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), lanes, term);
    const Value warp_sum = warp_total<2>(sum);
    global_store(out, f.row_origin(row), warp_sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_2_weight(const Format& format, int row) {
  const Branch2& f = format.branch_2;
  return std::int64_t{f.row_first_nz(row)} + 8 * std::int64_t{row};
}
