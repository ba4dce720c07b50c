// tune_many: many matrices in one call, shared out among devices.
//
// Each matrix is tuned in a fork of this process, which tells what it came to: a crash, or memory
// that does not suffice, is one matrix' failure. Each device takes the next matrix when it is done
// with one. The forks share the flag of interrupts, so one ends them all, each with its best.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <exception>
#include <list>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "runtime/matrices/matrix_file.h"
#include "runtime/system/processes/forked_task.h"
#include "runtime/system/stopwatch.h"
#include "tools/commands/commands.h"
#include "tools/commands/tune_matrix.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/note.h"
#include "tools/console/outputs.h"
#include "tools/console/print.h"
#include "tools/console/progress.h"
#include "tools/reports/many.h"

namespace alphasparse {

namespace {

// What a fork tells begins with one of these.
constexpr char told_progress = 'p';
constexpr char told_report = 'r';       // as JSON
constexpr char told_failure = 'f';      // its exit code, then a blank and why
constexpr char told_interrupted = 'i';  // nothing was verified by then

/// Of the share that each matrix has at first: others that take longer make later ones smaller, and
/// the same call again must find them done. Larger ones it need not repeat.
constexpr double enough_of_share = 0.9;

std::string failure_message(ExitCode code, const char* why) {
  return fmt::format("{}{} {}", told_failure, static_cast<int>(code), why);
}

/// Tunes one matrix in a fork, as `alphasparse tune` would alone.
void tune_and_tell(const TuneCommand& command, const std::string& matrix,
                   std::optional<double> seconds_enough, const ForkedTask::Tell& tell) {
  const auto show = [&](const Progress& progress, TimeKind kind) {
    tell(told_progress + progress_text(progress, kind));
  };
  try {
    const TunedMatrix tuned = tune_matrix(command, matrix, seconds_enough, show);
    tell(told_report + tuned.report);
    if (tuned.broken) tell(failure_message(tuned.broken->code(), tuned.broken->what()));
  } catch (const Interrupted&) {
    tell({&told_interrupted, 1});
  } catch (const Error& error) {
    tell(failure_message(error.code(), error.what()));
  } catch (const std::bad_alloc&) {
    tell(failure_message(ExitCode::no_device,
                         "out of memory; end other programs, or take a smaller matrix or a larger "
                         "machine"));
  } catch (const std::exception& error) {
    tell(failure_message(ExitCode::bad_input, error.what()));
  }
}

/// What one matrix came to.
struct Row {
  std::string report;  ///< JSON
  std::optional<FailedMatrix> failure;
  bool interrupted = false;  ///< before anything was verified

  bool is_told() const { return !report.empty() || failure || interrupted; }
};

/// A device, and the matrix that it works on.
struct Lane {
  std::string device;
  std::size_t place = 0;
  std::string progress = {};
  std::unique_ptr<ForkedTask> task = {};
};

class TuneQueue {
 public:
  TuneQueue(const TuneCommand& command, std::vector<std::string> files,
            const std::vector<std::string>& devices, const std::atomic<bool>& stop)
      : command_(command), files_(std::move(files)), rows_(files_.size()), stop_(stop) {
    for (const std::string& device : devices) lanes_.push_back({device});
    TuneCommand uncapped = command;
    uncapped.seconds_each.reset();
    if (command.seconds_total)
      seconds_enough_ = enough_of_share * uncapped.seconds_each_of(files_.size(), lanes_.size(),
                                                                   *command.seconds_total);
  }

  ManyReport run() {
    ProgressLine line(command_.quiet);
    while (true) {
      for (Lane& lane : lanes_) {
        if (!lane.task && may_begin()) begin(lane);
      }
      line.update([text = progress()](double) { return text; });
      if (!listen(line)) break;
    }
    return report();
  }

 private:
  double seconds_left() const {
    return command_.seconds_total ? *command_.seconds_total - clock_.seconds() : 1;
  }

  double seconds_of_next() const {
    return command_.seconds_each_of(files_.size() - next_, lanes_.size(), seconds_left());
  }

  bool may_begin() const { return next_ < files_.size() && !stop_ && seconds_left() > 0; }

  void begin(Lane& lane) {
    TuneCommand own = command_;
    own.device = lane.device;
    own.effort.seconds = seconds_of_next();
    own.json = own.quiet = true;
    lane.place = next_++;
    lane.progress.clear();
    try {
      lane.task = std::make_unique<ForkedTask>([&](const ForkedTask::Tell& tell) {
        tune_and_tell(own, files_[lane.place], seconds_enough_, tell);
      });
    } catch (const Error& error) {
      rows_[lane.place].failure = FailedMatrix{files_[lane.place], error.what(), error.code()};
      ++done_;
      ++failed_;
    }
  }

  /// Waits until a fork tells something and hears it; false where none works.
  bool listen(ProgressLine& line) {
    constexpr int wait_ms = 1000;
    std::vector<pollfd> ends;
    std::vector<Lane*> busy;
    for (Lane& lane : lanes_) {
      if (!lane.task) continue;
      ends.push_back({lane.task->descriptor(), POLLIN, 0});
      busy.push_back(&lane);
    }
    if (busy.empty()) return may_begin();
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

  void take(Lane& lane, const std::string& message) {
    Row& row = rows_[lane.place];
    const std::string text = message.substr(1);
    if (message.front() == told_progress) lane.progress = text;
    if (message.front() == told_report) row.report = text;
    if (message.front() == told_interrupted) row.interrupted = true;
    if (message.front() == told_failure) {
      const std::size_t blank = text.find(' ');
      row.failure = {files_[lane.place], text.substr(blank + 1),
                     static_cast<ExitCode>(std::stoi(text.substr(0, blank)))};
    }
  }

  void finish(Lane& lane, ProgressLine& line) {
    Row& row = rows_[lane.place];
    const std::string how = std::exchange(lane.task, nullptr)->how_it_ended();
    if (!row.is_told()) {
      row.failure = {files_[lane.place],
                     fmt::format("{}: its search was ended by {}; what it measured is kept",
                                 files_[lane.place], how.empty() ? "nothing known" : how),
                     ExitCode::nothing_verified};
    }
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
    for (const Lane& lane : lanes_) {
      if (!lane.task) continue;
      text += fmt::format(" | {}{}: {}", lanes_.size() > 1 ? lane.device + " " : "",
                          matrix_stem(files_[lane.place]),
                          lane.progress.empty() ? "begins" : lane.progress);
    }
    return text;
  }

  ManyReport report() {
    ManyReport report;
    report.interrupted = stop_;
    report.seconds = clock_.seconds();
    for (std::size_t place = 0; place < files_.size(); ++place) {
      Row& row = rows_[place];
      if (row.failure) report.failed.push_back(*row.failure);
      if (!row.report.empty())
        report.tuned.push_back(std::move(row.report));
      else if (!row.failure)
        report.not_begun.push_back(files_[place]);
    }
    return report;
  }

  const TuneCommand& command_;
  const std::vector<std::string> files_;
  std::vector<Row> rows_;  ///< of the files, in their order
  const std::atomic<bool>& stop_;
  std::vector<Lane> lanes_;
  Stopwatch clock_;
  std::optional<double> seconds_enough_;  ///< of an earlier search, for its answer to stand
  std::size_t next_ = 0;                  ///< the first file that was not begun
  std::size_t done_ = 0, failed_ = 0;
};

/// Of matrices whose names are one, the second would write over what the first has left.
void refuse_equal_names(const std::vector<std::string>& files) {
  std::map<std::string, std::string> known;
  for (const std::string& file : files) {
    const auto [first, is_new] = known.emplace(matrix_stem(file), file);
    if (is_new) continue;
    throw Error(
        fmt::format("{} and {} would write the same files; tune them in two calls, each "
                    "with an -o of its own",
                    first->second, file));
  }
}

std::vector<std::string> files_of(const TuneCommand& command) {
  std::vector<std::string> files;
  for (const std::string& place : command.matrices) {
    const std::vector<std::string> found = matrix_files_below(place);
    files.insert(files.end(), found.begin(), found.end());
  }
  refuse_equal_names(files);  // of all shards: they may share their -o
  if (command.shard)
    std::erase_if(files,
                  [&](const std::string& file) { return !is_in_shard(file, *command.shard); });
  return files;
}

void refuse_what_is_for_one(const TuneCommand& command) {
  if (!command.prefix.empty())
    throw Error("--prefix is for one matrix: the functions of several need names of their own");
  if (!command.report.empty())
    throw Error("--report is a page of one matrix; db report makes one of all");
  if (command.explain && !command.json)
    throw Error("--explain tells of one matrix; with several it wants --json");
}

/// Opens each once: what is missing ends the call before the first search, and "auto" is decided
/// for all.
std::vector<std::string> devices_that_open(const TuneCommand& command) {
  std::vector<std::string> names;
  for (const std::string& name : device_names(command.device)) {
    const DeviceInfo info = open_device(name)->info();
    if (!command.quiet) note(device_note(name, info));
    names.push_back(info.name);
  }
  return names;
}

}  // namespace

void run_tune_many(const TuneCommand& command) {
  const std::atomic<bool>& stop = watch_interrupts();
  refuse_what_is_for_one(command);
  std::vector<std::string> files = files_of(command);
  const std::vector<std::string> devices = devices_that_open(command);
  prepare_folder(command.folder);
  Database::open(database_place(command.database));
  const std::size_t count = files.size();
  const ManyReport report = TuneQueue(command, std::move(files), devices, stop).run();
  print_report(command.json, command.json ? many_json(report) : many_text(report));
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
