#include "generator/text/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/wrapped.h"
#include "generator/arrays/fragment.h"
#include "generator/body/carry_body.h"
#include "generator/body/plan.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/pad_reads.h"
#include "generator/text/fragment_text.h"
#include "generator/text/kernel_text.h"

namespace alphasparse {

namespace {

constexpr const char* product_text = "y = alpha * A * x + beta * y.";

/// A part of an SpMV, of which every task of a CPU runs its share.
std::string part_text(const std::string& name, const std::string& about, std::int64_t units,
                      const Code& body, const std::string& format = "f",
                      const std::string& x = "x") {
  return fmt::format(
      "/// {}\n"
      "/// Units [first_unit, end_unit) of {}: a task's share.\n"
      "static void {}(const Format&{}, const Value* __restrict__{}, const Output{},\n"
      "{}int first_unit, int end_unit) {{\n{}}}\n",
      about, units, name, body.reads(format) ? " " + format : "", x.empty() ? "" : " " + x,
      body.reads("out") ? " out" : "", std::string(name.size() + 13, ' '), body.text());
}

/// The first line of a part where x is gathered, in the place of the caller's x. A kernel has the
/// pointer as a parameter.
Code gathered_let(const std::string& format) {
  return code("  const Value* const x = {}.gathered_x();\n", Code::named(format));
}
constexpr const char* gathered_let_of_a_kernel = "  const Value* const x = $gathered_x_;\n";

/// One branch while the source is made. A design without branches is one of them.
struct Branch {
  Branch(BranchPlan branch_plan, Dtype dtype)
      : plan(std::move(branch_plan)), format(dtype, plan.store->target()) {}

  BranchPlan plan;
  FormatStruct format;
  Body body;
  std::size_t number = 0;  ///< from 1; 0: the whole matrix

  const Store& store() const { return *plan.store; }
  std::string struct_name() const { return fmt::format("Branch{}", number); }
  std::string name() const { return fmt::format("branch_{}", number); }
  std::string about() const { return fmt::format("Branch {}: {}.", number, store().about); }
};

/// Branches that run together, in one launch.
using Group = std::vector<Branch*>;

/// Fused branches are one group, at the place of the first of them; every other is a group alone.
std::vector<Group> groups_of(std::vector<std::unique_ptr<Branch>>& branches) {
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

/// Nearly all of x is read along diagonals. Gathered entries are slower in wide registers.
bool reads_in_order(const std::vector<Store>& stores) {
  constexpr std::int64_t gathered_share = 16;  // one of so many entries at most
  std::int64_t all = 0, gathered = 0;
  for (const Store& store : stores) {
    all += store.nnz();
    if (!kind_of(store).reads(store).x_in_order) gathered += store.nnz();
  }
  return gathered * gathered_share <= all && gathered < all;
}

class KernelBuilder {
 public:
  KernelBuilder(const Matrix& matrix, const std::string& design, Dtype dtype, Target target,
                const BodyTrace& trace)
      : matrix_(matrix), dtype_(dtype), target_(target), trace_(trace), format_(dtype, target) {
    kernel_.target = target;
    kernel_.design = design;
    kernel_.dtype = dtype;
    kernel_.rows = matrix.rows;
    kernel_.cols = matrix.cols;
    kernel_.nnz = matrix.nnz();
  }

  Result<Kernel> build(const std::vector<Store>& stores) {
    if (const auto failure = plan(stores)) return *failure;
    for (const std::unique_ptr<Branch>& branch : branches_) compose(*branch);
    if (stores.front().gathers_x()) add_gather_kernel(stores.front());
    add_init_kernel(stores.front().launch.threads);
    for (const Group& group : groups_of(branches_)) {
      if (const auto failure = too_much_shared(group)) return *failure;
      add_kernel(group);
      for (Branch* branch : group) add_carry_kernel(*branch);
    }
    for (const Launch& launch : kernel_.launches) {
      if (launch.blocks <= index_limit) continue;
      return Failure{Status::pruned, fmt::format("launch: {} blocks exceed a grid", launch.blocks)};
    }
    FormatStruct& format = whole_format();
    // The struct's functions may call fragments, so those stand before it.
    std::vector<std::string_view> first;
    if (is_cpu() && reads_in_order(stores)) first.push_back("wide");
    first.push_back("prelude");
    for (const std::string_view name : format.fragments()) first.push_back(name);
    const std::vector<std::string> present = with_included(first, target_);
    if (is_cpu()) fragments_.push_back("part");
    kernel_.source =
        fmt::format("// {}\n\n{}\n{}\n{}\n{}", kernel_.design,
                    fragment_text(first, dtype_, {}, target_), format.text("Format"),
                    fragment_text(fragments_, dtype_, {present.begin(), present.end()}, target_),
                    is_cpu() ? kernels_ : kernels_text());
    if (is_cpu()) kernel_.source += parts_text();
    kernel_.computed = format.computed_arrays();
    kernel_.steps = format.step_walks();
    kernel_.rules = format.rules();
    kernel_.workspaces = format.workspaces();
    kernel_.arrays = format.take_arrays();
    kernel_.adds_pads = !padded_.empty();
    if (kernel_.adds_pads)
      kernel_.list_pads = [branches = std::move(padded_)] { return pad_reads(branches); };
    for (const Array& array : kernel_.arrays) {
      kernel_.value_error = std::max(kernel_.value_error, array.value_error);
    }
    return std::move(kernel_);
  }

 private:
  std::optional<Failure> plan(const std::vector<Store>& stores) {
    int fused_threads = 0;
    for (const Store& store : stores) {
      Result<BranchPlan> plan = plan_branch(store);
      if (!plan) return plan.failure();
      if (dtype_ == Dtype::f64 && store.compact.values == ValueChoice::rounded) {
        if (auto failure = cannot_round(matrix_, plan->layout.value_source)) return failure;
      }
      branches_.push_back(std::make_unique<Branch>(std::move(*plan), dtype_));
      if (stores.size() > 1) branches_.back()->number = branches_.size();
      if (!store.launch.fused) continue;
      if (fused_threads != 0 && fused_threads != store.launch.threads) {
        return Failure{Status::pruned, "launch: fused branches differ in their threads"};
      }
      fused_threads = store.launch.threads;
    }
    std::vector<std::vector<BranchPlan*>> launches;
    for (const Group& group : groups_of(branches_)) {
      std::vector<BranchPlan*>& launch = launches.emplace_back();
      for (Branch* branch : group) launch.push_back(&branch->plan);
    }
    Result<std::vector<std::int32_t>> initialised = choose_sinks(launches, matrix_.rows);
    if (!initialised) return initialised.failure();
    initialised_ = std::move(*initialised);
    return std::nullopt;
  }

  void compose(Branch& branch) {
    if (branch.plan.carries) {
      branch.format.add_workspace("carry", std::max(1, branch.plan.carries->first_slot.back()),
                                  "parts of rows that tiles share, two a tile");
    }
    branch.body = compose_branch(branch.plan, matrix_, branch.format, trace_);
    fragments_.insert(fragments_.end(), branch.body.fragments.begin(), branch.body.fragments.end());
    const Sink whole = branch.plan.whole.sink, edge = branch.plan.edge.sink;
    const bool atomics = whole == Sink::atomic || edge == Sink::atomic;
    const bool in_any_order = atomics || !branch.plan.mirrored.rows.empty();
    kernel_.adds_in_any_order = kernel_.adds_in_any_order || (in_any_order && !is_cpu());
    kernel_.mirrored = kernel_.mirrored || branch.store().mirrored;
    for (const FragmentStep& step : branch.store().chain()) {
      kernel_.spreads_rounding = kernel_.spreads_rounding || step.fragment->spreads_rounding;
    }
    if (adds_pads(branch.store())) padded_.push_back(pad_store(branch.store()));
    // A branch without work has no arrays either; but a format has at least one struct.
    const bool last_hope = branch.number == branches_.size() && !format_.has_nested();
    if (branch.number == 0 || (branch.body.blocks == 0 && !last_hope)) return;
    format_.nest({branch.struct_name(), branch.name(), branch.store().about, &branch.format});
  }

  /// The format of the whole: that of the one branch, or one that nests those of several.
  FormatStruct& whole_format() {
    return branches_.size() == 1 ? branches_.front()->format : format_;
  }

  /// Copies x into the order of its renumbered columns, before all other launches.
  void add_gather_kernel(const Store& store) {
    gathers_ = true;
    const int threads = store.launch.threads;
    const std::int64_t count = store.cols();
    FormatStruct& format = whole_format();
    format.add_workspace("gathered_x", count, "x in the order in which the rows touch it");
    format.add("gathered_column", store.ints({Level::matrix, Name::col_origin}),
               {"column of x of each gathered element", 0, count - 1, false});
    const Code column = format.read("gathered_column", "index");
    append_by_index("spmv_gather",
                    is_cpu() ? "x in the order in which the rows touch it, before it is read."
                             : "x in the order in which the rows touch it, launched before it is "
                               "read.",
                    count, threads, code("$f.gathered_x()[index] = $x[{}];", column));
  }

  /// The launch before those that add: rows that no body stores before it adds to them.
  void add_init_kernel(int threads) {
    if (initialised_.empty()) return;
    FormatStruct& format = whole_format();
    const auto count = static_cast<std::int64_t>(initialised_.size());
    format.add("init_row", std::move(initialised_),
               {"rows that no launch stores whole", 0, std::int64_t{matrix_.rows} - 1, true});
    append_by_index("spmv_init",
                    fmt::format("The rows that are added to, or have no entries: y = beta * y, {}.",
                                is_cpu() ? "run first" : "launched first"),
                    count, threads,
                    code("global_init($out, {});", format.read("init_row", "index")));
    fragments_.push_back("global_init");
  }

  /// A kernel that does one thing for each of `count` indices.
  void append_by_index(const std::string& name, const std::string& about, std::int64_t count,
                       int threads, const Code& statement) {
    if (is_cpu()) {
      Code body = "  for (int index = first_unit; index < end_unit; ++index) {\n";
      body += Code::plain(wrapped(2, statement.text())).read_too(statement) + "  }\n";
      append(name, count,
             part_text(name, about, count, body, "f", statement.reads("x") ? "x" : ""));
      return;
    }
    const std::string guard = count % threads == 0 ? "" : fmt::format("if (index < {}) ", count);
    const Code body = code("  const int index = blockIdx.x * {} + threadIdx.x;\n{}", threads,
                           Code::plain(wrapped(1, guard + statement.text())).read_too(statement));
    append({name, about, threads, body}, nullptr, (count + threads - 1) / threads);
  }

  /// The part of one branch, and the functions by which its tasks are cut.
  void add_part(const Branch& branch) {
    const bool whole = branch.number == 0;
    const std::string name = whole ? "spmv" : fmt::format("spmv_{}", branch.number);
    const Code let =
        whole ? "" : code("  const {}& f = $format.{};\n", branch.struct_name(), branch.name());
    const char* const format = whole ? "f" : "format";
    const Code gathered = gathers_ ? gathered_let(format) : "";
    std::string text = part_text(name, whole ? product_text : branch.about(), branch.body.blocks,
                                 let + gathered + branch.body.text, format, gathers_ ? "" : "x");
    const auto add_function = [&](const char* type, const std::string& suffix,
                                  const Code& expression) {
      if (expression.empty()) return std::string("nullptr");
      const std::string& unit = branch.body.tasks.unit;
      const bool reads = expression.reads("f");
      text += fmt::format("\nstatic {} {}{}(const Format&{}, int{}) {{\n{}{}}}\n", type, name,
                          suffix, reads ? std::string(" ") + format : "",
                          expression.reads(unit) ? " " + unit : "", reads ? let.text() : "",
                          wrapped(1, "return " + expression.text() + ";"));
      return name + suffix;
    };
    const std::string weight = add_function("std::int64_t", "_weight", branch.body.tasks.weight);
    const std::string first_row = add_function("int", "_first_row", branch.body.tasks.first_row);
    append(name, branch.body.blocks, text);
    part_functions_[name] =
        weight + ", " + first_row + (branch.store().launch.one_task ? ", true" : "");
  }

  /// The table of all parts, in the order in which they run.
  std::string parts_text() const {
    const bool alone = std::all_of(branches_.begin(), branches_.end(), [](const auto& branch) {
      return branch->store().launch.one_task;
    });
    const char* const like_others = alone ? "nullptr, nullptr, true" : "nullptr, nullptr";
    std::string text =
        "\n/// The parts of the SpMV, one behind the other.\nstatic const Part parts[] = {\n";
    for (const Launch& launch : kernel_.launches) {
      const auto functions = part_functions_.find(launch.kernel);
      text += fmt::format("    {{{}, {}, {}}},\n", launch.kernel, launch.blocks,
                          functions == part_functions_.end() ? like_others : functions->second);
    }
    return text + "};\n";
  }

  void add_kernel(Group group) {
    std::erase_if(group, [](const Branch* branch) { return branch->body.blocks == 0; });
    if (group.empty()) return;
    append_kernel(group);
    InFlight& in_flight = kernel_.launches.back().in_flight;
    in_flight = group.front()->body.in_flight;
    for (const Branch* const branch : group)
      if (branch->body.in_flight.terms < in_flight.terms) in_flight = branch->body.in_flight;
  }

  void append_kernel(const Group& group) {
    const Branch& first = *group.front();
    if (is_cpu()) return add_part(first);
    if (first.number > 0 && first.store().launch.fused) return add_fused_kernel(group);
    KernelText kernel;
    kernel.name = first.number == 0 ? "spmv" : fmt::format("spmv_{}", first.number);
    kernel.about = first.number == 0 ? product_text : first.about();
    kernel.threads = first.store().launch.threads;
    kernel.blocks_least = first.store().launch.blocks_least;
    kernel.body = Code(gathers_ ? gathered_let_of_a_kernel : "") + first.body.text;
    kernel.takes_x = !gathers_;
    append(std::move(kernel), &first, first.body.blocks);
  }

  /// Each fused branch has its own arrays in shared memory.
  std::optional<Failure> too_much_shared(const Group& group) const {
    std::int64_t bytes = 0;
    for (const Branch* branch : group) {
      bytes += branch->body.shared_bytes(dtype_, branch->store().launch.threads);
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
        carry_body(*branch.plan.carries, branch.plan.carried.rows, matrix_.rows,
                   sink_fragment(branch.plan.carried.sink), threads, branch.format);
    fragments_.insert(fragments_.end(), carry.fragments.begin(), carry.fragments.end());
    const std::string when =
        branch.number == 0 ? "last" : fmt::format("behind branch {}", branch.number);
    append({branch.number == 0 ? "spmv_carry" : fmt::format("spmv_carry_{}", branch.number),
            fmt::format("The rows that tiles share: their parts in order, launched {}.", when),
            threads, carry.text},
           &branch, carry.blocks);
  }

  /// A function for each branch, and a kernel with blocks that share them out.
  void add_fused_kernel(const Group& group) {
    KernelText kernel;
    kernel.name = "spmv";
    kernel.about = product_text;
    kernel.threads = group.front()->store().launch.threads;
    kernel.takes_x = !gathers_;
    for (const Branch* branch : group)
      kernel.blocks_least = std::max(kernel.blocks_least, branch->store().launch.blocks_least);
    Code choice;
    std::int64_t blocks = 0;
    for (const Branch* branch : group) {
      kernel.functions += fmt::format(
          "// {}\n"
          "__device__ __forceinline__ void {}(const {}& f, const Value* __restrict__ x,\n"
          "    {}const Output& out, int block_index) {{\n{}}}\n\n",
          branch->about(), branch->name(), branch->struct_name(),
          std::string(branch->name().size() + 28, ' '), branch->body.text.text());
      const Code call = code("{0}($format.{0}, $x, $out, block{1});", branch->name(),
                             blocks == 0 ? "" : fmt::format(" - {}", blocks));
      blocks += branch->body.blocks;
      const bool last = branch == group.back();
      const std::string guard = last ? "" : fmt::format("if (block < {}) ", blocks);
      if (group.size() == 1) {
        choice += code("  {}\n", call);
      } else if (branch == group.front()) {
        choice += code("  {}{{\n    {}\n", guard, call);
      } else {
        choice += code("  }} else {}{{\n    {}\n", guard, call);
      }
    }
    if (group.size() > 1) choice += "  }\n";
    kernel.body = code("{}  const int block = blockIdx.x;\n{}",
                       gathers_ ? gathered_let_of_a_kernel : "", choice);
    append(std::move(kernel), nullptr, blocks);
  }

  /// A kernel with the parameters of the whole format, which is not complete yet. Its body reads
  /// the arrays of `branch` as f; of null, those of the whole, which fused branches share.
  void append(KernelText kernel, const Branch* branch, std::int64_t blocks) {
    kernel_.launches.push_back({kernel.name, blocks, kernel.threads});
    texts_.push_back({std::move(kernel), branch});
  }

  /// All kernels of a GPU.
  std::string kernels_text() {
    const std::vector<PointerParameter> pointers = whole_format().parameters();
    std::string text;
    for (auto& [kernel, branch] : texts_) {
      const bool of_branch = branch != nullptr && branch->number > 0;
      const std::string name = kernel.functions.empty() ? "f" : "format";
      if (kernel.body.reads(name)) {
        kernel.format = of_branch ? code("const {} f{};", branch->struct_name(),
                                         branch->format.initialiser(branch->name() + "_"))
                                  : code("const Format {}{};", name, whole_format().initialiser());
      }
      text += (text.empty() ? "" : "\n") + text_of(kernel, pointers);
    }
    return text;
  }

  /// A part of a CPU.
  void append(const std::string& name, std::int64_t units, const std::string& text) {
    if (!kernels_.empty()) kernels_ += "\n";
    kernels_ += text;
    kernel_.launches.push_back({name, units, 0});
  }

  bool is_cpu() const { return target_ == Target::cpu; }

  const Matrix& matrix_;
  const Dtype dtype_;
  const Target target_;
  const BodyTrace& trace_;
  Kernel kernel_;
  std::vector<std::unique_ptr<Branch>> branches_;
  std::vector<Store> padded_;  ///< pad_store() of those that add pads
  std::vector<std::int32_t> initialised_;
  FormatStruct format_;  ///< of all branches, where there are several
  std::vector<std::string_view> fragments_;
  std::string kernels_;  ///< on a CPU
  std::vector<std::pair<KernelText, const Branch*>> texts_;
  std::map<std::string, std::string> part_functions_;  ///< on a CPU: of tasks, as in a Part
  bool gathers_ = false;                               ///< the bodies read x from a workspace
};

}  // namespace

Result<Kernel> build_kernel(const Matrix& matrix, const std::vector<Store>& stores,
                            const std::string& design, Dtype dtype, const BodyTrace& trace) {
  return KernelBuilder(matrix, design, dtype, stores.front().target(), trace).build(stores);
}

}  // namespace alphasparse
