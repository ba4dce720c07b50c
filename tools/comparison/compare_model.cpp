// compare_model: how well the emulator's modelled times agree with times measured on a GPU, and
// which constants of the model would agree better.
//
//   alphasparse bench MATRIX... --device cuda:0 --json > measured.json     where the GPU is
//   compare_model measured.json MATRIX...                                  anywhere
//
//   compare_model --public FILE... --matrices FOLDER                       times of others
//
// The measured designs are counted anew by the emulator. Printed are, for every matrix, the
// correlations of ranks; the worst misrankings; the constants of runtime/emulated/model_constants.h
// as assumed and as fitted; and how both do, the fitted ones also on matrices that they were not
// fitted to. Nothing of it is written into the model. --json FILE writes it down as well.
#include "tools/comparison/compare_model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "generator/result.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/system/atomic_file.h"
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
  PublicRequest published;  ///< instead of what bench measured, where it names files
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

void check(const Options& options, const MeasuredTimes& measured) {
  if (!options.dtype.empty() && options.dtype != dtype_name(measured.dtype)) {
    throw Error(fmt::format("{}: was measured in {}, not {}", options.measured,
                            dtype_name(measured.dtype), options.dtype));
  }
  for (const double share : options.l1_shares) {
    if (!(share > 0 && share <= 1))
      throw Error(fmt::format("--l1-shares wants shares above 0 and at most 1, not {:g}", share));
  }
}

/// A file and the measured matrix that is in it.
struct Matched {
  std::string path;
  const MeasuredMatrix* measured;
};

/// Every file is read once before any work begins, so that a mistyped name does not end the work of
/// hours. A measured matrix goes to one file at most.
std::vector<Matched> matched_files(const Options& options, const MeasuredTimes& measured,
                                   std::vector<std::string>& left_out) {
  std::vector<const MeasuredMatrix*> open;
  for (const MeasuredMatrix& each : measured.matrices) open.push_back(&each);
  std::vector<Matched> matched;
  for (const std::string& path : options.matrices) {
    const Fingerprints prints = fingerprints(read_input(path, measured.dtype).matrix);
    const auto found = std::find_if(open.begin(), open.end(), [&](const MeasuredMatrix* each) {
      return each->fingerprints.pattern == prints.pattern &&
             each->fingerprints.values == prints.values;
    });
    if (found == open.end()) {
      left_out.push_back(fmt::format("{}: no matrix of these entries was measured", path));
      continue;
    }
    matched.push_back({path, *found});
    open.erase(found);
  }
  for (const MeasuredMatrix* each : open)
    left_out.push_back(fmt::format("{}: was measured and is none of the files", each->name));
  return matched;
}

/// One matrix after another, so that one at a time is held.
void count_all(const Options& options, const std::vector<Matched>& files,
               const EmulatorToolchain& tools, const MeasuredTimes& measured,
               Comparison& comparison, std::vector<std::string>& left_out) {
  ProgressLine line(options.quiet);
  for (std::size_t i = 0; i < files.size(); ++i) {
    line.update([i, path = files[i].path, count = files.size()](double seconds) {
      return fmt::format("counting {}, {} of {} | {:.0f} s", path, i + 1, count, seconds);
    });
    const InputMatrix input = read_input(files[i].path, measured.dtype);
    add_counted(tools, input.matrix, measured, *files[i].measured, comparison, left_out);
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
  app.add_option("MEASURED", options.measured, "What alphasparse bench --json printed on a GPU");
  app.add_option("MATRIX", options.matrices, "Matrix Market files, plain or .gz");
  app.add_option("--public", options.published.files,
                 "Instead: tables of published times (tools/comparison/README.md)")
      ->type_name("FILE");
  app.add_option("--matrices", options.published.matrices,
                 "With --public: the folder of their matrices")
      ->type_name("FOLDER");
  app.add_option("--nnz-max", options.published.nnz_max,
                 "With --public: leave out matrices with more non-zeros");
  app.add_option("--gpu", options.gpu, "Model (default: that of the GPU that was measured)");
  app.add_option("--dtype", options.dtype, "f32 or f64: refuse times of the other type");
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
  MeasuredTimes measured = read_measured_times(options.measured);
  check(options, measured);
  Comparison comparison;
  comparison.gpu = chosen_gpu(options, measured);
  comparison.l1_shares = options.l1_shares;
  std::vector<std::string> left_out;
  const std::vector<Matched> files = matched_files(options, measured, left_out);
  std::optional<AtomicFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  if (!files.empty()) {
    const EmulatorToolchain tools(comparison.gpu, find_host_compiler(), find_emulator());
    check_counts(tools);
    count_all(options, files, tools, measured, comparison, left_out);
  }
  if (comparison.designs.empty()) {
    throw Error(fmt::format("{}: nothing of it can be compared ({})", options.measured,
                            left_out.empty() ? "it is empty" : left_out.front()));
  }
  const ModelComparison result =
      compare(std::move(measured), std::move(comparison), std::move(left_out));
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
