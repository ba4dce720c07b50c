#include "generator/compose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generator/result.h"

namespace alphasparse {

namespace {

/// The stored positions of a thread: first, first + step, ... below end.
struct Items {
  std::string first, end, step;
};

class Composer {
 public:
  Composer(const BranchPlan& plan, FormatStruct& format)
      : plan_(plan), store_(*plan.store), format_(format), threads_(store_.launch.threads) {}

  Body compose() {
    Slot& top = slots_.emplace_back();
    top.uniform = Worker::block;
    for (const LevelFacts& level : store_.levels()) {
      if (level.cut == Cut::lanes) {
        open_row_groups(level);
      } else {
        open_units(level);
      }
    }
    if (store_.partial.row_by_row) open_row_loop();
    at_ = slots_.size() - 1;
    let_term();
    for (const FragmentStep& step : store_.chain) call(step);
    finish();
    body_.text = slots_text(slots_, 1);
    return std::move(body_);
  }

 private:
  // ---- levels
  // ---------------------------------------------------------------------------------------

  const LevelFacts& thread_level() const { return *store_.level(Level::thread); }

  /// A unit of one row is called by what it is.
  static std::string unit_name(const LevelFacts& level) {
    return level.cut == Cut::rows && level.rows_max == 1 ? "row" : level_name(level.level);
  }

  int workers_of_block(Level level) const {
    return level == Level::block ? 1 : level == Level::warp ? threads_ / 32 : threads_;
  }

  static Worker worker_of(Level level) {
    return level == Level::block  ? Worker::block
           : level == Level::warp ? Worker::warp
                                  : Worker::thread;
  }

  /// The index of a worker in its block.
  static std::string local_index(Level level) {
    return level == Level::warp ? "threadIdx.x / 32" : "threadIdx.x";
  }

  /// The index of a worker in the grid.
  std::string global_index(Level level) const {
    const int per_block = workers_of_block(level);
    if (per_block == 1) return "blockIdx.x";
    return fmt::format("blockIdx.x * {} + {}", per_block, local_index(level));
  }

  /// Blocks for `units` at `per_block` each; false where the grid is smaller and the workers
  /// stride.
  bool set_blocks(std::int64_t units, int per_block) {
    const std::int64_t needed = (units + per_block - 1) / per_block;
    const bool all = store_.launch.grid == 0 || needed <= store_.launch.grid;
    body_.blocks = all ? needed : store_.launch.grid;
    return all;
  }

  Slot& add_slot(const std::string& header, Worker uniform) {
    Slot& slot = slots_.emplace_back();
    slot.header = header;
    slot.uniform = uniform;
    return slot;
  }

  void open_units(const LevelFacts& level) {
    if (level.parent != Level::matrix) return open_children(level);
    const std::string name = unit_name(level);
    const int per_block = workers_of_block(level.level);
    const std::string index = global_index(level.level);
    if (set_blocks(level.units, per_block)) {
      slots_[0].let("const int " + name, index);
      const bool full = level.units % per_block == 0;
      add_slot(full ? "" : fmt::format("if ({} < {})", name, level.units),
               full ? Worker::block : worker_of(level.level));
    } else {
      add_slot(fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3})", name, index, level.units,
                           body_.blocks * per_block),
               worker_of(level.level));
    }
  }

  std::string lane() {
    slots_[0].let("const int lane", "threadIdx.x % 32");
    return "lane";
  }

  void open_children(const LevelFacts& level) {
    const LevelFacts& parent = *store_.level(level.parent);
    Slot& outer = slots_.back();
    const std::string name = unit_name(level), parent_name = unit_name(parent);
    const bool in_warp = parent.level == Level::warp;
    const int many = in_warp ? 32 : workers_of_block(level.level);
    const std::string local = in_warp ? lane() : local_index(level.level);
    if (level.cut == Cut::nnz && parent.cut == Cut::nnz) {  // pads complete the last tile
      const Worker uniform = outer.uniform;
      outer.let("const int " + name, fmt::format("{} * {} + {}", parent_name, many, local));
      add_slot("", uniform);
      return;
    }
    if (children_fill_parents(level, parent, many)) {
      outer.let("const int " + name, fmt::format("{} * {} + {}", parent_name, many, local));
      const bool full = level.units == parent.units * many;
      const Worker uniform = full ? outer.uniform : worker_of(level.level);
      add_slot(full ? "" : fmt::format("if ({} < {})", name, level.units), uniform);
      return;
    }
    const std::string array = fmt::format("{}_first_{}", parent_name, name);
    format_.add(array, store_.ints({level.parent, Name::first_child}),
                {fmt::format("first {} of each {}", name, parent_name), 0, level.units, true});
    const std::string first = format_.read(array, parent_name) + " + " + local;
    const std::string end = format_.read(array, parent_name + " + 1");
    if (level.children_max <= many) {
      outer.let("const int " + name, first);
      add_slot(fmt::format("if ({} < {})", name, end), worker_of(level.level));
    } else {
      const std::string end_name = fmt::format("{}_end_{}", parent_name, name);
      outer.let("const int " + end_name, end);
      add_slot(
          fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3})", name, first, end_name, many),
          worker_of(level.level));
    }
  }

  /// Every parent but the last has exactly one child a worker.
  bool children_fill_parents(const LevelFacts& level, const LevelFacts& parent, int many) const {
    const auto& first_child = store_.ints({level.parent, Name::first_child});
    for (std::int64_t unit = 0; unit < parent.units; ++unit) {
      if (first_child[unit] != unit * many) return false;
    }
    return level.units <= parent.units * many;
  }

  /// The smaller number of lanes that share a row has a name of its own.
  std::string group_lane(int lanes) {
    if (lanes == 32) return lane();
    slots_[0].let("const int group_lane", fmt::format("threadIdx.x % {}", lanes));
    return "group_lane";
  }

  /// Rows dealt to groups of lanes. The group's loop is uniform, so that the warp can shuffle
  /// inside it.
  void open_row_groups(const LevelFacts& level) {
    const int lanes = level.lanes;
    std::string end, condition;
    if (level.parent == Level::matrix) {
      const int groups = threads_ / lanes;
      end = std::to_string(store_.rows());
      const std::string local = fmt::format("threadIdx.x / {}", lanes);
      if (set_blocks(store_.rows(), groups)) {
        const std::string row =
            groups == 1 ? "blockIdx.x" : fmt::format("blockIdx.x * {} + {}", groups, local);
        slots_[0].let("const int row", row);
      } else {
        add_slot(
            fmt::format("for (int first_row = blockIdx.x * {0}; first_row < {1}; first_row += {2})",
                        groups, end, body_.blocks * groups),
            Worker::block)
            .let("const int row", "first_row + " + local);
      }
      if (store_.rows() % groups != 0) condition = "row < " + end;
    } else {
      const LevelFacts& parent = *store_.level(level.parent);
      if (unit_name(parent) == "row" && lanes == 32 && parent.level == Level::warp) {
        lane();  // the warp's row is the group's
        return;
      }
      condition = open_row_groups_of(parent, lanes);
    }
    if (condition.empty()) return;
    const bool shuffles =
        std::any_of(store_.chain.begin(), store_.chain.end(),
                    [](const auto& step) { return step.fragment->scope >= Worker::warp; });
    if (shuffles && lanes < 32) {
      predicate_ = condition;
    } else {
      add_slot(fmt::format("if ({})", condition), lanes == 32 ? Worker::warp : Worker::thread);
    }
  }

  /// The groups of one block or warp; returns the condition under which a group has a row.
  std::string open_row_groups_of(const LevelFacts& parent, int lanes) {
    const bool in_warp = parent.level == Level::warp;
    const int groups = (in_warp ? 32 : threads_) / lanes;
    const std::string local = fmt::format("{} / {}", in_warp ? lane() : "threadIdx.x", lanes);
    const std::string name = level_name(parent.level), index = unit_name(parent);
    const std::string array = name + "_first_row";
    format_.add(array, store_.ints({parent.level, Name::first_row}),
                {"first row of each " + name, 0, store_.rows(), true});
    slots_.back().let(fmt::format("const int {}_end_row", name),
                      format_.read(array, index + " + 1"));
    const std::string first = format_.read(array, index);
    const std::string group_row = index == "row" ? "group_row" : "row";
    if (parent.rows_max <= groups) {
      slots_.back().let("const int " + group_row, fmt::format("{} + {}", first, local));
    } else {
      const Worker uniform = std::min(slots_.back().uniform, worker_of(parent.level));
      add_slot(fmt::format("for (int first_row = {0}; first_row < {1}_end_row; first_row += {2})",
                           first, name, groups),
               uniform)
          .let("const int " + group_row, "first_row + " + local);
    }
    row_ = group_row;
    return fmt::format("{} < {}_end_row", group_row, name);
  }

  void open_row_loop() {
    const std::string array = "thread_first_row";
    format_.add(array, store_.ints({Level::thread, Name::first_row}),
                {"first row of each thread", 0, store_.rows(), true});
    slots_.back().let("const int thread_end_row", format_.read(array, "thread + 1"));
    add_slot(fmt::format("for (int row = {}; row < thread_end_row; ++row)",
                         format_.read(array, "thread")),
             Worker::thread);
  }

  // ---- items
  // ----------------------------------------------------------------------------------------

  std::string read_offsets(const std::string& unit, const Key& key, const std::string& index) {
    const std::string array = unit + "_first_nz";
    format_.add(array, store_.ints(key),
                {fmt::format("first non-zero of each {}", unit), 0, store_.nnz(), true});
    return format_.read(array, index);
  }

  Items items() {
    const LevelFacts& threads = thread_level();
    const bool by_row = threads.cut == Cut::lanes || store_.partial.row_by_row;
    if (by_row) {
      const Key key{Level::matrix, Name::row_first_nz};
      const std::string first = read_offsets("row", key, row_),
                        end = read_offsets("row", key, row_ + " + 1");
      if (threads.cut != Cut::lanes) return {first, end, "1"};
      return {first + " + " + group_lane(threads.lanes), end, std::to_string(threads.lanes)};
    }
    const std::string name = unit_name(threads);
    if (store_.interleaved) return interleaved_items(threads, name);
    if (!plan_.layout.in_order) return placed_items(name);
    const Key key{Level::thread, Name::first_nz};
    return {read_offsets(name, key, name), read_offsets(name, key, name + " + 1"), "1"};
  }

  Items placed_items(const std::string& name) {
    const std::string array = name + "_first_entry";
    add_first_entry(array, name);
    return {format_.read(array, name), format_.read(array, name + " + 1"), "1"};
  }

  void add_first_entry(const std::string& array, const std::string& unit) {
    format_.add(array, plan_.layout.first_entry,
                {fmt::format("first stored entry of each {}", unit), 0, plan_.layout.stored, true});
  }

  Items interleaved_items(const LevelFacts& threads, const std::string& name) {
    const std::string step = std::to_string(plan_.layout.stride);
    if (threads.parent == Level::matrix) return {name, std::to_string(plan_.layout.stored), step};
    const LevelFacts& parent = *store_.level(threads.parent);
    const std::string parent_name = unit_name(parent), array = parent_name + "_first_entry";
    add_first_entry(array, parent_name);
    std::string local = threads.parent == Level::warp ? lane() : "threadIdx.x";
    if (threads.children_max > (threads.parent == Level::warp ? 32 : threads_)) {
      const std::string children = fmt::format("{}_first_{}", parent_name, name);
      local = fmt::format("({} - {})", name, format_.read(children, parent_name));
    }
    return {fmt::format("{} + {}", format_.read(array, parent_name), local),
            format_.read(array, parent_name + " + 1"), step};
  }

  void let_term() {
    format_.read("value", "entry");
    const std::string column = format_.read("column", "entry");
    if (plan_.layout.predicated) {
      slots_[0].let(
          "const auto term",
          fmt::format("[&](int entry) {{\n"
                      "  const int column = {};\n"
                      "  return column < 0 ? Value(0) : f.value(entry) * __ldg(x + column);\n"
                      "}}",
                      column),
          "A pad of an empty row has column -1 and adds nothing.");
    } else {
      slots_[0].let(
          "const auto term",
          fmt::format("[&](int entry) {{ return f.value(entry) * __ldg(x + {}); }}", column));
    }
  }

  // ---- segments
  // -------------------------------------------------------------------------------------

  /// The arrays of heads and tails, and the values and functors made of them.
  void let_segments() {
    if (have_segments_) return;
    have_segments_ = true;
    const SegmentArrays& arrays = *plan_.segments;
    const std::string tile = level_name(plan_.tile_level);
    Slot& base = slots_[slot_of_tile()];
    let_tile(base, arrays, tile);
    let_word(slots_.back(), arrays);
    const std::string sink = plan_.whole.adds ? use("global_atomic") : use("global_store");
    base.let("const auto emit",
             fmt::format("[&](int row, Value sum) {{ {}(out, row, sum); }}", sink));
    const std::string edge = plan_.edge.adds ? use("global_atomic") : use("global_store");
    base.let(
        "const auto edge", fmt::format("[&](int row, Value sum) {{ {}(out, row, sum); }}", edge),
        plan_.edge.adds ? "The tile's first and last row may have parts in its neighbours." : "");
  }

  std::size_t slot_of_tile() const {
    return plan_.tile_level == Level::warp ? slots_.size() - 2 : slots_.size() - 1;
  }

  void let_tile(Slot& base, const SegmentArrays& arrays, const std::string& tile) {
    format_.add_words("tile_ptr", arrays.tile_ptr,
                      arrays.empty_offset.empty()
                          ? "row of each tile's first non-zero"
                          : "row of each tile's first non-zero; bit 31: the tile has empty rows");
    std::string row = "first_row + segment";
    if (arrays.empty_offset.empty()) {
      base.let("const int first_row", format_.read("tile_ptr", tile));
    } else {
      format_.add_field("first_row_of", "int", "word & 0x7fffffffu", "bits 0 to 30 of tile_ptr");
      format_.add_field("has_empty_rows", "bool", "word >> 31 != 0", "bit 31 of tile_ptr");
      base.let("const unsigned tile", format_.read("tile_ptr", tile));
      base.let("const int first_row", format_.field("first_row_of", "tile"));
      base.let("const bool has_empty_rows", format_.field("has_empty_rows", "tile"));
      format_.add("empty_offset_first", arrays.empty_offset_first,
                  {"first empty_offset of each tile", 0,
                   static_cast<std::int64_t>(arrays.empty_offset.size()), true});
      format_.add("empty_offset", arrays.empty_offset,
                  {"row of each segment, relative to its tile's first; tiles with empty rows only",
                   0, store_.rows() - 1, false});
      base.let("const int empty_offset_first", format_.read("empty_offset_first", tile));
      row = fmt::format("first_row + (has_empty_rows ? {} : segment)",
                        format_.read("empty_offset", "empty_offset_first + segment"));
    }
    const std::string lambda = fmt::format("[&](int segment) {{ return {}; }}", origin(row));
    const bool fits = lambda.size() < 70;
    base.let("const auto row_of",
             fits ? lambda : fmt::format("[&](int segment) {{\n  return {};\n}}", origin(row)));
  }

  /// bit_flag, y_offset and seg_offset in one word where they fit, else in two.
  void let_word(Slot& slot, const SegmentArrays& arrays) {
    const int items = thread_level().items;
    const int y_bits = plan_.tile_level == Level::warp ? bits_of(32 * items) : 0;
    const int seg_bits = reads_seg_offset() ? 5 : 0;
    const bool packed = items + y_bits + seg_bits <= 32;
    std::vector<std::uint32_t> flags = arrays.bit_flag, offsets(flags.size(), 0);
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (y_bits > 0) offsets[i] |= arrays.y_offset[i];
      if (seg_bits > 0) offsets[i] |= arrays.seg_offset[i] << y_bits;
      if (packed && y_bits > 0) flags[i] |= offsets[i] << items;
    }
    const int shift = packed ? items : 0;
    const std::string layout =
        y_bits == 0 ? ""
                    : fmt::format("y_offset: bits {} to {}{}", shift, shift + y_bits - 1,
                                  seg_bits == 0 ? ""
                                                : fmt::format("; seg_offset: bits {} to {}",
                                                              shift + y_bits, shift + y_bits + 4));
    const std::string flag_doc = fmt::format("bit_flag: bits 0 to {}", items - 1);
    const std::string mask = fmt::format("0x{:x}u", items == 32 ? ~0u : (1u << items) - 1);
    const std::string offset_word = packed ? "word" : "offsets";
    format_.add_words("thread_word", flags,
                      packed && y_bits > 0 ? flag_doc + "; " + layout : flag_doc);
    slot.let("const unsigned word", format_.read("thread_word", "thread"));
    format_.add_field("bit_flag", "unsigned", packed && y_bits > 0 ? "word & " + mask : "word",
                      "bit k: item k opens a segment");
    if (!packed) {
      format_.add_words("thread_offsets", offsets, layout);
      slot.let("const unsigned offsets", format_.read("thread_offsets", "thread"));
    }
    let_starts(slot, shift, y_bits, offset_word);
    if (seg_bits > 0) {
      format_.add_field("seg_offset", "int", fmt::format("word >> {} & 31u", shift + y_bits),
                        "threads to the right that open no segment");
      seg_offset_ = format_.field("seg_offset", offset_word);
    }
  }

  /// The first flag of a tile is always set, but its row may have begun in the tile before.
  void let_starts(Slot& slot, int shift, int y_bits, const std::string& offset_word) {
    const std::string flags = format_.field("bit_flag", "word");
    const std::string why =
        "A tile's first flag is always set; its row may have begun in the tile before.";
    if (y_bits == 0) {
      slot.let("const unsigned starts", flags + " & ~1u", why);
      open_ = "0";
      return;
    }
    const std::string word = shift == 0 ? "word" : fmt::format("word >> {}", shift);
    format_.add_field("y_offset", "int", fmt::format("{} & 0x{:x}u", word, (1u << y_bits) - 1),
                      "segments that the threads before have opened");
    slot.let("const unsigned starts", fmt::format("{} & ~unsigned(lane == 0)", flags), why);
    slot.let("const int open",
             fmt::format("max({} - 1, 0)", format_.field("y_offset", offset_word)));
    open_ = "open";
  }

  static int bits_of(int largest) {
    int bits = 1;
    while (largest >> bits != 0) ++bits;
    return bits;
  }

  bool reads_seg_offset() const {
    for (const FragmentStep& step : store_.chain) {
      const auto& roles = step.fragment->arguments;
      if (std::find(roles.begin(), roles.end(), Role::seg_offset) != roles.end()) return true;
    }
    return false;
  }

  // ---- the chain
  // ------------------------------------------------------------------------------------

  std::string use(std::string_view fragment) {
    auto& used = body_.fragments;
    if (std::find(used.begin(), used.end(), fragment) == used.end()) used.push_back(fragment);
    return std::string(fragment);
  }

  void call(const FragmentStep& step) {
    const Fragment& fragment = *step.fragment;
    use(fragment.name);
    if (fragment.takes == Shape::one) cross_to(fragment.scope);
    std::vector<std::string> template_arguments, arguments;
    Items thread_items;
    if (fragment.takes == Shape::none) thread_items = items();
    for (const Role role : fragment.template_arguments) {
      template_arguments.push_back(
          std::to_string(role == Role::lanes ? step.lanes : thread_level().items));
    }
    for (const Role role : fragment.arguments) arguments.push_back(argument(role, thread_items));
    std::string text(fragment.name);
    if (!template_arguments.empty())
      text += fmt::format("<{}>", fmt::join(template_arguments, ", "));
    text += fmt::format("({})", fmt::join(arguments, ", "));
    place(fragment, text);
  }

  std::string argument(Role role, const Items& thread_items) {
    switch (role) {
      case Role::first:
        return thread_items.first;
      case Role::end:
        return thread_items.end;
      case Role::step:
        return thread_items.step;
      case Role::term:
        return "term";
      case Role::partial:
        return value_;
      case Role::starts:
        let_segments();
        return "starts";
      case Role::open:
        let_segments();
        return open_;
      case Role::seg_offset:
        let_segments();
        return seg_offset_;
      case Role::row_of:
        let_segments();
        return "row_of";
      case Role::emit:
        let_segments();
        return "emit";
      case Role::edge:
        let_segments();
        return "edge";
      case Role::items:
      case Role::lanes:
        break;
    }
    CHECK(!"a role that is a template argument only");
    return {};
  }

  /// Puts a call where it belongs; a thread without a row brings 0.
  void place(const Fragment& fragment, const std::string& text) {
    Slot& slot = slots_[at_];
    if (fragment.result_name.empty()) {
      slot.after.push_back({"", text, "", ""});
      value_.clear();
      return;
    }
    value_ = fragment.result_name;
    if (!predicate_.empty() && fragment.takes == Shape::none) {
      slot.after.push_back({"Value " + value_, "0", "", ""});
      slot.after.push_back({value_ + " =", text, predicate_, ""});
      return;
    }
    slot.after.push_back({fmt::format("{} {}", fragment.result_type, value_), text, "", ""});
  }

  /// Moves the value outwards to a slot that all workers of `scope` run together; loops on the way
  /// add up.
  void cross_to(Worker scope) {
    std::size_t target = at_;
    while (slots_[target].uniform < scope) {
      CHECK(target > 0);
      --target;
    }
    if (target == at_) return;
    slots_[target].before.push_back({"Value total", "0", "", ""});
    Statement& last = slots_[at_].after.back();
    last.declaration = "total +=";
    value_ = "total";
    at_ = target;
  }

  // ---- sinks
  // ----------------------------------------------------------------------------------------

  /// The caller's row of a logical row.
  std::string origin(const std::string& row) {
    if (store_.rows_in_callers_order()) return row;
    format_.add("row_origin", store_.ints({Level::matrix, Name::row_origin}),
                {"row of y of each row", 0, static_cast<std::int64_t>(store_.rows()) - 1, false});
    return format_.read("row_origin", row);
  }

  /// The caller's row that the value in hand belongs to.
  std::string row_of_value() {
    const LevelFacts& threads = thread_level();
    const LevelFacts* parent = store_.level(threads.parent);
    const bool row_in_scope = threads.cut == Cut::lanes || store_.partial.row_by_row ||
                              unit_name(threads) == "row" ||
                              (parent && unit_name(*parent) == "row");
    if (row_in_scope) return origin(row_);
    std::vector<std::int32_t> rows = plan_.whole.rows;  // one a thread, the caller's already
    format_.add(
        "thread_row", std::move(rows),
        {"row of y of each thread", 0, static_cast<std::int64_t>(store_.rows()) - 1, false});
    return format_.read("thread_row", "thread");
  }

  void finish() {
    if (store_.partial.shape == Shape::done) return;
    if (store_.partial.shape == Shape::head_tail) {
      slots_[at_].after.push_back({"", "edge(row_of(part.first), part.head)", "", ""});
      slots_[at_].after.push_back(
          {"", "edge(row_of(part.last), part.tail)", "part.last != part.first", ""});
      return;
    }
    std::vector<std::string> guards;
    if (!predicate_.empty()) guards.push_back(predicate_);
    if (store_.partial.holder == Worker::group) {
      guards.push_back(group_lane(thread_level().lanes) + " == 0");
    }
    if (store_.partial.holder == Worker::warp) guards.push_back(lane() + " == 0");
    const std::string sink = use(plan_.whole.adds ? "global_atomic" : "global_store");
    slots_[at_].after.push_back({"", fmt::format("{}(out, {}, {})", sink, row_of_value(), value_),
                                 fmt::format("{}", fmt::join(guards, " && ")), ""});
  }

  const BranchPlan& plan_;
  const Store& store_;
  FormatStruct& format_;
  const int threads_;
  Body body_;
  std::vector<Slot> slots_;
  std::size_t at_ = 0;       ///< the slot where the value in hand lives
  std::string value_;        ///< its name
  std::string row_ = "row";  ///< the logical row in scope
  std::string predicate_;    ///< condition under which a group of lanes has a row; empty: always
  bool have_segments_ = false;
  std::string open_, seg_offset_;
};

}  // namespace

Body compose_branch(const BranchPlan& plan, const Matrix& matrix, FormatStruct& format) {
  format.add_values(matrix.value, plan.layout.value_source);
  format.add("column", plan.layout.column,
             {"column of each stored entry", plan.layout.predicated ? -1 : 0,
              std::int64_t{matrix.cols} - 1, false});
  const bool has_work =
      plan.store->level(Level::thread)->cut == Cut::lanes || plan.store->levels().front().units > 0;
  if (!has_work) return {};
  return Composer(plan, format).compose();
}

}  // namespace alphasparse
