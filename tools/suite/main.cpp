// bench_suite: the tuned kernel of many matrices beside the vendor's best algorithm, or, where
// times are modelled, beside the best named design.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "generator/arrays/operands.h"
#include "runtime/matrices/matrix_file.h"
#include "runtime/system/files/atomic_file.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/outputs.h"
#include "tools/console/tool_main.h"
#include "tools/console/twin_inputs.h"
#include "tools/suite/suite.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

struct Command {
  std::vector<std::string> paths;
  std::vector<std::string> twin_names;
  double twin_nnz = 0;
  std::string device = "auto";
  std::vector<std::string> dtypes = {"f32", "f64"};
  std::vector<std::string> regimes = {"warm", "cold"};
  SuitePlan plan;
  std::string json;
};

SuiteMatrix suite_matrix(const Twin& twin, double nnz_max) {
  return {std::string(twin.name), true, [&twin, nnz_max] { return make_twin(twin, nnz_max); },
          twin_nnz(twin, nnz_max)};
}

/// By its size: a non-zero takes some 20 bytes of text, which gzip makes a quarter.
double nnz_expected(const std::string& file) {
  std::error_code error;
  const auto bytes = static_cast<double>(fs::file_size(file, error));
  return error ? 0 : bytes / (file.ends_with(".gz") ? 5 : 20);
}

bool are_all(const std::vector<std::string>& twin_names) {
  return twin_names == std::vector<std::string>{"all"};
}

bool are_none(const std::vector<std::string>& twin_names) {
  return twin_names == std::vector<std::string>{"none"};
}

/// The twins by default: beside real matrices on a GPU one of finite elements and one of a network,
/// which lie beyond its L2; elsewhere none.
std::vector<std::string> default_twins(const DeviceInfo& device) {
  if (device.kind != TimeKind::measured || device.target != Target::gpu) return {};
  return {"audikw_1", "kron_g500-logn18"};
}

std::vector<SuiteMatrix> file_matrices(const Command& command) {
  std::vector<SuiteMatrix> matrices;
  for (const std::string& path : command.paths) {
    for (const std::string& file : matrix_files(path)) {
      reject_own_input(command.json, file);
      matrices.push_back({matrix_stem(file), false,
                          [file] { return read_input(file, widest_dtype).matrix; },
                          nnz_expected(file)});
    }
  }
  return matrices;
}

std::vector<SuiteMatrix> twin_matrices(const Command& command, double nnz_max) {
  std::vector<SuiteMatrix> matrices;
  for (const Twin& twin : twins()) {
    const bool named = std::find(command.twin_names.begin(), command.twin_names.end(), twin.name) !=
                       command.twin_names.end();
    if (named || are_all(command.twin_names)) matrices.push_back(suite_matrix(twin, nnz_max));
  }
  return matrices;
}

void add_options(CLI::App& app, Command& command) {
  app.add_option("PLACE", command.paths, "Matrix Market files, or folders of them");
  app.add_option(
         "--twins", command.twin_names,
         "twins to make: all, none, or names between commas (beside matrices on a GPU two, else "
         "none)")
      ->delimiter(',');
  app.add_option(
         "--twin-nnz", command.twin_nnz,
         "their non-zeros at most (so many that floats are beyond three times the GPU's L2)")
      ->check(CLI::Range(1e3, 2e9));
  app.add_option("--device", command.device, "as of alphasparse (auto)");
  app.add_option("--dtype", command.dtypes,
                 dtype_list() + ", or several: all of the first, then the others (f32,f64)")
      ->delimiter(',');
  app.add_option("--vectors", command.plan.vectors, "as of alphasparse tune (1)")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, vectors_most}));
  app.add_option("--cache", command.regimes,
                 "warm, cold or both: all of the first, then the others (warm,cold)")
      ->delimiter(',')
      ->check(CLI::IsMember({"warm", "cold"}));
  app.add_option("--time", command.plan.seconds,
                 "seconds from the first matrix on that is ready (500)")
      ->check(CLI::Range(1.0, 28800.0));
  app.add_option(
         "--time-each", command.plan.seconds_each,
         "seconds at most for one search of a million non-zeros, but for its named designs (20)")
      ->check(CLI::Range(0.1, 28800.0));
  app.add_option("--json", command.json, "file for everything that was measured");
}

void run(Command command) {
  for (const std::string& name : command.dtypes) command.plan.dtypes.push_back(parse_dtype(name));
  for (const std::string& name : command.regimes)
    command.plan.regimes.push_back(name == "warm" ? CacheRegime::warm : CacheRegime::cold);
  if (!are_all(command.twin_names) && !are_none(command.twin_names))
    for (const std::string& name : command.twin_names) (void)twin_named(name);
  command.plan.matrices = file_matrices(command);
  const bool no_twins = command.twin_names.empty() || are_none(command.twin_names);
  if (command.plan.matrices.empty() && no_twins) {
    throw Error("nothing to search: name matrices, folders or --twins");
  }
  const std::unique_ptr<Device> device = open_device(command.device);
  if (command.twin_names.empty()) command.twin_names = default_twins(device->info());
  const double nnz_max = command.twin_nnz > 0 ? command.twin_nnz : default_twin_nnz(device->info());
  for (SuiteMatrix& twin : twin_matrices(command, nnz_max)) {
    command.plan.matrices.push_back(std::move(twin));
  }
  std::optional<Error> unwritten;  // reported behind the table
  const auto write_json = [&](const SuiteReport& report) {
    try {
      if (!command.json.empty()) write_file(command.json, suite_json(report));
    } catch (const Error& error) {
      unwritten = error;
    }
  };
  const auto write = [&](const SuiteReport& report) {
    const SuiteRow& row = report.rows.back();
    fmt::print(stderr, "{}/{} {:.0f} s: {} {} {}: {}\n", report.rows.size(), report.planned,
               report.seconds, row.matrix, dtype_name(row.dtype), regime_name(row.regime),
               row.is_timed() ? fmt::format("{:.4g} us, ahead by {:.2f}",
                                            row.result.winner->timing->time_us, row.headline())
                              : row.problem);
    write_json(report);
  };
  const SuiteReport report = run_suite(command.plan, *device, watch_interrupts(), write);
  write_json(report);
  fmt::print("{}", suite_text(report));
  std::fflush(stdout);
  if (unwritten) throw *unwritten;
  const bool any = std::any_of(report.rows.begin(), report.rows.end(),
                               [](const SuiteRow& row) { return row.is_timed(); });
  if (report.rows.empty() && !report.left_out.empty()) {
    const LeftOut& first = report.left_out.front();
    throw Error(ExitCode::nothing_verified,
                fmt::format("no search was begun; {}: {}", first.matrix, first.reason));
  }
  if (!any) throw Error(ExitCode::nothing_verified, "no design was verified on any matrix");
}

}  // namespace

}  // namespace alphasparse

int main(int argc, char** argv) {
  using namespace alphasparse;
  spdlog::set_default_logger(spdlog::stderr_color_mt("suite"));
  CLI::App app{"The tuned kernels of many matrices beside the vendor's best algorithm."};
  Command command;
  add_options(app, command);
  return tool_main("bench_suite", [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      fmt::print("{}", app.help());
      return 0;
    } catch (const CLI::ParseError& error) {
      throw Error(error.what());
    }
    run(std::move(command));
    return 0;
  });
}
