// simulate: replays the search over a corpus, and records one.
#include "tools/reports/simulate.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/parallel.h"
#include "base/result.h"
#include "runtime/system/machine/cores.h"
#include "search/problem.h"
#include "search/strategies/shipped_start.h"
#include "tools/commands/commands.h"
#include "tools/commands/recording.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/note.h"
#include "tools/console/print.h"
#include "tools/console/progress.h"

namespace alphasparse {

namespace {

SearchVariant find_variant(std::string_view name) {
  std::vector<std::string> names;
  for (const SearchVariant& variant : search_variants()) {
    if (variant.name == name) return variant;
    names.emplace_back(variant.name);
  }
  throw Error("--variants: " + unknown_name("variant", name, names));
}

/// The whole search is always the first: the others are compared with it.
std::vector<SearchVariant> chosen_variants(const std::string& text) {
  if (text == "all") return search_variants();
  std::vector<SearchVariant> chosen = {search_variants().front()};
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    const SearchVariant variant = find_variant(std::string_view(text).substr(first, end - first));
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const SearchVariant& other) {
      return other.name == variant.name;
    });
    if (!twice) chosen.push_back(variant);
    first = end + 1;
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& one, const auto& other) { return one.start < other.start; });
  return chosen;
}

constexpr std::string_view corpus_hint = "another corpus";  // there is no --db

std::string open_database(const std::string& corpus) {
  return (std::filesystem::path(corpus) / "corpus.db").string();
}

/// The second recording; nothing where none is named. Throws Error (exit 2) where it is none.
std::optional<Database> repeated_database(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  if (!std::filesystem::exists(open_database(folder), error)) {
    throw Error(
        fmt::format("--repeated {}: nothing is recorded there; copy the matrices into a "
                    "folder of its own and record that",
                    folder));
  }
  return Database::open_to_read(open_database(folder), corpus_hint);
}

/// The matrices of a corpus. Throws Error (exit 2) where it is none, or holds nothing to replay.
std::vector<std::string> corpus_files(const SimulateCommand& command) {
  std::error_code error;
  if (!std::filesystem::is_directory(command.corpus, error))
    throw Error(fmt::format("{}: no such folder", command.corpus));
  std::vector<std::string> files = matrix_files(command.corpus);
  if (!command.record && !std::filesystem::exists(open_database(command.corpus), error)) {
    throw Error(fmt::format("{}: nothing is recorded there yet; --record does that",
                            open_database(command.corpus)));
  }
  return files;
}

/// The one device with trials to replay; nothing: any.
std::optional<DeviceInfo> replayed_device(const SimulateCommand& command) {
  if (command.record || command.device.empty()) return std::nullopt;
  return open_device(command.device)->info();
}

std::unique_ptr<Device> recorded_device(const SimulateCommand& command) {
  return open_device(command.device.empty() ? "emulated:h200" : command.device);
}

/// Whether kernels are timed meanwhile. Throws Error (exit 2) where the device cannot do so.
bool measures(const SimulateCommand& command) {
  if (!command.record && !command.in_turn) return false;
  const DeviceInfo info = recorded_device(command)->info();
  const bool is_measured = info.kind == TimeKind::measured;
  if (command.in_turn && !is_measured) {
    throw Error(fmt::format(
        "--in-turn: times of {} are modelled; name a device that measures by --device", info.name));
  }
  return is_measured;
}

/// A problem of one device, replayed.
struct OfDevice {
  SimulatedMatrix matrix;
  DeviceInfo device;
};

/// A corpus at work: its matrices are replayed side by side, the database is one.
class Simulation {
 public:
  Simulation(const SimulateCommand& command, const std::atomic<bool>& stop)
      : command_(command),
        plan_{chosen_variants(command.variants), command.seeds, command.evaluations},
        files_(corpus_files(command)),
        only_(replayed_device(command)),
        measures_(measures(command)),
        database_(command.record
                      ? Database::open(open_database(command.corpus), corpus_hint)
                      : Database::open_to_read(open_database(command.corpus), corpus_hint)),
        repeated_(repeated_database(command.repeated)),
        stop_(stop),
        line_(command.quiet) {}

  /// The variants that begin warm come after those that begin cold: they begin with the rows that
  /// those have recorded.
  SimulateReport run() {
    if (command_.record) check_files();
    SimulateReport report{command_.corpus, plan_, {}, {}, 0};
    std::vector<std::vector<OfDevice>> found(files_.size());
    for (const SearchStart start : all_starts) {
      SimulationPlan plan = plan_;
      std::erase_if(plan.variants, [&](const SearchVariant& each) { return each.start != start; });
      if (plan.variants.empty()) continue;
      // A measurement has the machine to itself.
      const std::size_t at_once = measures_ ? 1 : machine_threads();
      parallel_for(files_.size(), at_once, [&](std::size_t index, std::size_t) {
        if (!stop_) add_runs(found[index], simulate_file(files_[index], plan));
      });
    }
    if (command_.in_turn) measure_in_turn(found);
    line_.clear();
    report.added = added_;
    for (std::vector<OfDevice>& of_one : found) {
      for (OfDevice& each : of_one) {
        if (each.matrix.best_us <= 0) continue;
        report.matrices.push_back(std::move(each.matrix));
        report.devices.push_back(std::move(each.device));
      }
    }
    return report;
  }

 private:
  /// A file that cannot be read is reported before a recording of hours, not after half of it.
  void check_files() {
    parallel_for(files_.size(), machine_threads(), [&](std::size_t index, std::size_t) {
      if (!stop_) read_input(files_[index], command_.dtype);
    });
  }

  /// Puts the runs of earlier variants before those of later ones.
  static void add_runs(std::vector<OfDevice>& all, std::vector<OfDevice> later) {
    for (std::size_t i = 0; i < all.size() && i < later.size(); ++i) {
      auto& runs = later[i].matrix.runs;
      auto& before = all[i].matrix.runs;
      std::move(runs.begin(), runs.end(), std::back_inserter(before));
      runs = std::move(before);
    }
    all = std::move(later);
  }

  std::vector<OfDevice> simulate_file(const std::string& file, const SimulationPlan& plan) {
    const InputMatrix input = read_input(file, command_.dtype);
    std::vector<OfDevice> all;
    if (command_.record) {
      all.push_back(recorded(input, plan));
    } else {
      const Features features = compute_features(input.matrix);
      for (const Problem& problem : read_problems(input)) {
        all.push_back({simulate(input.matrix, features, problem, read_outcomes(problem), plan,
                                make_warm_start(features, problem, plan), {}, stop_),
                       problem.device});
        add_spread(all.back().matrix, problem);
        announce(input.name);
      }
    }
    return all;
  }

  /// The start of the plan's variants, as if nothing were known of the matrix.
  WarmStart make_warm_start(const Features& features, const Problem& problem,
                            const SimulationPlan& plan) {
    WarmStart warm;
    const SearchStart start = plan.variants.front().start;
    if (start == SearchStart::shipped) {
      add_shipped(warm, shipped_experience(problem.device.target), features,
                  {.pattern_left_out = problem.matrix.pattern});
    }
    if (start != SearchStart::warm) return warm;
    WarmStartOptions options;
    options.patterns_left_out = {problem.matrix.pattern};
    const std::lock_guard lock(mutex_);
    return warm_start(database_, problem, features, options);
  }

  bool is_replayed(const DeviceInfo& device) const {
    return !only_ || (device.gpu == only_->gpu && device.kind == only_->kind &&
                      device.version == only_->version);
  }

  /// The problems of the matrix with its values.
  std::vector<Problem> read_problems(const InputMatrix& input) {
    const Fingerprints prints = fingerprints(input.matrix);
    std::vector<Problem> problems;
    const std::lock_guard lock(mutex_);
    for (const LearnedProblem& stored : database_.read_problems(prints.pattern, features_version)) {
      const Problem& problem = stored.problem;
      if (problem.is_baseline() || problem.is_sample() ||
          problem.dtype != command_.dtype.or_default())
        continue;
      if (problem.regime == command_.regime && problem.matrix.values == prints.values &&
          is_replayed(problem.device))
        problems.push_back(problem);
    }
    return problems;
  }

  Outcomes read_outcomes(const Problem& problem) {
    const std::lock_guard lock(mutex_);
    return database_.outcomes(problem);
  }

  /// The device's outcomes, with everything tried that the replays ask for.
  OfDevice recorded(const InputMatrix& input, const SimulationPlan& plan) {
    const std::unique_ptr<Device> device = recorded_device(command_);
    const TuneOptions options = make_options(input);
    const Problem problem =
        make_problem(input.matrix, fingerprints(input.matrix), device->info(), options);
    const Features features = compute_features(input.matrix);
    const std::string run = begin(problem, features);
    Recording recording(input.matrix, *device, options, command_.wait_seconds, stop_,
                        [&](const Measurement& outcome) { keep(run, outcome); });
    const Recorder recorder = [&](const Designs& designs, double best_us, Outcomes& known) {
      recording.record(designs, best_us, known);
      announce(input.name);
    };
    SimulatedMatrix simulated =
        simulate(input.matrix, features, problem, read_outcomes(problem), plan,
                 make_warm_start(features, problem, plan), recorder, stop_);
    add_spread(simulated, problem);
    const std::lock_guard lock(mutex_);
    // No search came to its end here, so none may be answered from it.
    database_.finish(run, RunState::interrupted, 0, 0);
    return {std::move(simulated), device->info()};
  }

  void add_spread(SimulatedMatrix& matrix, const Problem& problem) {
    const std::lock_guard lock(mutex_);
    if (repeated_)
      matrix.spread = recorded_spread(database_.outcomes(problem), repeated_->outcomes(problem));
  }

  std::string begin(const Problem& problem, const Features& features) {
    const std::lock_guard lock(mutex_);
    const std::string run = database_.begin_run(problem, {0, command_.evaluations, 0});
    database_.keep_features(problem.matrix, stored_features(features));
    return run;
  }

  void keep(const std::string& run, const Measurement& outcome) {
    const std::lock_guard lock(mutex_);
    database_.record(run, outcome);
    ++added_;
  }

  void announce(const std::string& name) {
    const std::lock_guard lock(mutex_);
    line_.update([name, added = added_, count = files_.size()](double) {
      return fmt::format("{} {} | {} trials recorded | at {}", count,
                         count == 1 ? "matrix" : "matrices", added, name);
    });
  }

  /// The winners of each matrix.
  void measure_in_turn(std::vector<std::vector<OfDevice>>& found) {
    const std::unique_ptr<Device> device = recorded_device(command_);
    for (std::size_t index = 0; index < files_.size(); ++index) {
      for (OfDevice& each : found[index]) {
        if (stop_) return;
        const InputMatrix input = read_input(files_[index], command_.dtype);
        announce(input.name);
        Trial trial(input.matrix, *device, make_options(input));
        if (const auto failure = measure_winners(each.matrix, trial, stop_)) {
          spdlog::warn("{}: what the searches found was not measured in turn: {}", input.name,
                       failure->reason);
        }
      }
    }
  }

  TuneOptions make_options(const InputMatrix& input) const {
    TuneOptions options;
    options.dtype = command_.dtype.or_default();
    options.regime = command_.regime;
    options.matrix_name = input.name;
    return options;
  }

  const SimulateCommand& command_;
  const SimulationPlan plan_;
  const std::vector<std::string> files_;
  const std::optional<DeviceInfo> only_;
  const bool measures_;  // recorded times
  std::mutex mutex_;     // guards the members below
  Database database_;
  std::optional<Database> repeated_;
  std::int64_t added_ = 0;
  const std::atomic<bool>& stop_;
  ProgressLine line_;
};

SimulateReport simulated(const SimulateCommand& command, const std::atomic<bool>& stop) {
  return Simulation(command, stop).run();
}

}  // namespace

void run_simulate(const SimulateCommand& command) {
  const std::atomic<bool>& stop = watch_interrupts();
  const SimulateReport report = simulated(command, stop);
  if (stop) {
    note(fmt::format("alphasparse: interrupted: {} trials were recorded and stay\n", report.added));
    return;
  }
  if (report.matrices.empty()) {
    throw Error(fmt::format(
        "{}: nothing is recorded of its matrices with {} and {} caches{}; "
        "--record does that",
        command.corpus, dtype_name(command.dtype.or_default()), regime_name(command.regime),
        command.device.empty() ? "" : fmt::format(" on {} as it is now", command.device)));
  }
  print_report(command.json, command.json ? simulate_json(report) : simulate_text(report));
}

}  // namespace alphasparse
