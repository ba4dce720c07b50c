// reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad |
// interleave | thread_total | global_store | compact columns=narrow | launch tasks=bytes

/// The format, 9240 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;       // [2664] code of each stored entry's value
  const float* value_dictionary_;         // [12] the distinct values; 0 for pads; exact as float
  const unsigned short* column_;          // [2664] column of each stored entry
  const unsigned* row_origin_bits_;       // [150] fields of the entries
  const unsigned* gathered_column_bits_;  // [150] fields of the entries
  Value* gathered_x_;                     // [529] x in the order in which the rows touch it

  INLINE Near<unsigned char, 8> value_code(Run<8> i) const {
    return {value_code_ + i.first, i.lanes};
  }
  template <class Codes>
  INLINE auto value_dictionary(const Codes& i) const {
    return gather(value_dictionary_, i);
  }
  // value of each stored entry; a dictionary
  INLINE Lanes<8> value(Run<8> i) const { return value_dictionary(value_code(i)); }
  INLINE Near<unsigned short, 8> column(Run<8> i) const { return {column_ + i.first, i.lanes}; }
  // first stored entry of each warp; linear with a short end
  INLINE int warp_first_entry(int i) const { return min(40 * i, 2664); }
  // row of y of each row; packed in 9 bits
  INLINE int row_origin(int i) const { return i - 253 + packed_fields(row_origin_bits_, 9, i); }
  INLINE Ints<8> row_origin(Run<8> i) const {
    return each(i, [&](int entry) { return row_origin(entry); });
  }
  // column of x of each gathered element; packed in 9 bits
  INLINE int gathered_column(int i) const {
    return i - 253 + packed_fields(gathered_column_bits_, 9, i);
  }
  INLINE Value* gathered_x() const { return gathered_x_; }
};

/// x in the order in which the rows touch it, before it is read.
/// Units [first_unit, end_unit) of 529: a task's share.
static void spmv_gather(const Format& f, const Value* __restrict__ x, const Output, int first_unit,
                        int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    f.gathered_x()[index] = x[f.gathered_column(index)];
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 67: a task's share.
static void spmv(const Format& f, const Value* __restrict__, const Output out, int first_unit,
                 int end_unit) {
  const Value* const x = f.gathered_x();
  constexpr int rows = 529;
  constexpr int stride = 8;
  constexpr Run<8> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<8> row = (warp * 8 + lane).below(rows);
    const Lanes<8> sum =
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), stride, term);
    global_store(out, f.row_origin(row), sum);
  }
}

/// The work before a unit, in entries: tasks have equal shares.
static std::int64_t spmv_weight(const Format& f, int warp) {
  return std::int64_t{f.warp_first_entry(warp)} + 23 * std::int64_t{warp};
}
