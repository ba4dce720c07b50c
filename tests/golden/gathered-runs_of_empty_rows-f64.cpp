// reorder by=rcm x=gathered | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | compact columns=narrow | launch tasks=bytes

// lanes/prelude.h

// lanes/packed_bits.h

/// The format, 770 bytes; every array is read through a function of its name.
struct Format {
  const unsigned* value_code_bits_;  // [41] fields, and a word to spare
  const float* value_dictionary_;  // [12] the distinct values; 0 for pads; exact as float
  const unsigned char* column_offset_;  // [288] distance of each entry from its line
  const unsigned char* row_origin_;  // [150] row of y of each row
  const int* gathered_column_base_;  // [5] base of each chunk
  const unsigned* gathered_column_bits_;  // [25] fields, and a word to spare
  Value* gathered_x_;  // [150] x in the order in which the rows touch it

  // code of each stored entry's value; packed by 64
  INLINE int value_code(int i) const {
    return packed_bits(value_code_bits_, value_code_head(i / 64), i % 64);
  }
  // of each chunk 32 * its first word + bits of a field; linear
  INLINE int value_code_head(int i) const { return 256 * i + 4; }
  INLINE Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  INLINE Value value(int i) const { return value_dictionary(value_code(i)); }
  template <int G>
  INLINE Lanes<G> value(Run<G> i) const {
    return each_value(i, [&](int entry) { return value(entry); });
  }
  // column of each stored entry; 8 bits above a line
  INLINE int column(int i) const { return column_offset(i) - 1; }
  template <int G>
  INLINE Ints<G> column(Run<G> i) const {
    return each(i, [&](int entry) { return column(entry); });
  }
  INLINE int column_offset(int i) const { return column_offset_[i]; }
  // first stored entry of each warp; piecewise linear
  INLINE int warp_first_entry(int i) const { return i < 8 ? 0 : 24 * i - 168; }
  template <int G>
  INLINE Near<unsigned char, G> row_origin(Run<G> i) const {
    return {row_origin_ + i.first, i.lanes};
  }
  // column of x of each gathered element; packed by 32
  INLINE int gathered_column(int i) const {
    return gathered_column_base(i / 32) + i % 32 + packed_bits(gathered_column_bits_,
        gathered_column_head(i / 32), i % 32);
  }
  INLINE int gathered_column_base(int i) const { return gathered_column_base_[i]; }
  // of each chunk 32 * its first word + bits of a field; linear with a short end
  INLINE int gathered_column_head(int i) const { return min(256 * i + 8, 768); }
  INLINE Value* gathered_x() const { return gathered_x_; }
};

// lanes/gather.h

// lanes/gather_or_zero.h

// lanes/thread_total.h

// lanes/global_store.h

// lanes/part.h

/// x in the order in which the rows touch it, before it is read.
/// Units [first_unit, end_unit) of 150: a task's share.
static void spmv_gather(const Format& f, const Value* __restrict__ x, const Output,
                        int first_unit, int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    f.gathered_x()[index] = x[f.gathered_column(index)];
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 19: a task's share.
static void spmv(const Format& f, const Value* __restrict__, const Output out,
                 int first_unit, int end_unit) {
  const Value* const x = f.gathered_x();
  constexpr Run<8> lane = {};
  // A pad of an empty row has column -1 and adds nothing.
  const auto term = [&](auto entry) { return f.value(entry) * gather_or_zero(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<8> row = (warp * 8 + lane).below(150);
    const Lanes<8> sum = thread_total(f.warp_first_entry(warp) + lane,
        f.warp_first_entry(warp + 1), 8, term);
    global_store(out, f.row_origin(row), sum);
  }
}

static std::int64_t spmv_weight(const Format& f, int warp) {
  return 12 * std::int64_t{f.warp_first_entry(warp)} + 112 * std::int64_t{warp};
}

/// The parts of the SpMV, one behind the other.
static const Part parts[] = {
    {spmv_gather, 150, nullptr, nullptr},
    {spmv, 19, spmv_weight, nullptr},
};
