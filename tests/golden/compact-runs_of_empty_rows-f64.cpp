// sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | compact exceptions=8 | launch tasks=bytes

// lanes/prelude.h

// lanes/gather.h

// lanes/ints.h

// lanes/chunks.h

// lanes/packed_bits.h

// lanes/run_number.h

/// The format, 484 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;  // [192] code of each stored entry's value
  const float* value_dictionary_;  // [12] the distinct values; 0 for pads; exact as float
  const unsigned* column_starts_;  // [6] a bit of each entry: a run begins with it
  const int* column_first_run_;  // [6] runs before each 32 entries
  const unsigned* column_shift_bits_;  // [25] fields, and a word to spare
  const unsigned* empty_lanes_;  // [5] bit l: lane l has pads alone
  const unsigned* row_origin_starts_;  // [5] a bit of each entry: a run begins with it
  const int* row_origin_first_run_;  // [5] runs before each 32 entries
  const unsigned* row_origin_shift_bits_;  // [9] fields, and a word to spare

  template <int G>
  INLINE Near<unsigned char, G> value_code(Run<G> i) const {
    return {value_code_ + i.first, i.lanes};
  }
  template <class Codes>
  INLINE auto value_dictionary(const Codes& i) const { return gather(value_dictionary_, i); }
  // value of each stored entry; a dictionary
  template <int G>
  INLINE Lanes<G> value(Run<G> i) const { return value_dictionary(value_code(i)); }
  // column of each stored entry; runs of neighbours
  INLINE int column(int i) const {
    return column_shift(run_number(column_starts(i / 32), column_first_run(i / 32), i % 32)) + i;
  }
  template <int G>
  INLINE Ints<G> column(Run<G> i) const {
    return each(i, [&](int entry) { return column(entry); });
  }
  INLINE unsigned column_starts(int i) const { return column_starts_[i]; }
  INLINE int column_first_run(int i) const { return column_first_run_[i]; }
  // what the entries of each run are above their index; packed by 32
  INLINE int column_shift(int i) const {
    return column_shift_base(i / 32) + packed_bits(column_shift_bits_, column_shift_head(i / 32),
        i % 32);
  }
  // base of each chunk; linear
  INLINE int column_shift_base(int i) const { return -32 * i - 127; }
  // of each chunk 32 * its first word + bits of a field; linear
  INLINE int column_shift_head(int i) const { return 256 * i + 8; }
  // first stored entry of each warp; linear with a short end
  INLINE int warp_first_entry(int i) const { return min(96 * i, 192); }
  INLINE unsigned empty_lanes(int i) const { return empty_lanes_[i]; }
  // row of y of each row; runs of neighbours
  INLINE int row_origin(int i) const {
    return row_origin_shift(run_number(row_origin_starts(i / 32), row_origin_first_run(i / 32),
        i % 32)) + i;
  }
  template <int G>
  INLINE Ints<G> row_origin(Run<G> i) const {
    return each(i, [&](int entry) { return row_origin(entry); });
  }
  INLINE unsigned row_origin_starts(int i) const { return row_origin_starts_[i]; }
  INLINE int row_origin_first_run(int i) const { return row_origin_first_run_[i]; }
  // what the entries of each run are above their index; packed by 32
  INLINE int row_origin_shift(int i) const {
    return row_origin_shift_base(i / 32) + i % 32 + packed_bits(row_origin_shift_bits_,
        row_origin_shift_head(i / 32), i % 32);
  }
  // base of each chunk; linear
  INLINE int row_origin_shift_base(int i) const { return 41 * i - 62; }
  // of each chunk 32 * its first word + bits of a field; linear
  INLINE int row_origin_shift_head(int i) const { return 248 * i + 8; }
};

// lanes/thread_total.h

// lanes/global_store.h

// lanes/part.h

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 5: a task's share.
static void spmv(const Format& f, const Value* __restrict__ x, const Output out,
                 int first_unit, int end_unit) {
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<32> row = (warp * 32 + lane).below(150);
    const Lanes<32> sum = clear(f.empty_lanes(warp),
        thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1), 32, term));
    global_store(out, f.row_origin(row), sum);
  }
}

static std::int64_t spmv_weight(const Format& f, int warp) {
  return 12 * std::int64_t{f.warp_first_entry(warp)} + 480 * std::int64_t{warp};
}

/// The parts of the SpMV, one behind the other.
static const Part parts[] = {
    {spmv, 5, spmv_weight, nullptr},
};
