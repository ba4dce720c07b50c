#include "generator/layouts/kinds/bitmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ranges.h"
#include "generator/code/composition.h"
#include "generator/layouts/entry_terms.h"
#include "generator/layouts/kinds/bitmap_bindings.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/pad_reads.h"
#include "generator/layouts/thread_requests.h"

namespace alphasparse {

namespace {

std::int32_t bitmap_cols(const Store& store) { return store.layout_as<BitBlocks>()->cols; }

class BitmapMaker {
 public:
  explicit BitmapMaker(const Store& store)
      : store_(store),
        first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        cols_(bitmap_cols(store)) {}

  /// The bitmap of the bands [first, end). The beginnings of blocks and entries are counted from
  /// the first.
  Bitmap make(std::int64_t first, std::int64_t end) {
    for (std::int64_t band = first; band < end; ++band) {
      bitmap_.band_first.push_back(static_cast<std::int32_t>(bitmap_.first_col.size()));
      add_band(static_cast<std::int32_t>(band * bitmap_rows));
    }
    return std::move(bitmap_);
  }

 private:
  void add_band(std::int32_t band) {
    const auto rows = std::min(bitmap_rows, store_.rows() - band);
    std::array<std::int32_t, bitmap_rows> next;  // non-zero of each row that is not placed yet
    std::copy_n(first_.begin() + band, rows, next.begin());
    std::vector<std::int32_t> blocks;
    for (std::int32_t nz = first_[band]; nz < first_[band + rows]; ++nz) {
      blocks.push_back(col_[nz] / cols_ * cols_);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const int rows_of_word = 32 / cols_;
    for (const std::int32_t block : blocks) {
      bitmap_.first_col.push_back(block);
      for (int row = 0; row < bitmap_rows; ++row) {
        if (row % rows_of_word == 0) begin_word();
        if (row >= rows) continue;
        for (const std::int32_t end = first_[band + row + 1];
             next[row] < end && col_[next[row]] < block + cols_; ++next[row]) {
          bitmap_.bits.back() |= 1u << (row % rows_of_word * cols_ + col_[next[row]] - block);
          bitmap_.order.push_back(next[row]);
        }
      }
    }
  }

  void begin_word() {
    bitmap_.bits.push_back(0);
    bitmap_.first_entry.push_back(static_cast<std::int32_t>(bitmap_.order.size()));
  }

  const Store& store_;
  const std::vector<std::int32_t>&first_, &col_;
  const std::int32_t cols_;
  Bitmap bitmap_;
};

/// Appends the bands that follow.
void append(Bitmap& all, Bitmap&& next) {
  const auto blocks = static_cast<std::int32_t>(all.first_col.size());
  const auto entries = static_cast<std::int32_t>(all.order.size());
  for (std::int32_t& first : next.band_first) first += blocks;
  for (std::int32_t& first : next.first_entry) first += entries;
  append_part(all.band_first, std::move(next.band_first));
  append_part(all.first_col, std::move(next.first_col));
  append_part(all.bits, std::move(next.bits));
  append_part(all.first_entry, std::move(next.first_entry));
  append_part(all.order, std::move(next.order));
}

Bitmap make_bitmap(const Store& store) {
  const std::int64_t bands = (std::int64_t{store.rows()} + bitmap_rows - 1) / bitmap_rows;
  const auto make = [&](std::int64_t first, std::int64_t end) {
    return BitmapMaker(store).make(first, end);
  };
  Bitmap bitmap;
  for (Bitmap& part : parts_of_ranges(bands, make, grain_size(bands, store.nnz()))) {
    append(bitmap, std::move(part));
  }
  bitmap.band_first.push_back(static_cast<std::int32_t>(bitmap.first_col.size()));
  return bitmap;
}

struct BitsReply : UsualAnswers {
  using UsualAnswers::operator();

  static Failure values_are_packed() {
    return reject("the values of a bitmap block are packed already");
  }
  Result<LayoutChoice> operator()(const request::Pad&) const { return values_are_packed(); }
  Result<LayoutChoice> operator()(const request::LineUp&) const { return values_are_packed(); }
  Result<LayoutChoice> operator()(const request::Widen&) const { return values_are_packed(); }
  Result<LayoutChoice> operator()(const request::Transpose&) const { return values_are_packed(); }

  Result<LayoutChoice> operator()(const request::MoveRows&) const {
    return reject("the rows of a bitmap block belong together");
  }
  Result<LayoutChoice> operator()(const request::Split&) const {
    return reject("bitmap blocks cannot be split again");
  }

  Result<LayoutChoice> operator()(const request::OpenLevel& level) const {
    if (level.tiling == Tiling::rows || level.tiling == Tiling::lanes) return store.layout;
    return reject(fmt::format(
        "bitmap blocks are read row by row; cut whole rows, or use thread_cols lanes={}",
        bitmap_cols(store)));
  }

  Result<LayoutChoice> operator()(const request::OpenThreads& threads) const {
    if (threads.single_rows) return store.layout;
    return reject("a thread reads one row of bitmap blocks; use rows=1");
  }

  Result<LayoutChoice> operator()(const request::ShareRows& share) const {
    if (share.lanes <= bitmap_cols(store)) return store.layout;
    return reject(fmt::format("a bitmap block has columns for {0} lanes only; use lanes={0}",
                              bitmap_cols(store)));
  }

  Result<LayoutChoice> operator()(const request::StageX&) const {
    return reject("the non-zeros of a bitmap block have no column each");
  }

  Result<LayoutChoice> operator()(const request::Total& total) const {
    if (total.vector > 1)
      return reject("a row's values in a bitmap block are packed and begin anywhere; use vector=1");
    if (auto reason = cannot_read_blocks("bitmap", total)) return reject(*reason);
    return store.layout;
  }

  Result<LayoutChoice> operator()(const request::StepColumns&) const {
    const LevelFacts* const threads = store.level(Level::thread);
    if (!threads || threads->tiling == Tiling::lanes)
      return reject("a thread's entries are not one run");
    return reject("bitmap blocks have no column for each entry");
  }
  Result<LayoutChoice> operator()(const request::PackColumns&) const {
    return reject("bitmap blocks have no columns to pack; use structure=packed");
  }
  Result<LayoutChoice> operator()(const request::ReadByGang&) const {
    return reject("the bits of a block are walked by one thread; use thread_rows rows=1");
  }
};

const Fragment bits_fragment = {
    .name = "thread_total_bits",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::block_cols, TemplateRole::lanes},
    .arguments = {Role::first_block, Role::end_block, Role::first_bit, Role::block_lane,
                  Role::bits_of, Role::entry_of, Role::column_of, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = plain_loop,
    .cpu_cost = TotalCost{0.983, 1.97},
};

void write_bitmap(const Store& store, Layout& layout) {
  layout.in_order = false;
  layout.bitmap = make_bitmap(store);
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const Sources source = store.sources();
  const std::vector<std::int32_t>& order = layout.bitmap->order;
  layout.column.resize(order.size());
  layout.value_source.resize(order.size());
  for_ranges(static_cast<std::int64_t>(order.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t position = first; position < end; ++position) {
      layout.column[position] = col[order[position]];
      layout.value_source[position] = source[order[position]];
    }
  });
}

/// The blocks say where columns are.
void add_blocks(BranchPlan& plan, const Matrix&, FormatStruct& format) {
  std::vector<std::int32_t>().swap(plan.layout.column);
  add_bitmap(plan.layout, bitmap_cols(*plan.store), format);
}

Reads bits_reads(const Store& store) {
  Reads reads;
  reads.stored = reads.least = reads.worked = store.nnz();
  const LevelFacts* const threads = store.level(Level::thread);
  if (threads) reads.longest = threads->nz_max;
  reads.cols = bitmap_cols(store);
  reads.arrays = {"value", "block_bits"};
  reads.cost = bits_fragment.cpu_cost;
  return reads;
}

}  // namespace

const LayoutKind BitBlocks::kind = {
    .name = "bit_blocks",
    .reply = [](const Store& store,
                const Request& request) { return std::visit(BitsReply{{store}}, request); },
    .total =
        [](const Store& store, const request::Total&) {
          return FragmentStep{&bits_fragment, std::max(1, store.level(Level::thread)->lanes)};
        },
    .write = write_bitmap,
    .range = [](Composition& c) { return bind_bitmap(c, bitmap_cols(c.store)); },
    .term = bind_known_column_term,
    .columns = add_blocks,
    .reads = bits_reads,
    .pads = visit_fill,
    .misfit = [](const Store&) { return std::string(); },
    .labels = [](const Store&) { return std::vector<const char*>{"bitmap_blocks"}; },
};

}  // namespace alphasparse
