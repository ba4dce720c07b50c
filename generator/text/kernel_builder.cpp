#include "generator/text/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/wrapped.h"
#include "generator/arrays/fragment.h"
#include "generator/body/carry_body.h"
#include "generator/body/epilogues.h"
#include "generator/body/plan.h"
#include "generator/layouts/pad_reads.h"
#include "generator/text/branch.h"
#include "generator/text/cpu_source.h"
#include "generator/text/cuda_source.h"
#include "generator/text/fragment_text.h"
#include "generator/text/kernel_order.h"

namespace alphasparse {

namespace {

/// Fused branches are one group, at the place of the first of them; every other is a group alone.
std::vector<Group> make_groups(std::vector<std::unique_ptr<Branch>>& branches) {
  std::vector<Group> groups;
  std::size_t fused = branches.size();
  for (const std::unique_ptr<Branch>& branch : branches) {
    if (branch->store().launch.fused && fused < groups.size()) {
      groups[fused].push_back(branch.get());
      continue;
    }
    if (branch->store().launch.fused) fused = groups.size();
    groups.push_back({branch.get()});
  }
  return groups;
}

/// `Source` is the text of a target: CudaSource or CpuSource.
template <class Source>
class KernelBuilder {
 public:
  KernelBuilder(const Matrix& matrix, const std::vector<Store>& stores, const std::string& design,
                const Operands& operands, const BodyTrace& trace)
      : matrix_(matrix),
        operands_(operands),
        dtype_(operands.dtype),
        target_(stores.front().target()),
        trace_(trace),
        format_(operands, target_),
        source_(stores) {
    kernel_.target = target_;
    kernel_.dialect = operands.dialect;
    kernel_.design = design;
    kernel_.dtype = dtype_;
    kernel_.vectors = operands.vectors;
    kernel_.pass_columns = operands.pass_columns;
    kernel_.rows = matrix.rows;
    kernel_.cols = matrix.cols;
    kernel_.nnz = matrix.nnz();
  }

  Result<Kernel> build(std::vector<Store>& stores) {
    if (const auto failure = plan(stores)) return *failure;
    for (const std::unique_ptr<Branch>& branch : branches_) compose(*branch);
    if (stores.front().gathers_x()) add_gather_kernel(stores.front());
    if (const auto& own = stores.front().own_order()) add_own_order(*own);
    add_init_kernel(stores.front().launch.threads);
    for (const Group& group : make_groups(branches_)) {
      if (const auto failure = too_much_shared(group)) return *failure;
      add_kernel(group);
      for (Branch* branch : group) add_carry_kernel(*branch);
    }
    for (const Launch& launch : source_.launches()) {
      if (launch.blocks <= index_limit) continue;
      return Failure{Status::pruned, fmt::format("launch: {} blocks exceed a grid", launch.blocks)};
    }
    FormatStruct& format = whole_format();
    write_source();
    for (const std::unique_ptr<Branch>& branch : branches_) branch->plan = {};  // before the values
    kernel_.launches = Source::split_passes(std::move(source_.launches()), operands_);
    kernel_.computed = format.computed_arrays();
    kernel_.steps = format.step_walks();
    kernel_.workspaces = format.workspaces();
    kernel_.arrays = format.take_arrays();
    kernel_.own_order = stores.front().own_order();
    kernel_.adds_pads = !padded_.empty();
    if (kernel_.adds_pads)
      kernel_.list_pads = [branches = std::move(padded_)] { return pad_reads(branches); };
    for (const Array& array : kernel_.arrays) {
      kernel_.value_error = std::max(kernel_.value_error, array.value_error);
    }
    return std::move(kernel_);
  }

 private:
  /// All that is known now, in the order in which it is read.
  void write_source() {
    FormatStruct& format = whole_format();
    std::vector<std::string_view> names = source_.first_fragments();
    names.push_back("prelude");
    for (const std::string_view name : format.fragments()) names.push_back(name);
    names.insert(names.end(), fragments_.begin(), fragments_.end());
    for (const std::string_view name : source_.last_fragments()) names.push_back(name);
    source_.append_to(kernel_, format);
    const std::string kernels = std::move(kernel_.source), table = source_.table(),
                      arrays = format.text("Format");
    const KernelOrder order =
        kernel_order(fragment_texts(names, operands_, target_), arrays + kernels, table);
    kernel_.source =
        fmt::format("{}\n{}\n{}\n", wrapped(0, "// " + kernel_.design), order.front, arrays);
    for (Kernel::Start& start : kernel_.starts) {
      start.comment += kernel_.source.size();
      start.declaration += kernel_.source.size();
    }
    kernel_.source += kernels;
    if (!order.behind.empty()) kernel_.source += "\n" + order.behind;
    kernel_.source += table;
  }

  std::optional<Failure> plan(std::vector<Store>& stores) {
    int fused_threads = 0;
    for (Store& store : stores) {
      Result<BranchPlan> plan = plan_branch(store);
      if (!plan) return plan.failure();
      store.forget_sources();
      if (number_type(dtype_).is_widest() && store.compact.values == ValueChoice::rounded) {
        if (auto failure = cannot_round(matrix_, plan->layout.value_source)) return failure;
      }
      branches_.push_back(std::make_unique<Branch>(std::move(*plan), operands_));
      if (stores.size() > 1) branches_.back()->number = branches_.size();
      if (!store.launch.fused) continue;
      if (fused_threads != 0 && fused_threads != store.launch.threads) {
        return Failure{Status::pruned, "launch: fused branches differ in their threads"};
      }
      fused_threads = store.launch.threads;
    }
    std::vector<std::vector<BranchPlan*>> launches;
    for (const Group& group : make_groups(branches_)) {
      std::vector<BranchPlan*>& launch = launches.emplace_back();
      for (Branch* branch : group) launch.push_back(&branch->plan);
    }
    Result<std::vector<std::int32_t>> initialised = choose_epilogues(launches, matrix_.rows);
    if (!initialised) return initialised.failure();
    initialised_ = std::move(*initialised);
    for (const std::unique_ptr<Branch>& branch : branches_) forget_rows(branch->plan);
    return std::nullopt;
  }

  /// From now on only the epilogues are needed. The lists of some ports hold arrays.
  static void forget_rows(BranchPlan& plan) {
    for (RowPort* const port : {&plan.whole, &plan.edge, &plan.carried}) port->rows = nullptr;
  }

  void compose(Branch& branch) {
    if (branch.plan.carries) {
      branch.format.add_workspace("carry", std::max(1, branch.plan.carries->first_slot.back()),
                                  "parts of rows that tiles share, two a tile");
    }
    branch.body = compose_branch(branch.plan, matrix_, branch.format, trace_);
    branch.plan.staged.reset();  // the format has its arrays now
    fragments_.insert(fragments_.end(), branch.body.fragments.begin(), branch.body.fragments.end());
    const Epilogue whole = branch.plan.whole.epilogue, edge = branch.plan.edge.epilogue;
    const bool atomics = whole == Epilogue::atomic || edge == Epilogue::atomic;
    const bool in_any_order = atomics || branch.plan.mirrored.rows != nullptr;
    kernel_.adds_in_any_order =
        kernel_.adds_in_any_order || (in_any_order && Source::adds_in_any_order);
    kernel_.mirror = branch.store().mirror;
    for (const FragmentStep& step : branch.store().chain()) {
      kernel_.spreads_rounding = kernel_.spreads_rounding || step.fragment->spreads_rounding;
    }
    if (adds_pads(branch.store())) padded_.push_back(pad_store(branch.store()));
    // A branch without work has no arrays either; but a format has at least one struct.
    const bool last_hope = branch.number == branches_.size() && !format_.has_nested();
    if (branch.number == 0 || (branch.body.blocks == 0 && !last_hope)) return;
    format_.nest({branch.struct_name(), branch.name(), branch.store().description, &branch.format});
  }

  /// The format of the whole: that of the one branch, or one that nests those of several.
  FormatStruct& whole_format() {
    return branches_.size() == 1 ? branches_.front()->format : format_;
  }

  /// Copies x into the order of its renumbered columns, before all other launches.
  void add_gather_kernel(const Store& store) {
    source_.gather_x();
    const int threads = store.launch.threads;
    const std::int64_t count = store.cols();
    FormatStruct& format = whole_format();
    format.add_workspace("gathered_x", count, "x in the order in which the rows touch it");
    format.add("gathered_column", store.ints({Level::matrix, Name::col_origin}),
               "column of x of each gathered element");
    const Code column = format.read("gathered_column", "index");
    const std::string description =
        fmt::format("x in the order in which the rows touch it, {}.", Source::goes_before_reads);
    source_.add_by_index({"spmv_gather", description, count, threads,
                          code("$f.gathered_x()[index] = $x[{}];", column)});
  }

  /// The own order of the vectors, for the C functions that move them.
  void add_own_order(const VectorsOrder& order) {
    const auto add = [&](const char* name, const std::vector<std::int32_t>& indices,
                         const char* doc) {
      whole_format().add_u32(name, {indices.begin(), indices.end()}, doc);
      whole_format().keep(name);
    };
    add(own_rows_array, order.rows, "the caller's row of each element of y");
    if (order.columns != order.rows)
      add(own_columns_array, order.columns, "the caller's column of each element of x");
  }

  /// The launch before those that add: rows that no body stores before it adds to them.
  void add_init_kernel(int threads) {
    if (initialised_.empty()) return;
    FormatStruct& format = whole_format();
    const auto count = static_cast<std::int64_t>(initialised_.size());
    format.add("init_row", std::move(initialised_), "rows without a writer, or with several");
    const std::string description = fmt::format(
        "The rows that are added to, or have no entries: y = beta * y, {}.", Source::goes_first);
    source_.add_by_index({"spmv_init", description, count, threads,
                          code("global_init($out, {});", format.read("init_row", "index"))});
    fragments_.push_back("global_init");
  }

  void add_kernel(Group group) {
    std::erase_if(group, [](const Branch* branch) { return branch->body.blocks == 0; });
    if (group.empty()) return;
    source_.add_group(group);
    InFlight& in_flight = source_.launches().back().in_flight;
    in_flight = group.front()->body.in_flight;
    for (const Branch* const branch : group)
      if (branch->body.in_flight.terms < in_flight.terms) in_flight = branch->body.in_flight;
  }

  /// Each fused branch has its own arrays in shared memory.
  std::optional<Failure> too_much_shared(const Group& group) const {
    std::int64_t bytes = 0;
    for (const Branch* branch : group) {
      bytes += branch->body.shared_bytes(operands_, branch->store().launch.threads);
    }
    if (bytes <= shared_bytes_max) return std::nullopt;
    return Failure{Status::pruned, fmt::format("a block needs {} bytes of shared memory, it may "
                                               "have {}",
                                               bytes, shared_bytes_max)};
  }

  /// The launch behind a branch's own: rows that its tiles share.
  void add_carry_kernel(Branch& branch) {
    if (!branch.plan.carries || branch.plan.carries->rows.empty()) return;
    const int threads = branch.store().launch.threads;
    const CarryBody carry =
        carry_body(*branch.plan.carries, epilogue_fragment(branch.plan.carried.epilogue), threads,
                   branch.format);
    fragments_.insert(fragments_.end(), carry.fragments.begin(), carry.fragments.end());
    if constexpr (Source::has_carries) source_.add_carries(branch, carry.text, carry.blocks);
  }

  const Matrix& matrix_;
  const Operands operands_;
  const Dtype dtype_;
  const Target target_;
  const BodyTrace& trace_;
  Kernel kernel_;
  std::vector<std::unique_ptr<Branch>> branches_;
  std::vector<Store> padded_;  ///< pad_store() of those that add pads
  std::vector<std::int32_t> initialised_;
  FormatStruct format_;  ///< of all branches, where there are several
  std::vector<std::string_view> fragments_;
  Source source_;
};

/// The columns of a pass over A. All branches have as many. A GPU's thread has registers for a sum
/// of 128 bytes: that, or less, is all that it takes at once.
Result<int> columns_of_pass(const std::vector<Store>& stores, const Operands& operands) {
  constexpr int sum_bytes_most = 128;
  const int vectors = operands.vectors;
  const int requested = stores.front().launch.columns;
  for (const Store& store : stores) {
    if (store.launch.columns != requested)
      return Failure{Status::pruned, "launch: branches differ in their columns"};
  }
  if (vectors > 1 && stores.front().own_order())
    return Failure{Status::pruned, "permute: an order of its own is for one vector"};
  if (requested == 0 && stores.front().on_cpu()) return vectors;
  if (requested == 0) return std::min(vectors, sum_bytes_most / number_type(operands.dtype).bytes);
  if (vectors == 1) return Failure{Status::pruned, "launch: columns= is for several vectors"};
  return std::min(requested, vectors);
}

/// Why these stores and these numbers do not go together, or nothing.
std::optional<std::string> cannot_store(const Matrix& matrix, const std::vector<Store>& stores,
                                        const Operands& operands) {
  const bool blocks = std::any_of(stores.begin(), stores.end(), [](const Store& store) {
    return store.mirrored() && store.layout_as<Bands>() != nullptr;
  });
  if (blocks && (operands.is_complex() || operands.vectors > 1))
    return "blocks of one triangle are for one vector of real numbers; use thread_rows rows=1";
  if (operands.is_complex() && operands.vectors > 1)
    return "several vectors have real numbers; use --vectors 1";
  if (!matrix.is_complex()) return std::nullopt;
  if (!operands.is_complex()) return "the matrix is complex; use c64 or c128";
  const bool wide = std::any_of(stores.begin(), stores.end(),
                                [](const Store& store) { return store.vector > 1; });
  if (wide && number_type(operands.dtype).bytes == 16)
    return "a load of 16 bytes brings one complex value of doubles; use vector=1";
  return std::nullopt;
}

}  // namespace

Result<Kernel> build_kernel(const Matrix& matrix, std::vector<Store>& stores,
                            const std::string& design, Operands operands, const BodyTrace& trace) {
  const Result<int> columns = columns_of_pass(stores, operands);
  if (!columns) return columns.failure();
  operands.pass_columns = *columns;
  operands.stores_reals = !matrix.is_complex();
  if (auto reason = cannot_store(matrix, stores, operands)) return Failure{Status::pruned, *reason};
  if (stores.front().on_cpu())
    return KernelBuilder<CpuSource>(matrix, stores, design, operands, trace).build(stores);
  return KernelBuilder<CudaSource>(matrix, stores, design, operands, trace).build(stores);
}

}  // namespace alphasparse
