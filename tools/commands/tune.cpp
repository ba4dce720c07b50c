// tune: from a matrix file to the fastest verified design, its files and its database rows.
#include "search/tune.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <system_error>

#include "base/result.h"
#include "operators/designer.h"
#include "runtime/device/known_kernel.h"
#include "runtime/device/roofline.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/stopwatch.h"
#include "tools/commands/base_database.h"
#include "tools/commands/commands.h"
#include "tools/commands/tune_matrix.h"
#include "tools/console/equal_prefixes.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/note.h"
#include "tools/console/outputs.h"
#include "tools/console/print.h"
#include "tools/console/progress.h"
#include "tools/pages/report_pages.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

/// How the answer came about, as a line; empty where it is an ordinary search.
std::string note_text(const TuneResult& result) {
  if (result.interrupted)
    return "alphasparse: interrupted: this is the best so far; the same command goes on from "
           "here\n";
  switch (result.tier) {
    case Tier::exact:
      return "alphasparse: answered from the database; --fresh searches anew, a larger --time or "
             "--trials goes on\n";
    case Tier::resumed:
      return "alphasparse: went on from earlier measurements in the database\n";
    case Tier::pattern:
      return "alphasparse: the database knows this pattern with other values: its design was "
             "verified and timed again; --fresh searches anew\n";
    case Tier::proposed:
      return "alphasparse: the database knows this problem from another machine: its design was "
             "verified and timed here; --fresh searches anew\n";
    case Tier::elsewhere:
      return "alphasparse: the database knows this pattern under other conditions: what was fast "
             "there came early; --fresh uses nothing\n";
    case Tier::nearest:
      return "alphasparse: the database knows other matrices: their fast designs came early; "
             "--fresh uses nothing\n";
    case Tier::none:
      return "";
  }
  return "";
}

/// The failure that stands for all: the first that is not merely pruned.
std::string failure_text(const TuneResult& result) {
  for (const bool pruned : {false, true}) {
    for (const auto& [design, outcome] : result.outcomes) {
      if ((outcome.status == Status::pruned) == pruned && !outcome.reason.empty())
        return fmt::format("; {}: {}", design, outcome.reason);
    }
  }
  return "";
}

/// The parts that were left out, as a line; empty: none.
std::string left_out_text(const TuneResult& result) {
  std::string text;
  if (result.skipped > 0) {
    text += fmt::format(
        "alphasparse: {} design{} skipped after faults that were not theirs: {}; the search is "
        "unfinished, the same command or one with more --time goes on\n",
        result.skipped, result.skipped == 1 ? " was" : "s were", result.skip_reason);
  }
  if (result.disturbed) {
    text += fmt::format(
        "alphasparse: disturbed: other programs use this machine; the same command goes on from "
        "here\n");
  }
  return text;
}

/// Why there is no winner, and the remedy where the search was broken off.
std::string no_winner_text(const TuneResult& result, const DeviceInfo& device) {
  std::string text = fmt::format("{}no design was verified on {}",
                                 result.interrupted ? "interrupted, " : "", device.name);
  if (!result.statuses().empty() || !result.interrupted)
    text += fmt::format(": {}{}", status_text(result), failure_text(result));
  return result.interrupted ? text + "; the same command goes on from here" : text;
}

/// Reads the matrix within the time of its search, if it has any: a call that only asks for known
/// results has none. An interrupt ends the reading too.
InputMatrix read_in_time(const TuneCommand& command, const std::string& matrix,
                         const std::atomic<bool>& stop) {
  Deadline deadline;
  deadline.stop = &stop;
  if (command.effort.seconds > 0) deadline = {Deadline::after(command.effort.seconds), &stop};
  try {
    InputMatrix input = read_input(matrix, command.dtype, command.transpose, deadline);
    check_vectors(input, command.vectors);
    name_outputs(input, command.name);
    return input;
  } catch (const Error& error) {
    if (!stop) throw;
    throw Interrupted(error.code(), error.what());
  }
}

OutputChoice choose_outputs(const TuneCommand& command) {
  return {command.folder, command.prefix, command.shared_runtime};
}

/// The files that a search leaves beside its rows in the database.
struct Delivered {
  OutputFiles files;
  std::optional<double> empty_us;
  double value_error = 0;  ///< of the kernel's stored values
};

/// One matrix, from the search to its files.
class Tuning {
 public:
  Tuning(const TuneCommand& command, const InputMatrix& input, const TuneOptions& options,
         Device& device, const std::string& database, const std::atomic<bool>& stop)
      : command_(command),
        input_(input),
        options_(options),
        device_(device),
        database_(database),
        stop_(stop) {}

  /// Writes the files of the winner, if there is one.
  void deliver(const TuneResult& result) {
    if (!result.winner) return;
    const Result<Kernel> kernel =
        Designer(input_.matrix)
            .build(result.winner->design, options_.operands(device_.info().dialect));
    if (!kernel) {
      throw Error(ExitCode::database,
                  fmt::format("database {}: its design does not build ({}); use --fresh", database_,
                              kernel.reason()));
    }
    delivered_.value_error = kernel->value_error;
    delivered_.files = write_outputs(*kernel, input_, result.fingerprints, device_.info(),
                                     choose_outputs(command_));
    device_.set_deadline({{}, &stop_});  // the search's deadline may have passed
    delivered_.empty_us = empty_us();
    if (command_.report.empty()) return;
    const Result<MemoryRates> memory = measure_memory(device_);
    const auto rates = memory ? std::optional(*memory) : std::nullopt;
    write_file(command_.report, tune_page({make_report(result), *kernel, rates}));
  }

  TuneReport make_report(const TuneResult& result) const {
    return {input_,           options_,
            result,           delivered_.files,
            database_,        command_.verbose || command_.explain,
            command_.explain, delivered_.empty_us,
            command_.report,  delivered_.value_error};
  }

 private:
  std::optional<double> empty_us() {
    try {
      return known(measure_empty(device_, command_.regime));
    } catch (const Error&) {  // the answer stands
      return std::nullopt;
    }
  }

  const TuneCommand& command_;
  const InputMatrix& input_;
  const TuneOptions& options_;
  Device& device_;
  const std::string database_;
  const std::atomic<bool>& stop_;
  Delivered delivered_;
};

/// Throws where a search has no winner.
void require_winner(const TuneResult& result, const DeviceInfo& device) {
  if (result.winner) return;
  if (result.broken) throw *result.broken;
  if (result.skipped > 0 && !result.interrupted) {
    throw Error(ExitCode::no_device,
                fmt::format("no design was verified on {}, {} met faults that were not theirs: {}",
                            device.name, result.skipped, result.skip_reason));
  }
  const std::string reason = no_winner_text(result, device);
  if (result.interrupted) throw Interrupted(ExitCode::nothing_verified, reason);
  throw Error(ExitCode::nothing_verified, reason);
}

}  // namespace

TuneOptions make_options(const TuneCommand& command) {
  TuneOptions options;
  options.effort = command.effort;
  options.dtype = command.dtype.or_default();
  options.vectors = command.vectors;
  options.regime = command.regime;
  options.values_vary = command.values_vary;
  options.may_round = command.may_round;
  options.own_order = command.own_order;
  options.deterministic = command.deterministic;
  options.nonfinite_exact = command.nonfinite_exact;
  options.fresh = command.fresh;
  options.experience = command.experience;
  options.explain = command.explain;
  return options;
}

TunedMatrix tune_matrix(const TuneCommand& command, const std::string& matrix,
                        const std::optional<OfMany>& of_many,
                        const std::function<void(const Progress&, TimeKind)>& show) {
  const std::atomic<bool>& stop = watch_interrupts();
  const Stopwatch clock;
  const std::unique_ptr<Device> device = open_unchecked_device(command.device);
  // The trials of a CPU look at it where one fails: a check now would cost a compilation more.
  const bool is_checked_now =
      !of_many && command.device != "auto" && device->info().target != Target::cpu;
  // In this thread, when it is waited for, where the system gives no other.
  std::future<void> checked = std::async(std::launch::async | std::launch::deferred, [&] {
    if (is_checked_now) check_device(*device);
  });
  const InputMatrix input = read_in_time(command, matrix, stop);
  checked.get();
  const double seconds_before = clock.seconds();
  prepare_folder(command.folder);
  Database database = Database::open(database_path(command.database));
  if (!command.base.empty()) database.ask_also(open_base(command.base));
  output_files(input.name, choose_outputs(command), device->info().target,
               device->info().dialect);  // are rejected before the search, not after it
  reject_own_input(command.report, input.path);
  if (!command.report.empty()) require_writable(command.report);
  if (!command.quiet)
    note(device_note(device->info()) +
         (of_many ? "" : load_note(device->info(), others_per_core())));
  TuneOptions options = make_options(command);
  options.dtype = input.dtype;
  options.matrix_name = input.name;
  if (of_many) options.seconds_enough = of_many->seconds_enough;
  options.seconds_before = seconds_before;
  const TimeKind kind = device->info().kind;
  Tuning tuning(command, input, options, *device, database.path(), stop);
  const TuneResult result = tune(
      input.matrix, *device, &database, options,
      [&](const Progress& progress) { show(progress, kind); }, stop,
      [&](const TuneResult& found) { tuning.deliver(found); });
  require_winner(result, device->info());
  const TuneReport report = tuning.make_report(result);
  // Of many matrices, some of these kernels are not written yet.
  const std::string equal_names = of_many ? "" : equal_prefixes_text({report.files.header});
  return {command.json ? tune_json(report) : tune_text(report),
          note_text(result) + left_out_text(result) + equal_names, result.broken};
}

/// Rejects options that contradict each other.
void check_precision(const TuneCommand& command) {
  if (!command.may_round) return;
  if (!number_type(command.dtype.or_default()).is_widest())
    throw Error(
        "--values-precision f32: the values of such a --dtype are float32 already; leave it out");
  if (command.values_vary)
    throw Error(
        "--values-precision f32 measures the error of these values, but --values varying allows "
        "others; leave one out");
}

void run_tune(const TuneCommand& requested) {
  check_precision(requested);
  std::error_code unknown;
  const bool is_one = requested.matrices.size() == 1 && !requested.shard &&
                      !std::filesystem::is_directory(requested.matrices.front(), unknown);
  if (!is_one) return run_tune_many(requested);
  if (!requested.results.empty())
    throw Error("--results is for several matrices; --json tells of one");
  if (requested.wide) throw Error("--wide is for several matrices; -v tells the design of one");
  TuneCommand command = requested;
  command.device = device_names(requested.device).front();
  command.effort.seconds = command.seconds_alone();
  TunedMatrix tuned;
  {
    ProgressLine line(command.quiet, command.effort.seconds);
    const auto show = [&](const Progress& progress, TimeKind kind) {
      line.update([progress, kind](double seconds_ago) {
        Progress now = progress;
        now.seconds += seconds_ago;
        return progress_text(now, kind);
      });
    };
    tuned = tune_matrix(command, command.matrices.front(), {}, show);
  }
  if (!command.quiet) note(tuned.note);
  print_report(command.json, tuned.report);
  if (tuned.broken) throw *tuned.broken;
}

}  // namespace alphasparse
