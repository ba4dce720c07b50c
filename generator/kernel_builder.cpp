#include "generator/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/compose.h"
#include "generator/fragment_text.h"
#include "generator/plan.h"

namespace alphasparse {

namespace {

constexpr std::int64_t shared_bytes_max = 48 << 10;  // without asking the driver for more

std::string kernel_text(const std::string& name, const std::string& about, int threads,
                        const std::string& body) {
  return fmt::format(
      "// {}\n"
      "extern \"C\" __global__ void __launch_bounds__({})\n"
      "    {}(const Format f, const Value* __restrict__ x, const Output out) {{\n{}}}\n",
      about, threads, name, body);
}

/// The launch before all others: rows that no body stores whole.
std::string init_kernel(std::vector<std::int32_t> rows, int threads, FormatStruct& format,
                        Launch& launch) {
  const auto count = static_cast<std::int64_t>(rows.size());
  format.add("init_row", std::move(rows),
             {"rows that no launch stores whole", 0, index_limit, true});
  launch = {"spmv_init", (count + threads - 1) / threads, threads};
  const std::string guard = count % threads == 0 ? "" : fmt::format("if (index < {}) ", count);
  const std::string body =
      fmt::format("  const int index = blockIdx.x * {} + threadIdx.x;\n", threads) +
      wrapped(1, fmt::format("{}global_init(out, {});", guard, format.read("init_row", "index")));
  return kernel_text(
      "spmv_init", "The rows that are added to, or have no entries: y = beta * y, launched first.",
      threads, body);
}

/// The launch after all others: rows that tiles share.
std::string carry_kernel(const BranchPlan& plan, int threads, FormatStruct& format, Body& body,
                         Launch& launch) {
  const CarryBody carry =
      carry_body(*plan.carries, plan.edge.rows, plan.edge.adds ? "global_add" : "global_store",
                 threads, format);
  launch = {"spmv_carry", carry.blocks, threads};
  for (const std::string_view fragment : carry.fragments) body.fragments.push_back(fragment);
  return kernel_text("spmv_carry",
                     "The rows that tiles share: their parts in order, launched last.", threads,
                     carry.text);
}

}  // namespace

Result<Kernel> build_kernel(const Matrix& matrix, const Store& store, const std::string& design,
                            Dtype dtype) {
  Result<BranchPlan> plan = plan_branch(store);
  if (!plan) return plan.failure();
  Result<std::vector<std::int32_t>> initialised = choose_sinks({&*plan}, matrix.rows);
  if (!initialised) return initialised.failure();

  Kernel kernel;
  kernel.design = design;
  kernel.dtype = dtype;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  kernel.adds_in_any_order = plan->whole.adds_in_any_order() || plan->edge.adds_in_any_order();
  for (const FragmentStep& step : store.chain) {
    kernel.spreads_rounding = kernel.spreads_rounding || step.fragment->spreads_rounding;
  }

  FormatStruct format(dtype);
  if (plan->carries) {
    format.add_workspace("carry", std::max(1, plan->carries->first_slot.back()),
                         "parts of rows that tiles share, two a tile");
  }
  Body body = compose_branch(*plan, matrix, format);
  const std::int64_t shared_bytes =
      body.table_values * dtype_bytes(dtype) + (body.has_flags ? store.launch.threads / 8 : 0);
  if (shared_bytes > shared_bytes_max) {
    return Failure{Status::pruned,
                   fmt::format("a block needs {} bytes of shared memory, it may have {}",
                               shared_bytes, shared_bytes_max)};
  }
  std::string kernels;
  const int threads = store.launch.threads;
  if (!initialised->empty()) {
    Launch launch;
    kernels += init_kernel(std::move(*initialised), threads, format, launch);
    kernel.launches.push_back(launch);
    body.fragments.push_back("global_init");
  }
  if (body.blocks > 0) {
    if (!kernels.empty()) kernels += "\n";
    kernels += kernel_text("spmv", "y = alpha * A * x + beta * y.", threads, body.text);
    kernel.launches.push_back({"spmv", body.blocks, threads});
  }
  if (plan->carries && !plan->carries->rows.empty()) {
    kernels += "\n" + carry_kernel(*plan, threads, format, body, kernel.launches.emplace_back());
  }
  for (const Launch& launch : kernel.launches) {
    if (launch.blocks > index_limit) {
      return Failure{Status::pruned, fmt::format("launch: {} blocks exceed a grid", launch.blocks)};
    }
  }

  kernel.source = fmt::format("// {}\n\n{}\n{}\n{}\n{}", design, fragment_text({"prelude"}, dtype),
                              format.text("Format"),
                              fragment_text(body.fragments, dtype, {"prelude"}), kernels);
  kernel.computed = format.computed_arrays();
  kernel.workspaces = format.workspaces();
  kernel.arrays = format.take_arrays();
  return kernel;
}

}  // namespace alphasparse
