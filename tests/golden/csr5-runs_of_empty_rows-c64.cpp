// compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment |
// global_atomic | launch tasks=bytes

/// The format, 6880 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [512] value of each stored entry; 0 for a pad
  const int* column_;   // [512] column of each stored entry
  // [2] row of each tile's first non-zero; bit 31: the tile has empty rows
  const unsigned* tile_ptr_;
  // [63] row of each segment, relative to its tile's first; tiles with empty rows only
  const int* empty_offset_;
  const unsigned* thread_word_;  // [32] bit_flag: bits 0 to 15; y_offset: bits 16 to 25
  const int* init_row_;          // [87] rows without a writer, or with several

  INLINE Lanes<32> value(Run<32> i) const { return load(value_, i); }
  INLINE Near<int, 32> column(Run<32> i) const { return {column_ + i.first, i.lanes}; }
  INLINE unsigned tile_ptr(int i) const { return tile_ptr_[i]; }
  // bits 0 to 30 of tile_ptr
  INLINE int first_row_of(unsigned word) const { return word & 0x7fffffffu; }
  // bit 31 of tile_ptr
  INLINE bool has_empty_rows(unsigned word) const { return word >> 31 != 0; }
  // first empty_offset of each tile; linear
  INLINE int empty_offset_first(int i) const { return 63 * i; }
  INLINE int empty_offset(int i) const { return empty_offset_[i]; }
  INLINE Near<unsigned, 32> thread_word(Run<32> i) const {
    return {thread_word_ + i.first, i.lanes};
  }
  // bit k: item k opens a segment
  INLINE Ints<32> bit_flag(const Ints<32>& word) const { return word & 0xffffu; }
  // segments that the threads before have opened
  INLINE Ints<32> y_offset(const Ints<32>& word) const { return word >> 16 & 0x3ffu; }
  // first stored entry of each warp; linear
  INLINE int warp_first_entry(int i) const { return 512 * i; }
  INLINE int init_row(int i) const { return init_row_[i]; }
};

/// The rows that are added to, or have no entries: y = beta * y, run first.
/// Units [first_unit, end_unit) of 87: a task's share.
static void spmv_init(const Format& f, const Input, const Output out, int first_unit,
    int end_unit) {
  for (int index = first_unit; index < end_unit; ++index) {
    global_init(out, f.init_row(index));
  }
}

/// y = alpha * A * x + beta * y.
/// Units [first_unit, end_unit) of 1: a task's share.
static void spmv(const Format& f, const Input x, const Output out, int first_unit, int end_unit) {
  constexpr int stride = 32;
  constexpr Run<32> lane = {};
  const auto term = [&](auto entry) { return f.value(entry) * gather(x, f.column(entry)); };
  for (int warp = first_unit; warp < end_unit; ++warp) {
    const Run<32> thread = warp * 32 + lane;
    const unsigned tile = f.tile_ptr(warp);
    const int first_row = f.first_row_of(tile);
    const bool has_empty_rows = f.has_empty_rows(tile);
    const int empty_offset_first = f.empty_offset_first(warp);
    const auto row_of = [&](int segment) {
      return first_row + (has_empty_rows ? f.empty_offset(empty_offset_first + segment) : segment);
    };
    const Ints<32> word = loaded(f.thread_word(thread));
    // A tile's first flag is always set; its row may have begun in the tile before.
    const Ints<32> starts = without_first(f.bit_flag(word));
    const Ints<32> open = at_least(f.y_offset(word) - 1, 0);
    const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
    const auto edge = [&](int row, Value sum) { global_store(out, row, sum); };
    const HeadTails<32> part = thread_bitmap<16>(f.warp_first_entry(warp) + lane, stride, starts,
        open, term, row_of, emit);
    warp_segment(part, row_of, emit, edge);
  }
}
