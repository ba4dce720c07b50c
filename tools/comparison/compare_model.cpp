// compare_model: how well the emulator's modelled times agree with times measured on a GPU, and
// which constants of the model would agree better.
//
//   alphasparse bench MATRIX... --device cuda:0 --json > measured.json     where the GPU is
//   compare_model measured.json MATRIX...                                  anywhere
//   compare_model suite.json MATRIX... --designs-max 32                    of bench_suite --json
//
//   compare_model --public FILE... --matrices FOLDER                       times of others
//
// The measured designs are counted anew by the emulator. Printed are, for every matrix, the
// correlations of ranks; the worst misrankings; the constants of runtime/emulated/model_constants.h
// as assumed and as fitted; and how both do, the fitted ones also on matrices that they were not
// fitted to. Nothing of it is written into the model. --json FILE writes it down as well, with the
// counts of every design and the GPU's row of the table, which tools/suite/model_agreement.py
// reads.
#include "tools/comparison/compare_model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "base/result.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/system/files/atomic_file.h"
#include "tools/comparison/public_designs.h"
#include "tools/comparison/public_sources.h"
#include "tools/console/inputs.h"
#include "tools/console/progress.h"
#include "tools/console/tool_main.h"

namespace alphasparse {

namespace {

struct Options {
  std::string measured;
  std::vector<std::string> matrices;
  std::string gpu;    ///< empty: the model of the GPU that was measured
  std::string dtype;  ///< empty: whichever was measured
  std::vector<double> l1_shares = {0.125, 0.25, 0.5, 1};
  std::int64_t designs_max = 64;  ///< of a matrix: the suite's searches try hundreds
  PublicRequest published;        ///< instead of what bench measured, where it names files
  std::string json;
  bool quiet = false;
};

const GpuModel& chosen_gpu(const Options& options, const MeasuredTimes& measured) {
  const GpuModel* const meant =
      options.gpu.empty() ? model_called(measured.device.gpu) : find_gpu_model(options.gpu);
  if (meant) return *meant;
  std::string names;
  for (const GpuModel& gpu : gpu_models()) names += (names.empty() ? "" : ", ") + gpu.name;
  if (!options.gpu.empty())
    throw Error(fmt::format("--gpu: no GPU is modelled as '{}'; there are {}", options.gpu, names));
  throw Error(fmt::format("{}: no model is of '{}'; choose one with --gpu: {}", options.measured,
                          measured.device.gpu, names));
}

void check_shares(const Options& options) {
  for (const double share : options.l1_shares) {
    if (!(share > 0 && share <= 1))
      throw Error(fmt::format("--l1-shares wants shares above 0 and at most 1, not {:g}", share));
  }
}

/// Leaves the matrices that were measured in the type that is asked for, with so many designs.
void choose(const Options& options, MeasuredTimes& measured) {
  const auto is_other = [&](const MeasuredMatrix& matrix) {
    return !options.dtype.empty() && options.dtype != dtype_name(matrix.dtype);
  };
  if (!measured.matrices.empty() &&
      std::all_of(measured.matrices.begin(), measured.matrices.end(), is_other)) {
    throw Error(fmt::format("{}: was measured in {}, not {}", options.measured,
                            dtype_name(measured.matrices.front().dtype), options.dtype));
  }
  std::erase_if(measured.matrices, is_other);
  for (MeasuredMatrix& matrix : measured.matrices)
    keep_spread(matrix, static_cast<std::size_t>(options.designs_max));
}

/// A file and a measured matrix that is in it.
struct Matched {
  std::string path;
  std::size_t measured;  ///< in MeasuredTimes::matrices
};

/// Every file is read before any work begins, so that a mistyped name does not end the work of
/// hours. A measured matrix goes to one file at most, a file to all that were measured of it.
std::vector<Matched> matched_files(const Options& options, const MeasuredTimes& measured,
                                   std::vector<std::string>& left_out) {
  std::set<Dtype> dtypes;
  std::set<std::size_t> open;
  for (std::size_t i = 0; i < measured.matrices.size(); ++i) {
    dtypes.insert(measured.matrices[i].dtype);
    open.insert(i);
  }
  if (dtypes.empty()) dtypes.insert(Dtype::f32);  // a file that cannot be read is told anyhow
  std::vector<Matched> matched;
  for (const std::string& path : options.matrices) {
    const std::size_t before = matched.size();
    for (const Dtype dtype : dtypes) {
      const Fingerprints prints = fingerprints(read_input(path, dtype).matrix);
      std::erase_if(open, [&](std::size_t i) {
        const MeasuredMatrix& each = measured.matrices[i];
        const bool is_it = each.dtype == dtype && each.fingerprints.pattern == prints.pattern &&
                           each.fingerprints.values == prints.values;
        if (is_it) matched.push_back({path, i});
        return is_it;
      });
    }
    if (matched.size() == before)
      left_out.push_back(fmt::format("{}: no matrix of these entries was measured", path));
  }
  for (const std::size_t i : open) {
    left_out.push_back(
        fmt::format("{}: was measured and is none of the files", measured.matrices[i].name));
  }
  return matched;
}

/// One matrix after another, so that one at a time is held.
void count_all(const Options& options, const std::vector<Matched>& files,
               const EmulatorToolchain& tools, Counted& counted) {
  ProgressLine line(options.quiet);
  for (std::size_t i = 0; i < files.size(); ++i) {
    line.update([i, path = files[i].path, count = files.size()](double seconds) {
      return fmt::format("counting {}, {} of {} | {:.0f} s", path, i + 1, count, seconds);
    });
    const Dtype dtype = counted.measured.matrices[files[i].measured].dtype;
    const InputMatrix input = read_input(files[i].path, dtype);
    add_counted(tools, input.matrix, files[i].measured, counted);
  }
}

/// One of the two ways to call the program, whole.
void check_form(const Options& options) {
  const PublicRequest& published = options.published;
  const char* const see = "; see compare_model --help";
  if (published.files.empty()) {
    if (options.measured.empty()) throw Error(fmt::format("MEASURED is required{}", see));
    if (options.matrices.empty()) throw Error(fmt::format("MATRIX is required{}", see));
    if (!published.matrices.empty()) throw Error(fmt::format("--matrices is for --public{}", see));
    if (options.designs_max < 2) throw Error("--designs-max wants a number from 2 on");
    return;
  }
  if (published.matrices.empty())
    throw Error(fmt::format("--public wants the folder of its matrices: --matrices{}", see));
  if (!options.measured.empty())
    throw Error(fmt::format("--public takes no MEASURED: '{}'{}", options.measured, see));
  if (published.nnz_max < 0) throw Error("--nnz-max wants a number from 0 on");
}

Options parse(int argument_count, char** arguments) {
  Options options;
  CLI::App app("Compare modelled with measured times, and fit the model's constants",
               "compare_model");
  app.add_option("MEASURED", options.measured,
                 "What alphasparse bench --json or bench_suite --json wrote on a GPU");
  app.add_option("MATRIX", options.matrices, "Matrix Market files, plain or .gz");
  app.add_option("--public", options.published.files,
                 "Instead: tables of published times (tools/comparison/README.md)")
      ->type_name("FILE");
  app.add_option("--matrices", options.published.matrices,
                 "With --public: the folder of their matrices")
      ->type_name("FOLDER");
  app.add_option("--designs-max", options.designs_max,
                 "Of a matrix, count so many designs: fastest, slowest and evenly between")
      ->capture_default_str();
  double nnz_max = 0;  // so that 2e6 is a number
  app.add_option("--nnz-max", nnz_max, "With --public: leave out matrices with more non-zeros");
  app.add_option("--gpu", options.gpu, "Model (default: that of the GPU that was measured)");
  app.add_option("--dtype", options.dtype, "f32 or f64: leave out times of the other type");
  app.add_option("--l1-shares", options.l1_shares, "Shares of L1 to count with (1 always)")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--json", options.json, "Also write one JSON object")->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "Results and errors only");
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see compare_model --help", error.what()));
  }
  options.published.nnz_max =
      nnz_max >= 0 ? static_cast<std::int64_t>(std::min(nnz_max, 1e18)) : -1;
  check_form(options);
  options.published.quiet = options.quiet;
  options.l1_shares.push_back(ModelConstants().l1_share);
  std::sort(options.l1_shares.begin(), options.l1_shares.end());
  options.l1_shares.erase(std::unique(options.l1_shares.begin(), options.l1_shares.end()),
                          options.l1_shares.end());
  return options;
}

void write_json(std::optional<AtomicFile>& file, const std::string& text) {
  if (!file) return;
  file->write(text.data(), text.size());
  file->publish();
}

std::string nothing_left(const PublicRequest& request, const std::vector<PublicSource>& sources) {
  for (const PublicSource& source : sources) {
    if (!source.left_out.empty())
      return fmt::format("{}: nothing of it can be compared ({})", request.files.front(),
                         source.left_out.begin()->first);
  }
  return fmt::format("{}: nothing of it can be compared", request.files.front());
}

void run_public(const Options& options) {
  std::optional<AtomicFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  const std::vector<PublicSource> sources = counted_sources(options.published);
  const std::vector<SourceVerdict> verdicts = judge_sources(sources);
  if (verdicts.empty()) throw Error(nothing_left(options.published, sources));
  fmt::print("{}", sources_text(sources, verdicts));
  write_json(json, sources_json(sources, verdicts));
}

int run(int argument_count, char** arguments) {
  const Options options = parse(argument_count, arguments);
  if (!options.published.files.empty()) {
    run_public(options);
    return 0;
  }
  Counted counted;
  counted.measured = read_measured_times(options.measured);
  check_shares(options);
  choose(options, counted.measured);
  Comparison& comparison = counted.comparison;
  comparison.gpu = chosen_gpu(options, counted.measured);
  comparison.l1_shares = options.l1_shares;
  const std::vector<Matched> files = matched_files(options, counted.measured, counted.left_out);
  std::optional<AtomicFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  if (!files.empty()) {
    const EmulatorToolchain tools(comparison.gpu, find_host_compiler(), find_emulator());
    check_counts(tools);
    count_all(options, files, tools, counted);
  }
  if (comparison.designs.empty()) {
    throw Error(fmt::format("{}: nothing of it can be compared ({})", options.measured,
                            counted.left_out.empty() ? "it is empty" : counted.left_out.front()));
  }
  const ModelComparison result = compare(std::move(counted));
  fmt::print("{}", comparison_text(result));
  write_json(json, comparison_json(result));
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("compare_model",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
