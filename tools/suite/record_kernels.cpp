// record_kernels: checksums of the program's results, so that a change of its structure can be
// shown to change none of them.
//
//   record_kernels FOLDER [NAMES] [--winners TRIALS]
//
// FOLDER holds matrices NAME.mtx.gz, NAMES is a file with a name a line (default
// tools/suite/matrices.txt). A line of the output, its columns separated by tabs:
//
//   kernel   MATRIX  TARGET  TYPE  DESIGN  checksum of the kernel's text  checksum of the format
//   file refused  MATRIX  TARGET  TYPE  DESIGN  reason winner   MATRIX  DEVICE  TYPE  DESIGN  its
//   modelled microseconds
//
// Kernels are those of all named designs: for GPUs in f32, for CPUs in f64. The format file is one
// without the generator's version. A winner is that of a search by a fixed seed and a fixed number
// of trials on emulated:h200; without --winners none is searched. Two records are compared by diff.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "runtime/formats/format_file.h"
#include "runtime/matrices/matrix_file.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/files/temporary_folder.h"
#include "search/tune.h"
#include "tools/console/tool_main.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr const char* winners_device = "emulated:h200";

std::vector<std::string> read_names(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("{}: cannot be read", path));
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') names.push_back(line.substr(0, line.find(' ')));
  }
  return names;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string format_checksum(const Kernel& kernel, const Matrix& matrix, const Fingerprints& prints,
                            const fs::path& folder) {
  const fs::path file = folder / "record.safetensors";
  write_format_file(file, kernel, matrix, prints, "any", "record");
  return content_key({read_file(file)});
}

void record_named(const std::string& name, const Matrix& matrix, Target target, Dtype dtype,
                  const fs::path& folder) {
  const Fingerprints prints = fingerprints(matrix);
  Designer designer(matrix, target);
  for (const NamedDesign& named : named_designs(target)) {
    const std::string key =
        fmt::format("{}\t{}\t{}\t{}", name, target == Target::cpu ? "cpu" : "cuda",
                    dtype_name(dtype), named.name);
    const Result<Kernel> kernel = designer.build(make_canonical(named, target).text(), dtype);
    if (kernel) {
      fmt::print("kernel\t{}\t{}\t{}\n", key, content_key({kernel->source}),
                 format_checksum(*kernel, matrix, prints, folder));
    } else {
      fmt::print("refused\t{}\t{}\n", key, kernel.reason());
    }
    std::fflush(stdout);
  }
}

void record_winner(const std::string& name, const Matrix& matrix, std::int64_t trials) {
  constexpr double ample_seconds = 8 * 3600;
  const std::unique_ptr<Device> device = open_device(winners_device);
  TuneOptions options;
  options.effort = {ample_seconds, trials, 0};
  options.matrix_name = name;
  const std::atomic<bool> stop = false;
  const TuneResult result = tune(matrix, *device, nullptr, options, {}, stop);
  if (!result.winner || !result.winner->timing) throw Error(name + ": nothing was verified");
  fmt::print("winner\t{}\t{}\t{}\t{}\t{:.6g}\n", name, winners_device, dtype_name(options.dtype),
             result.winner->design, result.winner->timing->time_us);
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  std::string folder, list = ALPHASPARSE_SOURCE_DIR "/tools/suite/matrices.txt";
  std::int64_t trials = 0;
  CLI::App app{"Checksums of the kernels and formats of many matrices."};
  app.add_option("FOLDER", folder, "Folder with matrices NAME.mtx.gz")->required();
  app.add_option("NAMES", list, "File with a line a matrix, which begins with its name");
  app.add_option("--winners", trials, "Also the winner of so many trials on the emulator");
  CLI11_PARSE(app, argc, argv);
  const TemporaryFolder scratch;
  for (const std::string& name : read_names(list)) {
    const Matrix matrix = read_matrix((fs::path(folder) / (name + ".mtx.gz")).string());
    record_named(name, matrix, Target::gpu, Dtype::f32, scratch.path());
    record_named(name, matrix, Target::cpu, Dtype::f64, scratch.path());
    if (trials > 0) record_winner(name, matrix, trials);
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argc, char** argv) {
  return alphasparse::tool_main("record_kernels", [&] { return alphasparse::run(argc, argv); });
}
