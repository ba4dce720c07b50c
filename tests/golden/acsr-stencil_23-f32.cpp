// bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | global_store |
// launch tasks=bytes } { compress | thread_cols lanes=2 | thread_total | warp_total | global_store
// | launch tasks=bytes } { compress | thread_cols lanes=4 | thread_total | warp_total |
// global_store | launch tasks=bytes } { compress | thread_cols lanes=8 | thread_total | warp_total
// | global_store | launch tasks=bytes } { compress | thread_cols lanes=16 | thread_total |
// warp_total | global_store | launch tasks=bytes } { compress | thread_cols lanes=32 | thread_total
// | warp_total | global_store | launch tasks=bytes } { compress | thread_cols lanes=32 |
// thread_total | warp_total | global_store | launch tasks=bytes }

/// A branch's part of the format, 3492 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;       // [348] value of each stored entry
  const int* column_;        // [348] column of each stored entry
  const int* row_first_nz_;  // [89] first non-zero of each row
  const int* row_origin_;    // [88] row of y of each row

  INLINE Lanes<2> value(Run<2> i) const { return load(value_, i); }
  INLINE Near<int, 2> column(Run<2> i) const { return {column_ + i.first, i.lanes}; }
  INLINE int row_first_nz(int i) const { return row_first_nz_[i]; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
};

/// A branch's part of the format, 19404 bytes; every array is read through a function of its name.
struct Branch3 {
  const Value* value_;     // [2205] value of each stored entry
  const int* column_;      // [2205] column of each stored entry
  const int* row_origin_;  // [441] row of y of each row

  INLINE Lanes<4> value(Run<4> i) const { return load(value_, i); }
  INLINE Near<int, 4> column(Run<4> i) const { return {column_ + i.first, i.lanes}; }
  // first non-zero of each row; linear
  INLINE int row_first_nz(int i) const { return 5 * i; }
  INLINE int row_origin(int i) const { return row_origin_[i]; }
};

/// The format, 22896 bytes.
struct Format {
  Branch2 branch_2;  // rows of 3 to 4 non-zeros
  Branch3 branch_3;  // rows of 5 to 8 non-zeros
};

/// Branch 2: rows of 3 to 4 non-zeros.
/// Units [first_unit, end_unit) of 88: a task's share.
static void spmv_2(const Format& format, const Value* __restrict__ x, const Output out,
                   int first_unit, int end_unit) {
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

/// Branch 3: rows of 5 to 8 non-zeros.
/// Units [first_unit, end_unit) of 441: a task's share.
static void spmv_3(const Format& format, const Value* __restrict__ x, const Output out,
                   int first_unit, int end_unit) {
  const Branch3& f = format.branch_3;
  constexpr int lanes = 4;
  constexpr Run<4> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int row = first_unit; row < end_unit; ++row) {
    const Lanes<4> sum =
        thread_total(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), lanes, term);
    const Value warp_sum = warp_total<4>(sum);
    global_store(out, f.row_origin(row), warp_sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_3_weight(const Format& format, int row) {
  const Branch3& f = format.branch_3;
  return std::int64_t{f.row_first_nz(row)} + 11 * std::int64_t{row};
}
