// tune_many: many matrices in one call, shared out among devices.
//
// Each matrix is tuned in a fork of this process, which tells its result: a crash, or too little
// memory, is one matrix' failure. Each device takes the next matrix when it is done with one, but
// none that another call works on (work_claims.h): those come last, when the database answers for
// them. The forks share the flag of interrupts, so one ends them all, each with its best.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <exception>
#include <list>
#include <new>
#include <optional>
#include <utility>

#include "runtime/matrices/matrix_file.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/processes/forked_task.h"
#include "runtime/system/stopwatch.h"
#include "search/problem.h"
#include "tools/commands/base_database.h"
#include "tools/commands/commands.h"
#include "tools/commands/tune_matrix.h"
#include "tools/commands/work_claims.h"
#include "tools/console/batch_budget.h"
#include "tools/console/equal_prefixes.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/line_file.h"
#include "tools/console/note.h"
#include "tools/console/outputs.h"
#include "tools/console/print.h"
#include "tools/console/progress.h"
#include "tools/reports/many.h"

namespace alphasparse {

namespace {

// The messages of a fork begin with one of these.
constexpr char progress_tag = 'p';
constexpr char report_tag = 'r';       // as JSON
constexpr char failure_tag = 'f';      // its exit code, then a blank and why
constexpr char interrupted_tag = 'i';  // nothing was verified by then

std::string failure_message(ExitCode code, const char* reason) {
  return fmt::format("{}{} {}", failure_tag, static_cast<int>(code), reason);
}

/// Tunes one matrix in a fork, as `alphasparse tune` would alone.
void tune_and_report(const TuneCommand& command, const std::string& matrix, const OfMany& of_many,
                     const ForkedTask::Report& announce) {
  const auto show = [&](const Progress& progress, TimeKind kind) {
    announce(progress_tag + progress_text(progress, kind));
  };
  try {
    const TunedMatrix tuned = tune_matrix(command, matrix, of_many, show);
    announce(report_tag + tuned.report);
    if (tuned.broken) announce(failure_message(tuned.broken->code(), tuned.broken->what()));
  } catch (const Interrupted&) {
    announce({&interrupted_tag, 1});
  } catch (const Error& error) {
    announce(failure_message(error.code(), error.what()));
  } catch (const std::bad_alloc&) {
    announce(
        failure_message(ExitCode::no_device,
                        "out of memory; end other programs, or take a smaller matrix or a larger "
                        "machine"));
  } catch (const std::exception& error) {
    announce(failure_message(ExitCode::bad_input, error.what()));
  }
}

/// The result of one matrix.
struct Row {
  std::string report;  ///< JSON
  std::optional<FailedMatrix> failure;
  bool interrupted = false;  ///< before anything was verified

  bool is_known() const { return !report.empty() || failure || interrupted; }
};

/// A device, and the matrix that it works on.
struct DeviceSlot {
  std::string device;
  std::size_t index = 0;
  double seconds = 0;   ///< of its budget
  double began_at = 0;  ///< by the clock of all
  std::string progress = {};
  std::unique_ptr<ForkedTask> task = {};
};

/// Matrices and the devices that share them.
struct Batch {
  std::vector<std::string> files;
  std::vector<std::string> names;  ///< of each file
  std::vector<bool> is_seen;       ///< of each file: the database has an answer
  std::vector<std::string> devices;
  DeviceInfo device;  ///< the first; they should be of one kind
  std::string database;
};

BatchBudget::Batch find_budget(const TuneCommand& command, const Batch& batch) {
  const auto seen =
      static_cast<std::size_t>(std::count(batch.is_seen.begin(), batch.is_seen.end(), true));
  return {command.seconds_total.value_or(0), batch.devices.size(), batch.files.size() - seen, seen,
          command.seconds_each.value_or(seconds_each_most)};
}

class TuneQueue {
 public:
  TuneQueue(const TuneCommand& command, const Batch& batch, const std::atomic<bool>& stop)
      : command_(command),
        files_(batch.files),
        names_(batch.names),
        is_seen_(batch.is_seen),
        rows_(files_.size()),
        stop_(stop),
        claims_(command, batch.database, batch.device) {
    for (const std::string& device : batch.devices) slots_.push_back({device});
    for (std::size_t index = 0; index < files_.size(); ++index) waiting_.push_back(index);
    if (!command.results.empty()) results_.emplace(command.results, is_result_line);
    if (!command.seconds_total) return;
    std::stable_partition(waiting_.begin(), waiting_.end(),
                          [&](std::size_t index) { return !is_seen_[index]; });
    budget_.emplace(find_budget(command, batch));
    if (!command.quiet) note(fmt::format("alphasparse: {}\n", budget_->text()));
  }

  ManyReport run() {
    ProgressLine line(command_.quiet);
    while (true) {
      for (DeviceSlot& slot : slots_) {
        if (!slot.task && may_begin()) begin(slot);
      }
      line.update([text = progress()](double) { return text; });
      claims_.prolong();
      if (!listen(line)) break;
    }
    return report();
  }

 private:
  /// The first begins whatever the time, so that each call brings a result.
  bool may_begin() const {
    return !waiting_.empty() && !stop_ &&
           (!has_begun_ || !command_.seconds_total || clock_.seconds() < *command_.seconds_total);
  }

  /// The next that no other call works on, taken from those that wait; nothing where there is none
  /// now.
  std::optional<std::size_t> next_index() {
    if (others_have_all_ && clock_.seconds() - checked_at_ < wait_ms / 1000.0) return std::nullopt;
    checked_at_ = clock_.seconds();
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      if (has_begun_ && budget_ && !budget_->has_time(clock_.seconds(), is_seen_[*at])) continue;
      if (!claims_.take(files_[*at])) continue;
      const std::size_t next = *at;
      waiting_.erase(at);
      others_have_all_ = false;
      has_begun_ = true;
      return next;
    }
    if (!std::exchange(others_have_all_, true) && !command_.quiet) {
      note(fmt::format(
          "alphasparse: another call is at work on the last {}; this one waits for its "
          "results\n",
          waiting_.size() == 1 ? "matrix" : fmt::format("{} matrices", waiting_.size())));
    }
    return std::nullopt;
  }

  double next_seconds(std::size_t index) {
    if (budget_) return budget_->next(clock_.seconds(), is_seen_[index]);
    return command_.seconds_each.value_or(command_.effort.seconds);
  }

  void begin(DeviceSlot& slot) {
    const std::optional<std::size_t> next = next_index();
    if (!next) return;
    TuneCommand own = command_;
    own.device = slot.device;
    own.name = names_[*next];
    own.effort.seconds = slot.seconds = next_seconds(*next);
    own.json = own.quiet = true;
    slot.index = *next;
    slot.began_at = clock_.seconds();
    slot.progress.clear();
    OfMany of_many;
    if (budget_) of_many.seconds_enough = std::min(own.effort.seconds, budget_->seconds_enough());
    try {
      slot.task = std::make_unique<ForkedTask>([&](const ForkedTask::Report& announce) {
        tune_and_report(own, files_[slot.index], of_many, announce);
      });
    } catch (const Error& error) {
      rows_[slot.index].failure = FailedMatrix{files_[slot.index], error.what(), error.code()};
      claims_.release(files_[slot.index]);
      ++done_;
      ++failed_;
    }
  }

  /// Waits for a message of a fork and reads it; false where none works.
  bool listen(ProgressLine& line) {
    std::vector<pollfd> ends;
    std::vector<DeviceSlot*> busy;
    for (DeviceSlot& slot : slots_) {
      if (!slot.task) continue;
      ends.push_back({slot.task->descriptor(), POLLIN, 0});
      busy.push_back(&slot);
    }
    if (busy.empty() && !may_begin()) return false;
    if (poll(ends.data(), ends.size(), wait_ms) <= 0) return true;
    for (std::size_t i = 0; i < busy.size(); ++i) {
      if (!ends[i].revents) continue;
      std::vector<std::string> messages;
      const bool goes_on = busy[i]->task->hear(messages);
      for (const std::string& message : messages) take(*busy[i], message);
      if (!goes_on) finish(*busy[i], line);
    }
    return true;
  }

  void take(DeviceSlot& slot, const std::string& message) {
    Row& row = rows_[slot.index];
    const std::string text = message.substr(1);
    if (message.front() == progress_tag) slot.progress = text;
    if (message.front() == report_tag) row.report = text;
    if (message.front() == interrupted_tag) row.interrupted = true;
    if (message.front() == failure_tag) {
      const std::size_t blank = text.find(' ');
      row.failure = {files_[slot.index], text.substr(blank + 1),
                     static_cast<ExitCode>(std::stoi(text.substr(0, blank)))};
    }
  }

  void finish(DeviceSlot& slot, ProgressLine& line) {
    Row& row = rows_[slot.index];
    const std::string how = std::exchange(slot.task, nullptr)->how_it_ended();
    if (!row.is_known()) {
      row.failure = {files_[slot.index],
                     fmt::format("{}: its search was ended by {}; what it measured is kept",
                                 files_[slot.index], how.empty() ? "nothing known" : how),
                     ExitCode::nothing_verified};
    }
    claims_.release(files_[slot.index]);
    if (budget_)
      budget_->learn(slot.seconds, clock_.seconds() - slot.began_at, is_seen_[slot.index]);
    if (results_ && !row.report.empty()) results_->add(tuned_json_line(row.report));
    if (results_ && row.failure) results_->add(failed_json_line(*row.failure));
    ++done_;
    failed_ += row.failure ? 1 : 0;
    if (command_.quiet) return;
    line.clear();
    if (!row.report.empty()) note(tuned_line(done_, files_.size(), row.report));
    if (row.failure)
      note(
          fmt::format("alphasparse: {}/{} failed: {}\n", done_, files_.size(), row.failure->error));
  }

  std::string progress() const {
    std::string text = fmt::format("{}/{} done, {} failed, {:.0f} s", done_, files_.size(), failed_,
                                   clock_.seconds());
    for (const DeviceSlot& slot : slots_) {
      if (!slot.task) continue;
      text += fmt::format(" | {}{}: {}", slots_.size() > 1 ? slot.device + " " : "",
                          names_[slot.index], slot.progress.empty() ? "begins" : slot.progress);
    }
    return text;
  }

  ManyReport report() {
    ManyReport report;
    report.interrupted = stop_;
    report.seconds = clock_.seconds();
    for (std::size_t index = 0; index < files_.size(); ++index) {
      Row& row = rows_[index];
      if (row.failure) report.failed.push_back(*row.failure);
      if (!row.report.empty())
        report.tuned.push_back(std::move(row.report));
      else if (!row.failure)
        report.not_begun.push_back(files_[index]);
    }
    return report;
  }

  const TuneCommand& command_;
  static constexpr int wait_ms = 1000;

  const std::vector<std::string> files_, names_;
  const std::vector<bool> is_seen_;
  std::vector<Row> rows_;  ///< of the files, in their order
  const std::atomic<bool>& stop_;
  std::vector<DeviceSlot> slots_;
  Stopwatch clock_;
  WorkClaims claims_;
  std::optional<BatchBudget> budget_;  ///< where there is a total
  std::optional<LineFile> results_;
  std::vector<std::size_t> waiting_;  ///< indices of the files that were not begun, the next first
  bool has_begun_ = false;            ///< the first of the files
  bool others_have_all_ = false;      ///< of those, when they were last asked for
  double checked_at_ = 0;
  std::size_t done_ = 0, failed_ = 0;
};

/// The files of this shard; their names are distinct in all shards, which may share their -o.
void find_files(const TuneCommand& command, Batch& batch) {
  std::vector<std::string> files;
  for (const std::string& path : command.matrices) {
    const std::vector<std::string> found = matrix_files_below(path);
    files.insert(files.end(), found.begin(), found.end());
  }
  const std::vector<std::string> names = distinct_names(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    reject_own_input(command.results, files[i]);
    if (command.shard && !is_in_shard(files[i], *command.shard)) continue;
    batch.files.push_back(files[i]);
    batch.names.push_back(names[i]);
  }
}

void reject_options_of_one(const TuneCommand& command) {
  if (!command.name.empty())
    throw Error("--name is for one matrix: the files of several need names of their own");
  if (!command.prefix.empty())
    throw Error("--prefix is for one matrix: the functions of several need names of their own");
  if (!command.report.empty())
    throw Error("--report is a page of one matrix; db report makes one of all");
  if (command.explain && !command.json)
    throw Error("--explain tells of one matrix; with several it wants --json");
}

/// Opens each once: a missing one ends the call before the first search, and "auto" is decided for
/// all.
void open_devices(const TuneCommand& command, Batch& batch) {
  for (const std::string& name : device_names(command.device)) {
    const DeviceInfo info = open_device(name)->info();
    if (!command.quiet) note(device_note(info) + load_note(info, others_per_core()));
    if (batch.devices.empty()) batch.device = info;
    batch.devices.push_back(info.name);
  }
}

/// Asks the database which matrices it has answers for, by their names.
void look_up_answers(const TuneCommand& command, Batch& batch) {
  Database database = Database::open(batch.database);
  if (!command.base.empty()) open_base(command.base);
  batch.is_seen.assign(batch.files.size(), false);
  if (!command.seconds_total || command.fresh) return;
  for (std::size_t i = 0; i < batch.files.size(); ++i) {
    TuneOptions options = make_options(command);
    options.matrix_name = batch.names[i] + (command.transpose ? "_T" : "");
    batch.is_seen[i] = database.has_answer(make_conditions(batch.device, options));
  }
}

}  // namespace

void run_tune_many(const TuneCommand& command) {
  const std::atomic<bool>& stop = watch_interrupts();
  reject_options_of_one(command);
  Batch batch;
  find_files(command, batch);
  open_devices(command, batch);
  prepare_folder(command.folder);
  batch.database = database_path(command.database);
  look_up_answers(command, batch);
  const std::size_t count = batch.files.size();
  const ManyReport report = TuneQueue(command, batch, stop).run();
  const TableWidth width = command.wide ? TableWidth::wide : TableWidth::narrow;
  print_report(command.json, command.json ? many_json(report) : many_text(report, width));
  if (!command.quiet) note(equal_prefixes_text(list_headers(report)));
  if (report.interrupted && !command.quiet)
    note("alphasparse: interrupted: the same command goes on from here\n");
  if (!report.failed.empty()) {
    const FailedMatrix& first = report.failed.front();
    throw Error(first.exit, fmt::format("{} of {} matrices failed, first: {}", report.failed.size(),
                                        count, first.error));
  }
  const bool nothing_by_then = report.interrupted && report.tuned.empty() && count > 0;
  if (report.not_begun.empty() || (report.interrupted && !nothing_by_then)) return;
  throw Error(ExitCode::nothing_verified,
              fmt::format("{}: {} of {} matrices have no result; the same command goes on",
                          report.interrupted ? "interrupted" : "--time-total is over",
                          report.not_begun.size(), count));
}

}  // namespace alphasparse
