// bench_loader: the cost of loading a format file on the host.
//
//   bench_loader [MATRIX...]    the best of 3 runs a design, float32
//
// Without a matrix: a made one of 1e7 non-zeros, the same every time. Rows are csr-vector, also
// with the passes of compact, and csr-scalar with steps in the place of columns. A row has the
// bytes of the file, and the seconds of reading it, its digests included. Then it has the seconds
// of loading it as a standalone kernel does. The last figure is the rest of loading over reading.
// Seconds are those of one core (this thread's processor time), the file being in memory.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/text/standalone.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/formats/format_file.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/system/files/temporary_folder.h"
#include "templates/host/format_reader.h"
#include "tools/console/tool_main.h"

namespace alphasparse {
namespace {

constexpr int runs = 3;
constexpr std::int32_t made_rows = 1'000'000;

/// 1 to 19 entries a row, each some columns behind the last; values of a thousand kinds.
Matrix made_matrix() {
  std::mt19937_64 random(1);
  const auto below = [&](std::uint64_t count) {
    return static_cast<std::int32_t>(random() % count);
  };
  Matrix matrix;
  matrix.rows = matrix.cols = made_rows;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < made_rows; ++row) {
    std::int32_t col = std::max(0, row - below(2000));
    for (std::int32_t left = 1 + below(19); left > 0 && col < made_rows; --left) {
      matrix.col.push_back(col);
      matrix.value.push_back(0.5 + below(1000));
      col += 1 + below(200);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return matrix;
}

template <class Work>
double best_seconds(const Work& work) {
  const auto thread_seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  };
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double start = thread_seconds();
    work();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

void read_all(const std::string& path) { host::FormatReader(path).read_data(true); }

using Load = void (*)(const char* path);

/// The loader of an emitted file, compiled.
Load compiled_loader(const Kernel& kernel, const StandaloneInfo& info,
                     const std::filesystem::path& folder) {
  const std::filesystem::path source = folder / "loader.cpp", object = folder / "loader.so";
  std::ofstream(source)
      << loader_source(kernel, info)
      << "extern \"C\" void load(const char* path) {\n"
         "  alphasparse::host::load_format(path, alphasparse::host::facts, false);\n"
         "}\n";
  const auto made = compile_shared_object(find_host_compiler(CompilerUse::cpu), source, object,
                                          {"-std=c++17", "-fPIC", "-O3", "-march=native"});
  if (!made) throw Error(made.reason());
  void* const library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(dlerror());
  return reinterpret_cast<Load>(dlsym(library, "load"));
}

void bench_design(const Matrix& matrix, const std::string& name, const std::string& passes) {
  const Design plain = *parse_design(resolve_design(name));
  const std::string line =
      passes.empty() ? print_design(plain)
                     : print_design(with_compact(plain, parse_design(passes)->steps.front()));
  const Result<Kernel> kernel = Designer(matrix).build(line, default_dtype);
  if (!kernel) {
    fmt::print("{:<11} {:<22} refused: {}\n", name, passes, kernel.reason());
    return;
  }
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a.safetensors").string();
  write_format_file(path, *kernel, matrix, fingerprints(matrix));
  StandaloneInfo info;
  info.name = "a";
  info.fingerprints = fingerprints(matrix);
  info.structure = structure_digest(*kernel, matrix);
  const Load load = compiled_loader(*kernel, info, folder.path());
  const double reading = best_seconds([&] { read_all(path); });
  const double loading = best_seconds([&] { load(path.c_str()); });
  fmt::print("{:<11} {:<22} {:>8.1f} {:>9.3f} {:>9.3f} {:>8.2f}\n", name,
             passes.empty() ? "-" : passes,
             static_cast<double>(std::filesystem::file_size(path)) / 1e6, reading, loading,
             (loading - reading) / reading);
}

void bench(const std::string& name, const Matrix& matrix) {
  fmt::print("{}: {} x {}, {} non-zeros\n{:<34} {:>8} {:>9} {:>9} {:>8}\n", name, matrix.rows,
             matrix.cols, matrix.nnz(), "", "MB", "reading", "loading", "rest");
  for (const char* const passes :
       {"", "compact", "compact columns=packed", "compact columns=runs"}) {
    bench_design(matrix, "csr-vector", passes);
  }
  bench_design(matrix, "csr-scalar", "compact columns=deltas");
}

int run(int argument_count, char** arguments) {
  if (argument_count == 1) bench("made", made_matrix());
  for (int i = 1; i < argument_count; ++i) bench(arguments[i], read_matrix_market(arguments[i]));
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_loader",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
