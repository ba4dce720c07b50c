// bench_sass: how many loads the kernels of every named design have in flight, by their machine
// code: NVRTC compiles them, with the product's options, and nvdisasm prints what became of them.
//
//   bench_sass [MATRIX...]                 without matrices, of a made one of 4e4 non-zeros
//   bench_sass --design NAME-OR-LINE ...   another design, or several; --arch sm_90; --json
//
// nvdisasm is the one that ALPHASPARSE_NVDISASM names, else the one in PATH; tools/setup --all
// installs it in build/peers. No GPU is needed. For each kernel, f32 and f64, are printed:
//
//   registers, spills   of a thread, as ptxas tells; bytes of spill stores and loads
//   loads, constant     instructions that load from global memory, and of these by LDG.CONSTANT
//   non-zeros           products in one round of the main loop (sass_loads.h says what counts), the
//                       loop without another one inside that loads most; of a kernel without loops
//                       that load, marked *, all of it, every instruction once
//   a non-zero          instructions, and loads, of that round for each of its non-zeros
//   first               loads ahead of its first product
//   in flight           loads issued up to each wait in it
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/child_process.h"
#include "tools/benchmarks/sass_loads.h"
#include "tools/console/tool_main.h"

namespace alphasparse {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> matrices;
  std::vector<std::string> designs;
  std::string arch = "sm_90";
  bool json = false;
};

/// 2,000 rows of 1 to 49 entries; the same with every compiler.
Matrix made_matrix() {
  Matrix matrix;
  matrix.rows = matrix.cols = 2'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t entry = 0; entry <= row * 7 % 49; ++entry) {
      matrix.col.push_back(entry * 40 + row * 13 % 40);
      matrix.value.push_back(1.0 / (1 + row + entry));
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return matrix;
}

std::string disassembled(const std::vector<std::byte>& cubin) {
  const char* const named = std::getenv("ALPHASPARSE_NVDISASM");
  const std::string program = named != nullptr && *named != '\0' ? named : "nvdisasm";
  const TemporaryFolder folder;
  const auto file =
      folder.write("kernel.cubin", {reinterpret_cast<const char*>(cubin.data()), cubin.size()});
  ChildOptions limits;
  limits.output_bytes_max = std::int64_t{64} << 20;
  const ChildResult result = run_child({program, "-c", file.string()}, limits);
  if (result.succeeded()) return result.output;
  throw Error(ExitCode::no_device,
              fmt::format("{}: {}{}; ALPHASPARSE_NVDISASM names nvdisasm, and tools/setup --all "
                          "installs it in build/peers",
                          program, result.how_it_ended(),
                          result.errors.empty() ? "" : ": " + result.errors));
}

/// One kernel of a design, or why there is none.
struct Row {
  std::string design, kernel, reason;
  Dtype dtype = Dtype::f32;
  KernelFacts facts;
  SassLoads whole, loop;
  bool has_loop = false;
};

std::vector<Row> rows_of(const Matrix& matrix, const Options& options, const std::string& design,
                         Dtype dtype) {
  Row row;
  row.design = design;
  row.dtype = dtype;
  const Result<Kernel> kernel = Designer(matrix).build(resolve_design(design), dtype);
  const auto compiled = kernel ? compile_cached(kernel->source, options.arch)
                               : Result<CompiledKernel>(kernel.failure());
  if (!compiled) {
    row.reason = compiled.reason();
    return {row};
  }
  std::vector<Row> rows;
  const std::vector<SassKernel> code = parse_sass(disassembled(compiled->cubin));
  for (const Launch& launch : kernel->launches) {
    for (const SassKernel& one : code) {
      if (one.name != launch.kernel) continue;
      const SassRange loop = main_loop(one);
      row.kernel = one.name;
      if (const KernelFacts* const facts = compiled->find(one.name)) row.facts = *facts;
      row.whole = loads_of(one, {0, one.instructions.size()});
      row.loop = loads_of(one, loop);
      row.has_loop = loop.repeats;
      rows.push_back(row);
    }
  }
  return rows;
}

/// "2.5", or - where there is nothing to divide by.
std::string ratio(int number, int by) {
  return by == 0 ? "-" : fmt::format("{:.1f}", static_cast<double>(number) / by);
}

int spill_bytes(const KernelFacts& facts) {
  return std::max(facts.spill_store_bytes, 0) + std::max(facts.spill_load_bytes, 0);
}

/// "[2,1,2,1,5]", or its beginning where it is long.
std::string in_flight_text(const std::vector<int>& loads) {
  constexpr std::size_t shown = 16;
  const std::vector<int> first(
      loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(std::min(shown, loads.size())));
  return fmt::format("[{}{}]", fmt::join(first, ","), loads.size() > shown ? ",..." : "");
}

std::string text_of(const Row& row) {
  const std::string name = fmt::format("{:<20} {}", row.design, dtype_name(row.dtype));
  if (!row.reason.empty()) return fmt::format("{} refused: {}\n", name, row.reason);
  return fmt::format("{} {:<12} {:>5} {:>6} {:>6} {:>8} {:>5}{} {:>7} {:>7} {:>5}  {}\n", name,
                     row.kernel, row.facts.registers, spill_bytes(row.facts), row.whole.loads,
                     row.whole.constant_loads, row.loop.nonzeros, row.has_loop ? ' ' : '*',
                     ratio(row.loop.instructions, row.loop.nonzeros),
                     ratio(row.loop.loads, row.loop.nonzeros), row.loop.ahead_of_the_product,
                     in_flight_text(row.loop.in_flight));
}

Json loads_json(const SassLoads& loads) {
  return {{"instructions", loads.instructions},
          {"loads", loads.loads},
          {"constant_loads", loads.constant_loads},
          {"local_accesses", loads.local_accesses},
          {"nonzeros", loads.nonzeros},
          {"in_flight", loads.in_flight},
          {"ahead_of_the_product", loads.ahead_of_the_product}};
}

Json json_of(const Row& row) {
  Json json = {{"design", row.design}, {"dtype", dtype_name(row.dtype)}};
  if (!row.reason.empty()) {
    json["refused"] = row.reason;
    return json;
  }
  json["kernel"] = row.kernel;
  json["registers"] = row.facts.registers;
  json["spill_bytes"] = spill_bytes(row.facts);
  json["has_loop"] = row.has_loop;
  json["whole"] = loads_json(row.whole);
  json["main_loop"] = loads_json(row.loop);
  return json;
}

void bench(const std::string& name, const Matrix& matrix, const Options& options, Json& results) {
  Json kernels = Json::array();
  if (!options.json) {
    fmt::print(
        "{}: {} x {}, {} non-zeros, {}\n{:<24} {:<12} {:>5} {:>6} {:>6} {:>8} {:>5}  {:>7} "
        "{:>7} {:>5}  {}\n",
        name, matrix.rows, matrix.cols, matrix.nnz(), options.arch, "design", "kernel", "regs",
        "spills", "loads", "constant", "nz", "instr/nz", "load/nz", "first", "in flight");
  }
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    for (const std::string& design : options.designs) {
      for (const Row& row : rows_of(matrix, options, design, dtype)) {
        if (!options.json) fmt::print("{}", text_of(row));
        kernels.push_back(json_of(row));
      }
      std::fflush(stdout);
    }
  }
  results.push_back({{"matrix", name},
                     {"rows", matrix.rows},
                     {"columns", matrix.cols},
                     {"nonzeros", matrix.nnz()},
                     {"arch", options.arch},
                     {"kernels", std::move(kernels)}});
}

Options parse(int argument_count, char** arguments) {
  Options options;
  CLI::App app("Loads in flight, by the machine code of kernels", "bench_sass");
  app.add_option("MATRIX", options.matrices, "Matrix Market files, plain or .gz");
  app.add_option("--design", options.designs, "A named design or a line (default: all named)")
      ->allow_extra_args(false);
  app.add_option("--arch", options.arch, "A real architecture")->capture_default_str();
  app.add_flag("--json", options.json, "One JSON array instead of tables");
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see bench_sass --help", error.what()));
  }
  if (!options.designs.empty()) return options;
  for (const NamedDesign& design : named_designs()) options.designs.emplace_back(design.name);
  return options;
}

int run(int argument_count, char** arguments) {
  const Options options = parse(argument_count, arguments);
  if (!nvrtc()) throw Error(ExitCode::no_device, nvrtc().reason());
  Json results = Json::array();
  for (const std::string& file : options.matrices)
    bench(file, read_matrix_market(file), options, results);
  if (options.matrices.empty()) bench("made", made_matrix(), options, results);
  if (options.json) fmt::print("{}\n", results.dump(2));
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_sass",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
