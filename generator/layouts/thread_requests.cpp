#include "generator/layouts/thread_requests.h"

#include <fmt/format.h>

#include <utility>

namespace alphasparse {

Failure reject(std::string reason) { return {Status::pruned, std::move(reason)}; }

Result<LayoutChoice> UsualAnswers::operator()(const request::CodeColumns&) const {
  if (store.vector == 1) return store.layout;
  return reject("several columns are loaded at once, which compact ones are not; use columns=full");
}

std::optional<std::string> not_entries_of_a_row(const LevelFacts& threads) {
  if (threads.tiling == Tiling::lanes) return "lanes that share a row read neighbours already";
  if (threads.tiling == Tiling::merge)
    return "threads of a merge path read the rows as they lie; leave it out";
  if (threads.tiling == Tiling::rows && threads.rows_max > 1)
    return "a thread has several rows; use thread_rows rows=1";
  return std::nullopt;
}

std::optional<std::string> cannot_load(const Store& store, int vector) {
  const LevelFacts& threads = *store.level(Level::thread);
  if (vector == 1) return std::nullopt;
  if (store.mirrored()) return "mirror images are added one by one; use vector=1";
  if (threads.tiling == Tiling::lanes && store.on_cpu())
    return "a gang loads entries side by side; use vector=1";
  if (threads.rows_max > 1) return "a thread has several rows; use thread_rows rows=1";
  return std::nullopt;
}

std::optional<std::string> cannot_load_neighbours(const Store& store, int vector, int multiple) {
  if (auto reason = cannot_load(store, vector)) return reason;
  if (multiple % vector == 0) return std::nullopt;
  const bool of_lanes = store.level(Level::thread)->tiling == Tiling::lanes;
  return fmt::format("{0} do not begin at multiples of {1}; use thread_pad multiple={1}",
                     of_lanes ? "rows" : "threads", vector);
}

std::optional<std::string> cannot_read_blocks(const char* kind, const request::Total& total) {
  for (const auto& [parameter, value] :
       {std::pair{"sums", total.sums}, std::pair{"vector", total.vector},
        std::pair{"batch", total.batch}}) {
    if (value == 1) continue;
    return fmt::format("the values of a {} block are added one by one; use {}=1", kind, parameter);
  }
  if (!total.by_hardware) return std::nullopt;
  return fmt::format("the columns of a {} block are neighbours; use gather=lanes", kind);
}

std::optional<std::string> cannot_widen(const Store& store, Level level, bool padded) {
  if (store.level(Level::thread)->parent != level) return "the threads lie in warps; use warp_pad";
  if (!padded) return "the threads are not padded; put thread_pad before it";
  if (side_by_side(store.layout)) return pad_before_transposed;
  return std::nullopt;
}

std::string widened_already(Level level) {
  return fmt::format("the {}s are padded already", level_name(level));
}

std::optional<std::string> cannot_take_runs(const Store& store, int run) {
  if (run == 0) return "entries have a column each, and no runs of columns; use run=1";
  if (run > 1 && store.on_cpu()) return "a gang loads entries side by side; use run=1";
  if (!store.mirrored() || run == 1) return std::nullopt;
  return "mirror images are added one by one, but runs are loaded at once; use run=1";
}

std::string unequal_threads(const LevelFacts& threads) {
  return fmt::format("threads have from {} to {} non-zeros; put thread_pad before it",
                     threads.nz_min, threads.nz_max);
}

std::string no_multiples(int run) {
  return fmt::format("the threads' lengths are no multiples of {0}; use thread_pad multiple={0}",
                     run);
}

bool has_threads_of_entries(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  return threads && threads->tiling != Tiling::lanes;
}

std::vector<std::string_view> entry_arrays() {
  return {"value", "column", "row_first_nz", "thread_first_nz", "thread_first_row", "row_length"};
}

namespace {

// The fragment for threads that all have as many terms.
const Fragment count_fragment = {
    .name = "thread_total_count",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::count},
    .arguments = {Role::first, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {loads_with_registers, true},
};

// The fragment for threads that have one term or none.
const Fragment once_fragment = {
    .name = "thread_total_once",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
};

const Fragment total_fragment = {
    .name = "thread_total",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = plain_loop,
    .counted = &count_fragment,
    .once = &once_fragment,
};

// The fragment of a CPU's thread for a row of one triangle, which adds its mirror images too.
const Fragment mirrored_fragment = {
    .name = "thread_total_mirrored",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::row, Role::x, Role::out, Role::column_of,
                  Role::value_of, Role::image_of},
    .result_type = "const Value",
    .result_name = "sum",
    .cpu_cost = TotalCost{0.52, 0.9},
};

// The same with several sums, so that additions need not wait for each other.
const Fragment sums_fragment = {
    .name = "thread_total_sums",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::sums},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = plain_loop,
    .once = &once_fragment,
};

// The same in batches. Their loads do not wait for each other.
const Fragment batch_fragment = {
    .name = "thread_total_batch",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::batch},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = plain_loop,
    .counted = &count_fragment,
    .once = &once_fragment,
};

/// The same of lanes that share a row.
Fragment of_lanes(Fragment fragment) {
  fragment.name = "thread_total_lanes_batch";
  return fragment;
}

const Fragment lanes_batch_fragment = of_lanes(batch_fragment);

}  // namespace

FragmentStep total_of_entries(const Store& store, const request::Total& total) {
  if (store.mirrored() && store.on_cpu()) return {&mirrored_fragment, 0};
  const int lanes = store.level(Level::thread)->lanes;
  const Fragment& fragment = total.batch > 1  ? (lanes > 0 ? lanes_batch_fragment : batch_fragment)
                             : total.sums > 1 ? sums_fragment
                                              : total_fragment;
  return {&fragment, lanes, total.sums, total.batch};
}

void add_cost(const Store& store, std::string_view rows, Reads& reads) {
  const Fragment* const fragment =
      store.chain().empty() ? &total_fragment : store.chain().front().fragment;
  const bool is_usual = fragment == &total_fragment || fragment == &sums_fragment ||
                        fragment == &batch_fragment || fragment == &lanes_batch_fragment;
  if (is_usual)
    reads.cost_rows = rows;
  else
    reads.cost = fragment->cpu_cost;
}

}  // namespace alphasparse
