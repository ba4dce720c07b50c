#include "generator/body/compose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "generator/arrays/fragment.h"
#include "generator/body/passes.h"
#include "generator/body/thread_terms.h"
#include "generator/code/composition.h"
#include "generator/code/printer.h"
#include "generator/layouts/entry_columns.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

/// The arguments that other passes have bound under one name.
Code bound_name(Role role) {
  constexpr std::pair<Role, const char*> names[] = {
      {Role::x, "$x"},
      {Role::out, "$out"},
      {Role::image_of, "$image_of"},
      {Role::image_x, "$image_x"},
      {Role::has_cell, "$has_cell"},
      {Role::terms, "$terms"},
      {Role::entry_of, "$entry_of"},
      {Role::bits_of, "$bits_of"},
      {Role::column_of, "$column_of"},
      {Role::value_of, "$value_of"},
      {Role::values_of, "$values_of"},
      {Role::starts, "$starts"},
      {Role::lane_starts, "$starts"},
      {Role::row_of, "$row_of"},
      {Role::emit, "$emit"},
      {Role::edge, "$edge"},
      {Role::first_slot, "$first_slot"},
  };
  for (const auto& [bound, name] : names) {
    if (bound == role) return name;
  }
  CHECK(!"a role without a text");
  return {};
}

/// Writes a body in passes. Between them it knows where the value in hand lives.
class BodyWriter {
 public:
  explicit BodyWriter(Composition& composition)
      : c_(composition), kind_(layout_kind(c_.store)), reads_(kind_.reads(c_.store)) {}

  void open() {
    c_.add_scope(Worker::block);
    c_.writer.open_levels(c_);
    at_ = c_.slots.size() - 1;
  }

  void bind_products() { y_row_ = kind_.term(c_); }

  void bind_tiles() {
    if (c_.plan.segments) segments_ = bind_segments(c_);
    if (c_.thread_level().tiling == Tiling::merge) path_ = bind_path(c_);
  }

  void reduce() {
    for (const FragmentStep& step : c_.store.chain()) add_step(step);
  }

  /// Hands the value in hand to the epilogue.
  void store_sums() {
    if (c_.store.partial.shape == Shape::done) return;
    if (c_.store.partial.shape == Shape::head_tail) {
      c_.slots[at_].after.push_back(call("$edge($row_of($part.first), $part.head)"));
      c_.slots[at_].after.push_back(
          call("$edge($row_of($part.last), $part.tail)", "$part.last != $part.first"));
      return;
    }
    const std::string epilogue = c_.use(epilogue_fragment(c_.plan.whole.epilogue));
    const Code writer = elect_writer(), row = row_read_early();
    c_.slots[at_].after.push_back(
        call(code("{}($out, {}, {})", epilogue, row, Code::named(value_)), writer));
  }

  /// The table and the slice of x are written again in the next round of a loop: not before
  /// everyone has read them.
  void protect_shared() {
    if (c_.body.table_values == 0 && !c_.plan.staged) return;
    const std::size_t slot = c_.plan.staged ? c_.block_slot : table_slot_;
    const auto loops = [](const Slot& outer) { return outer.kind == Slot::Kind::loop; };
    const auto end = c_.slots.begin() + static_cast<std::ptrdiff_t>(slot) + 1;
    if (std::any_of(c_.slots.begin(), end, loops)) {
      c_.slots[slot].after.push_back(call("__syncthreads()"));
    }
  }

  void drop_unread() { c_.slots = without_unread(without_implied(std::move(c_.slots))); }

 private:
  void add_step(const FragmentStep& step) {
    if (step.fragment->takes == Shape::none)
      add_total(step);
    else
      add_to_sums(step);
  }

  /// Adds up the terms of a thread.
  void add_total(const FragmentStep& step) {
    const TermsCall terms = call_of_terms(c_, step, reads_);
    if (c_.body.product_values == 0) c_.body.in_flight = terms.in_flight;
    const Range range = kind_.range(c_);
    const Code sums = terms.is_single ? code("$term({})", range.first)
                                      : call_text(*terms.fragment, step, terms, range);
    put_call(*terms.fragment, without_empty_lanes(sums));
  }

  /// Adds up the sums in hand, of threads or of warps.
  void add_to_sums(const FragmentStep& step) {
    const Fragment& fragment = *step.fragment;
    if (c_.plan.table && fragment.scope == Worker::block) {
      table_ = fill_table(c_, at_);
      at_ = table_.slot;
    }
    if (fragment.takes == Shape::one) cross_to(fragment.scope);
    table_slot_ = fragment.scope == Worker::block ? at_ : table_slot_;
    put_call(fragment, call_text(fragment, step, {&fragment}, {}));
  }

  Code call_text(const Fragment& fragment, const FragmentStep& step, const TermsCall& terms,
                 const Range& range) {
    c_.use(fragment.name);
    std::vector<int> numbers;
    for (const TemplateRole role : fragment.template_arguments)
      numbers.push_back(number(role, step, terms));
    std::vector<Code> arguments;
    for (const Role role : fragment.arguments) arguments.push_back(argument(role, step, range));
    const std::string template_arguments =
        numbers.empty() ? "" : fmt::format("<{}>", fmt::join(numbers, ", "));
    return code("{}{}({})", fragment.name, template_arguments, joined(arguments, ", "));
  }

  /// The sums of a gang's lanes, 0 where a lane has added pads alone.
  Code without_empty_lanes(const Code& sums) {
    const std::vector<std::uint32_t>& words = c_.plan.layout.empty_lanes;
    if (words.empty()) return sums;
    const LevelFacts& threads = c_.thread_level();
    const bool outermost = threads.parent == Level::matrix;
    const Code gang =
        Code::named(outermost ? "gang" : part_name(c_.store, *c_.store.level(threads.parent)));
    c_.format.add_u32("empty_lanes", words, "bit l: lane l has pads alone");
    Code bits = c_.format.read("empty_lanes", gang);
    if (words_of_lanes(c_.gang) == 2) {
      bits = code("{} | std::uint64_t{{{}}} << 32",
                  c_.format.read("empty_lanes", code("2 * {}", gang)),
                  c_.format.read("empty_lanes", code("2 * {} + 1", gang)));
    }
    return code("clear({}, {})", bits, sums);
  }

  int number(TemplateRole role, const FragmentStep& step, const TermsCall& terms) const {
    switch (role) {
      case TemplateRole::part_size:
        return c_.thread_level().part_size;
      case TemplateRole::vector:
        return c_.store.vector;
      case TemplateRole::lanes:
        return c_.gang > 0 ? c_.gang : step.lanes;
      case TemplateRole::sums:
        return step.sums;
      case TemplateRole::batch:
        return terms.batch;
      case TemplateRole::count:
        return terms.count;
      case TemplateRole::threads:
        return c_.threads();
      case TemplateRole::block_cols:
        return reads_.cols;
      case TemplateRole::band_rows:
        return reads_.rows;
      case TemplateRole::block_run:
        return c_.store.layout_as<Bands>()->run;
    }
    CHECK(!"a template role without a number");
    return 0;
  }

  Code argument(Role role, const FragmentStep& step, const Range& thread_range) {
    switch (role) {
      case Role::first:
        return thread_range.first;
      case Role::end:
        return thread_range.end;
      case Role::first_block:
        return thread_range.first_block;
      case Role::end_block:
        return thread_range.end_block;
      case Role::step:
        return thread_range.step;
      case Role::local:
        return thread_range.local;
      case Role::first_bit:
        return thread_range.bit;
      case Role::block_lane:
        return thread_range.lane;
      case Role::term:
        return path_.term;
      case Role::row:
        return y_row_.empty() ? c_.row : Code("$y_row");
      case Role::partial:
        return Code::named(value_);
      case Role::open:
        return segments_.open;
      case Role::seg_offset:
        return segments_.seg_offset;
      case Role::path_row:
        return path_.row;
      case Role::path_end:
        return path_.end;
      case Role::row_end:
        return path_.row_end;
      case Role::table:
        return c_.table(c_.plan.table ? c_.plan.table->slots : c_.threads() / step.lanes);
      case Role::flags:
        return c_.flags();
      case Role::first_row:
        return table_.first_row;
      case Role::end_row:
        return table_.end_row;
      default:
        return bound_name(role);
    }
  }

  /// Puts a call where it belongs; a thread without a row brings 0.
  void put_call(const Fragment& fragment, const Code& text) {
    Slot& slot = c_.slots[at_];
    value_ = fragment.result_name;
    summed_by_ = fragment.scope;
    if (value_.empty()) {
      slot.after.push_back(call(text));
      return;
    }
    if (!c_.predicate.empty() && fragment.takes == Shape::none) {
      slot.after.push_back(local("Value", value_, "0"));
      slot.after.push_back({"", Code::named(value_), text, c_.predicate, ""});
      return;
    }
    const bool of_thread = fragment.scope == Worker::thread;
    const std::string type =
        of_thread ? c_.lanes_type(fragment.result_type) : std::string(fragment.result_type);
    slot.after.push_back(local(type, value_, text));
  }

  /// Moves the value outwards to a slot that all workers of `scope` run together. Loops between add
  /// up.
  void cross_to(Worker scope) {
    std::size_t target = at_;
    while (c_.slots[target].uniform < scope) {
      CHECK(target > 0);
      --target;
    }
    if (target == at_) return;
    const bool is_of_warps = scope == Worker::block && summed_by_ == Worker::warp;
    value_ = is_of_warps ? "warps_total" : "total";
    c_.slots[target].before.push_back(local("Value", value_, "0"));
    Statement& last = c_.slots[at_].after.back();
    last.type.clear();
    last.target = Code::named(value_);
    last.adds = true;
    at_ = target;
  }

  /// The caller's row that the value in hand belongs to.
  Code row_of_value() {
    const Worker holder = c_.store.partial.holder;
    const LevelFacts* const parts = c_.plan.parts;
    const Code row = c_.row_of_y(parts, c_.gang > 0 && holder == Worker::thread && !parts);
    return row == y_row_ && at_ + 1 == c_.slots.size() ? "$y_row" : row;
  }

  /// The condition under which a thread writes the value in hand: one of those that hold it.
  Code elect_writer() {
    std::vector<Code> guards;
    if (!c_.predicate.empty()) guards.push_back(c_.predicate);
    const Worker holder = c_.store.partial.holder;
    if (holder == Worker::group && c_.writer.simt)
      guards.push_back(code("{} == 0", c_.group_lane(c_.thread_level().lanes)));
    if (holder == Worker::warp && c_.writer.simt) guards.push_back(code("{} == 0", c_.lane()));
    if (holder == Worker::block) guards.push_back("threadIdx.x == 0");
    return joined(guards, " && ");
  }

  /// On a GPU a row that must be looked up is, ahead of the products: behind them the store would
  /// wait for it. Not that of a block's sum: only its first thread surely has one.
  Code row_read_early() {
    const Code row = row_of_value();
    const bool is_read = row.reads("f");
    const bool of_block = c_.store.partial.holder == Worker::block;
    if (!c_.writer.simt || c_.store.mirrored() || of_block || !is_read) return row;
    const Code guarded = c_.predicate.empty() ? row : code("{} ? {} : 0", c_.predicate, row);
    c_.slots[at_].bind("const int", "y_row", guarded);
    return "$y_row";
  }

  Composition& c_;
  const LayoutKind& kind_;
  const Reads reads_;
  std::size_t at_;                     ///< the slot where the value in hand lives
  std::size_t table_slot_ = 0;         ///< the slot in which the block uses its table
  std::string value_;                  ///< its name
  Worker summed_by_ = Worker::thread;  ///< the workers with a sum each
  Code y_row_;  ///< the meaning of `y_row` in the innermost slot, if it is there
  SegmentNames segments_;
  PathNames path_;
  TableNames table_;
};

/// The passes over the slots of a body, in their order.
struct Pass {
  const char *name, *description;
  void (BodyWriter::*run)();
};
constexpr Pass body_passes[] = {
    {"levels", "opens a scope, a guard or a loop for each level", &BodyWriter::open},
    {"products", "binds the product of an entry and its x", &BodyWriter::bind_products},
    {"tiles", "binds the rows of segments, or of a merge path", &BodyWriter::bind_tiles},
    {"reduction", "calls the fragments of the chain, each where all its workers meet",
     &BodyWriter::reduce},
    {"sums", "hands the sum of a row to y", &BodyWriter::store_sums},
    {"barriers", "waits before a loop writes to shared memory again", &BodyWriter::protect_shared},
    {"unread", "drops values that nothing reads, and guards that others imply",
     &BodyWriter::drop_unread},
};

/// The declarations of the body in shared memory.
std::string shared_text(const Body& body, int threads) {
  std::string text;
  if (body.table_values > 0)
    text += fmt::format("  __shared__ Value table[{}];\n", body.table_values);
  if (body.x_values > 0) text += fmt::format("  __shared__ Value x_slice[{}];\n", body.x_values);
  if (body.product_values > 0)
    text += fmt::format("  __shared__ Value products[{}];\n", body.product_values);
  if (body.row_ends > 0) text += fmt::format("  __shared__ int row_ends[{}];\n", body.row_ends);
  if (body.has_flags) text += fmt::format("  __shared__ unsigned flags[{}];\n", threads / 32);
  return text;
}

}  // namespace

Body compose_branch(BranchPlan& plan, const Matrix& matrix, FormatStruct& format,
                    const BodyTrace& trace) {
  format.compact(plan.store->compact);
  format.set_gang(plan.store->gang());
  format.add_values(matrix, std::move(plan.layout.value_source));
  layout_kind(*plan.store).columns(plan, matrix, format);
  if (plan.store->launch.streamed) format.stream({"value"});
  const LevelFacts& outermost = plan.store->levels().front();
  const bool has_work =
      plan.store->rows() > 0 && (outermost.tiling == Tiling::lanes || outermost.parts > 0);
  if (!has_work) return {};
  Composition composition(plan, format, find_writer(plan.store->target()));
  if (plan.store->launch.fused) composition.block = "$block_index";
  BodyWriter writer(composition);
  for (const Pass& pass : body_passes) {
    (writer.*pass.run)();
    if (trace) trace({pass.name, pass.description, composition.slots});
  }
  add_step_walk(plan, format);
  composition.body.tasks = composition.writer.tasks(composition);
  composition.body.text = Code::plain(shared_text(composition.body, composition.threads())) +
                          printed(composition.slots, 1);
  return std::move(composition.body);
}

}  // namespace alphasparse
