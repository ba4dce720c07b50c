#include "generator/text/cuda_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wrapped.h"
#include "generator/facts/layout_choice.h"

namespace alphasparse {

namespace {

/// The first line of a body where x is gathered, in the place of the caller's x.
constexpr const char* gathered_x = "  const Input x{$gathered_x_};\n";

/// The values in flight together, and their x: those of a dense block share its columns.
std::int64_t values_in_flight(const Branch& branch) {
  const Store& store = branch.store();
  if (const auto* const bands = store.layout_as<Bands>())
    return std::int64_t{bands->block.rows + 1} * bands->block.cols;
  const std::int64_t at_once = std::int64_t{branch.body.in_flight.terms} * store.vector;
  return 2 * std::min<std::int64_t>(at_once, store.level(Level::thread)->nz_max);
}

/// Whether 64 registers of a thread are too few for numbers in flight together that take several.
bool holds_many_doubles(const Branch& branch) {
  constexpr int few = 48;  // addresses and flags take the other 16
  const int registers = number_type(branch.format.dtype()).bytes / 4;
  return registers > 1 && registers * values_in_flight(branch) > few;
}

/// Blocks that a multiprocessor holds at once; 0: as the compiler likes. It likes 32 registers, by
/// which it cuts up loads that are in flight together. For these there are 64 or more, and 80 for
/// many doubles: the nearest that whole blocks allow. Sums of many columns have what they ask for.
int find_blocks_least(const Branch& branch) {
  constexpr int threads_with_64 = 1024, threads_with_80 = 768, blocks_most = 8,
                columns_bytes_with_64 = 32;
  const LaunchFacts& launch = branch.store().launch;
  const bool is_wide = branch.format.operands().element_bytes() > columns_bytes_with_64;
  if (launch.blocks_least > 0 || !branch.body.in_flight.rest || is_wide) return launch.blocks_least;
  if (!holds_many_doubles(branch)) return std::min(blocks_most, threads_with_64 / launch.threads);
  const int nearest = (threads_with_80 + launch.threads / 2) / launch.threads;
  return std::clamp(nearest, 1, blocks_most);
}

}  // namespace

std::vector<Launch> CudaSource::split_passes(const std::vector<Launch>& launches,
                                             const Operands& operands) {
  std::vector<Launch> all;
  for (int first = 0; first < operands.vectors; first += operands.pass_columns) {
    for (const Launch& launch : launches) all.emplace_back(launch).first_column = first;
  }
  return all;
}

void CudaSource::append(KernelText kernel, const Branch* branch, std::int64_t blocks) {
  launches_.push_back({kernel.name, blocks, kernel.threads});
  texts_.push_back({std::move(kernel), branch});
}

void CudaSource::add_by_index(const IndexLaunch& launch) {
  const int threads = launch.threads;
  const std::string guard =
      launch.count % threads == 0 ? "" : fmt::format("if (index < {}) ", launch.count);
  const Code statement = Code::plain(wrapped(1, guard + launch.statement.text()));
  Code body = code("  const int index = blockIdx.x * {} + threadIdx.x;\n{}", threads, statement);
  body.read_too(launch.statement);
  append({launch.name, launch.description, threads, body}, nullptr,
         (launch.count + threads - 1) / threads);
}

void CudaSource::add_carries(const Branch& branch, const Code& body, std::int64_t blocks) {
  const std::string number = branch.number == 0 ? "" : fmt::format("_{}", branch.number);
  const std::string when =
      branch.number == 0 ? "last" : fmt::format("behind branch {}", branch.number);
  append({"spmv_carry" + number,
          fmt::format("The rows that tiles share: their parts in order, launched {}.", when),
          branch.store().launch.threads, body},
         &branch, blocks);
}

void CudaSource::add_group(const Group& group) {
  const Branch& first = *group.front();
  if (first.number > 0 && first.store().launch.fused) return add_fused(group);
  KernelText kernel;
  kernel.name = first.number == 0 ? "spmv" : fmt::format("spmv_{}", first.number);
  kernel.description = first.share_description();
  kernel.threads = first.store().launch.threads;
  kernel.blocks_least = find_blocks_least(first);
  kernel.body = Code(gathers_ ? gathered_x : "") + first.body.text;
  kernel.takes_x = !gathers_;
  append(std::move(kernel), &first, first.body.blocks);
}

/// A function for each branch, and a kernel with blocks that share them out.
void CudaSource::add_fused(const Group& group) {
  KernelText kernel;
  kernel.name = "spmv";
  kernel.description = group.front()->product_description();
  kernel.threads = group.front()->store().launch.threads;
  kernel.takes_x = !gathers_;
  int requested = 0, computed = 0;
  for (const Branch* branch : group) {
    requested = std::max(requested, branch->store().launch.blocks_least);
    const int blocks = find_blocks_least(*branch);  // fewer leave more registers
    if (blocks > 0) computed = computed > 0 ? std::min(computed, blocks) : blocks;
  }
  kernel.blocks_least = requested > 0 ? requested : computed;
  Code choice;
  std::int64_t blocks = 0;
  for (const Branch* branch : group) {
    kernel.functions += fmt::format(
        "// {}\n{}{}}}\n\n", branch->description(),
        wrapped(0, fmt::format("__device__ __forceinline__ void {}(const {}& f, Input x, "
                               "const Output& out, int block_index) {{",
                               branch->name(), branch->struct_name())),
        branch->body.text.text());
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
  kernel.body = code("{}  const int block = blockIdx.x;\n{}", gathers_ ? gathered_x : "", choice);
  append(std::move(kernel), nullptr, blocks);
}

void CudaSource::append_to(Kernel& complete, const FormatStruct& format) {
  const std::vector<PointerParameter> pointers = format.parameters();
  for (auto& [kernel, branch] : texts_) {
    const bool of_branch = branch != nullptr && branch->number > 0;
    const std::string name = kernel.functions.empty() ? "f" : "format";
    if (kernel.body.reads(name)) {
      kernel.format = of_branch ? code("const {} f{};", branch->struct_name(),
                                       branch->format.initialiser(branch->name() + "_"))
                                : code("const Format {}{};", name, format.initialiser());
    }
    if (!complete.starts.empty()) complete.source += "\n";
    const WrittenKernel one = written(kernel, pointers, format.operands());
    const std::size_t start = complete.source.size();
    complete.starts.push_back({start + one.start.comment, start + one.start.declaration});
    complete.source += one.text;
  }
}

}  // namespace alphasparse
