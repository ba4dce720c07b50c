// reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad |
// interleave | thread_total | global_store | compact columns=narrow | launch tasks=bytes

/// The format, 994 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;  // [288] code of each stored entry's value
  const float* value_dictionary_;    // [12] the distinct values; 0 for pads; exact as float
  const unsigned char* column_;      // [288] column of each stored entry
  const unsigned* empty_lanes_;      // [19] bit l: lane l has pads alone
  const unsigned char* row_origin_;  // [150] row of y of each row
  // [10] base of each chunk; head of each chunk, by which its fields are found
  const int* gathered_column_chunk_;
  const unsigned* gathered_column_bits_;  // [26] fields of the entries
  Value* gathered_x_;                     // [150] x in the order in which the rows touch it

  INLINE Near<unsigned char, 8> value_code(Run<8> i) const {
    return {value_code_ + i.first, i.lanes};
  }
  template <class Codes>
  INLINE auto value_dictionary(const Codes& i) const {
    return gather(value_dictionary_, i);
  }
  // value of each stored entry; a dictionary
  INLINE Lanes<8> value(Run<8> i) const { return value_dictionary(value_code(i)); }
  INLINE Near<unsigned char, 8> column(Run<8> i) const { return {column_ + i.first, i.lanes}; }
  // first stored entry of each warp; piecewise linear
  INLINE int warp_first_entry(int i) const { return i < 8 ? 0 : 24 * i - 168; }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
  INLINE Near<unsigned char, 8> row_origin(Run<8> i) const {
    return {row_origin_ + i.first, i.lanes};
  }
  // column of x of each gathered element; packed by 32
  INLINE int gathered_column(int i) const {
    return gathered_column_chunk(2 * (i / 32)) + i +
        packed_bits(gathered_column_bits_, gathered_column_chunk(2 * (i / 32) + 1), i);
  }
  INLINE int gathered_column_chunk(int i) const { return gathered_column_chunk_[i]; }
  INLINE Value* gathered_x() const { return gathered_x_; }
};

/// x in the order in which the rows touch it, before it is read.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv_gather(const Format& f, const Input x, const Output, int first_unit,
    int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    f.gathered_x()[index] = x[f.gathered_column(index)];
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 19: a task's share.
static void spmv(const Format& f, const Input, const Output out, int first_unit, int end_unit) {
  const Input x{f.gathered_x()};
  constexpr int rows = 150;
  constexpr int stride = 8;
  constexpr Run<8> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<8> row = (warp * 8 + lane).below(rows);
    const Lanes<8> sum = clear(f.empty_lanes(warp),
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term));
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 23 * std::int64_t{warp};
}
