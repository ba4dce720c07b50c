#include "runtime/emulated/emulator_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// "crash 2 out-of-bounds ..." as its three parts.
struct Verdict {
  std::string_view name;
  int case_index = -1;
  std::string_view text;
};

Verdict parse_verdict(std::string_view line) {
  Verdict verdict;
  const std::size_t first = line.find(' ');
  verdict.name = line.substr(0, first);
  if (first == std::string_view::npos) return verdict;
  line.remove_prefix(first + 1);
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), verdict.case_index);
  line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
  verdict.text = line.substr(std::min<std::size_t>(1, line.size()));
  return verdict;
}

/// Address space for the arrays, their shadows, and the emulator itself.
std::int64_t memory_limit(const emulator::Job& job) {
  std::int64_t bytes = job.rows * 40 + (job.rows + job.cols) * job.value_bytes;
  for (const emulator::JobArray& array : job.arrays) bytes += array.count * array.element_bytes;
  return 2 * bytes + (std::int64_t{1} << 30);
}

constexpr const char* emulator_hint =
    "give it memory and processes, and set TMPDIR to a folder with room, on a file system that is "
    "not mounted noexec";

/// It has ended, and no kernel is to blame.
[[noreturn]] void throw_without_verdict(const fs::path& emulator, const ChildResult& answer) {
  const std::string said = answer.errors.substr(0, answer.errors.find('\n'));
  if (answer.end == ChildEnd::killed) {
    throw environment_error(
        fmt::format("the emulator was {}, as when the host's memory runs out; {}",
                    answer.how_it_ended(), emulator_hint));
  }
  throw environment_error(fmt::format(
      "{} ends without a verdict ({}{}{}); {}, or install it anew: ALPHASPARSE_EMULATOR names it",
      emulator.string(), answer.how_it_ended(), said.empty() ? "" : ": ", said, emulator_hint));
}

}  // namespace

fs::path find_emulator() {
  if (const char* named = std::getenv("ALPHASPARSE_EMULATOR"); named && *named) {
    if (const auto file = find_program(fs::absolute(named).string())) return *file;
    throw Error(ExitCode::no_device,
                fmt::format("ALPHASPARSE_EMULATOR names {}, which is no program", named));
  }
  std::error_code unknown;
  const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  std::vector<fs::path> paths = {ALPHASPARSE_EMULATOR_PATH};
  if (here.is_absolute()) {  // else a program in the current folder would count
    paths.insert(paths.begin(), {here / "alphasparse-emulator",
                                 here / "../libexec/alphasparse/alphasparse-emulator"});
  }
  for (const fs::path& path : paths) {
    if (const auto file = find_program(path.string())) return *file;
  }
  throw Error(
      ExitCode::no_device,
      fmt::format("the program alphasparse-emulator is missing beside {}; install it there, "
                  "or name it in ALPHASPARSE_EMULATOR",
                  here.string()));
}

JobEnd run_job(const fs::path& emulator, const fs::path& job_file, const emulator::Job& job,
               double seconds_max, const Deadline& deadline) {
  std::ostringstream text_of_job;
  emulator::write_job(text_of_job, job);
  write_made_file(job_file, text_of_job.str());
  ChildOptions options;
  // A busy machine, or one that was stopped for a while, takes longer for the same work.
  options.cpu_seconds_max = static_cast<std::int64_t>(std::ceil(seconds_max));
  options.seconds_max = 4 * seconds_max;
  options.deadline = deadline;
  options.memory_bytes_max = memory_limit(job);
  options.inherited = {job.arrays_file, job.cases_file};
  options.folder = "/";
  const ChildResult answer = run_child({emulator.string(), job_file.string()}, options);

  if (answer.end == ChildEnd::not_started) {
    throw environment_error(
        fmt::format("{} {}; install it anew, or name it in ALPHASPARSE_EMULATOR", emulator.string(),
                    answer.how_it_ended()));
  }
  if (answer.end == ChildEnd::timed_out) {
    const bool by_processor = answer.seconds < options.seconds_max;
    const Failure failure{Status::timeout, fmt::format("emulator: {}", answer.how_it_ended())};
    if (by_processor || deadline.over()) return {failure};
    throw environment_error(fmt::format(
        "the emulator makes no progress: {}, {:.0f} s of processor time; end other programs",
        answer.how_it_ended(), answer.cpu_seconds));
  }
  std::string_view text = answer.output;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t last_line = text.rfind('\n') + 1;  // 0 where there is one line only
  const Verdict verdict = parse_verdict(text.substr(last_line));
  if (verdict.name == "done") return {std::string(text.substr(0, last_line))};
  const auto failure = [&](Status status) {
    return JobEnd{Failure{status, std::string(verdict.text)}, verdict.case_index};
  };
  if (verdict.name == "crash") return failure(Status::crash);
  if (verdict.name == "timeout") return failure(Status::timeout);
  if (verdict.name == "unbuildable") return failure(Status::compile_error);
  if (verdict.name == "failed")
    throw environment_error(fmt::format("the emulator: {}; {}", verdict.text, emulator_hint));
  if (answer.end == ChildEnd::killed && is_own_signal(answer.code)) {
    return {Failure{Status::crash, fmt::format("emulator: {} {}", answer.how_it_ended(),
                                               answer.errors.substr(0, answer.errors.find('\n')))}};
  }
  throw_without_verdict(emulator, answer);
}

}  // namespace alphasparse
