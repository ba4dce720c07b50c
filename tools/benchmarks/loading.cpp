// loading: the cost of loading a format file on the host. This file is compiled as users compile
// the loader.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/result.h"
#include "generator/text/standalone.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/files/temporary_folder.h"
#include "templates/host/format_reader.h"
#include "tools/benchmarks/parts.h"

namespace alphasparse {
namespace {

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
  const double reading = best_seconds(part_runs, [&] { read_all(path); });
  const double loading = best_seconds(part_runs, [&] { load(path.c_str()); });
  fmt::print("{:<11} {:<22} {:>8.1f} {:>9.3f} {:>9.3f} {:>8.2f}\n", name,
             passes.empty() ? "-" : passes,
             static_cast<double>(std::filesystem::file_size(path)) / 1e6, reading, loading,
             (loading - reading) / reading);
}

}  // namespace

void bench_loading(const std::string& name, const Matrix& matrix) {
  print_matrix(name, matrix);
  fmt::print("{:<34} {:>8} {:>9} {:>9} {:>8}\n", "", "MB", "reading", "loading", "rest");
  for (const char* const passes :
       {"", "compact", "compact columns=packed", "compact columns=runs"}) {
    bench_design(matrix, "csr-vector", passes);
  }
  bench_design(matrix, "csr-scalar", "compact columns=deltas");
}

}  // namespace alphasparse
