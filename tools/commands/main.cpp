// main: runs the command that the command line asks for; the one place where an Error ends.
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <variant>

#include "base/printable.h"
#include "base/ranges.h"
#include "base/result.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/processes/parent_pipe.h"
#include "tools/commands/commands.h"
#include "tools/commands/options.h"
#include "tools/console/large_files.h"

namespace alphasparse {
namespace {

struct Run {
  void operator()(const TuneCommand& command) const { run_tune(command); }
  void operator()(const EmitCommand& command) const { run_emit(command); }
  void operator()(const RunCommand& command) const { run_run(command); }
  void operator()(const BenchCommand& command) const { run_bench(command); }
  void operator()(const AblateCommand& command) const { run_ablate(command); }
  void operator()(const InspectCommand& command) const { run_inspect(command); }
  void operator()(const GenerateCommand& command) const { run_generate(command); }
  void operator()(const ShowCommand& command) const { run_show(command); }
  void operator()(const SimulateCommand& command) const { run_simulate(command); }
  void operator()(const OperatorsCommand& command) const { run_operators(command); }
  void operator()(const DesignsCommand& command) const { run_designs(command); }
  void operator()(const DevicesCommand& command) const { run_devices(command); }
  void operator()(const DbCommand& command) const { run_db(command); }
  void operator()(const DoctorCommand& command) const { run_doctor(command); }
  void operator()(const CacheCommand& command) const { run_cache(command); }
  void operator()(const CompletionCommand& command) const { run_completion(command); }
  void operator()(const ManualCommand& command) const { run_manual(command); }
  void operator()(const TextCommand& command) const { fmt::print("{}", command.text); }
};

int fail(ExitCode code, const char* text) {
  std::fprintf(stderr, "alphasparse: error: %s\n", printable(text).c_str());
  return static_cast<int>(code);
}

/// Where a standard stream is closed, no file that is opened later may take its place: output would
/// end up in it. Writing to standard output stays an error.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The least free number is taken, which is this one.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// A search that a shell runs in the background goes on where its terminal stops background writers
/// (stty tostop): its workers are groups of their own, so nobody would wake them.
void write_from_background() { std::signal(SIGTTOU, SIG_IGN); }

/// The lines of a log, as they may be shown.
class PrintableSink : public spdlog::sinks::stderr_color_sink_mt {
  using ColoredSink = spdlog::sinks::stderr_color_sink_mt;

 public:
  void log(const spdlog::details::log_msg& message) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg shown = message;
    shown.payload = text;
    ColoredSink::log(shown);
  }
};

/// Warnings go where errors go: standard output is for results.
void start_log() {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("alphasparse", std::make_shared<PrintableSink>()));
  spdlog::set_pattern("alphasparse: %l: %v");
}

int fail_for_output(int reason) {
  const bool is_closed = reason == EBADF;  // by our parent
  return fail(is_closed ? ExitCode::bad_input : output_error(reason, "").code(),
              fmt::format("standard output cannot be written: {}", std::strerror(reason)).c_str());
}

int run(int argc, const char* const* argv) {
  hold_standard_streams();
  write_from_background();
  outlive_large_files();
  watch_parent();
  start_log();
  const CoresForRanges cores(static_cast<int>(machine_threads()));
  try {
    std::visit(Run(), parse_command_line(argc, argv));
  } catch (const Error& error) {
    std::fflush(stdout);
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::no_device,
                "out of memory; end other programs, or take a smaller matrix or a larger machine");
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) return fail_for_output(error.code().value());
    return fail(ExitCode::no_device, fmt::format("the system refuses memory, processes or files "
                                                 "that the program needs: {}; raise the limits "
                                                 "(ulimit -a) or free some space",
                                                 error.what())
                                         .c_str());
  } catch (const std::exception& error) {
    return fail(ExitCode::bad_input, error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail_for_output(errno);
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argc, char** argv) { return alphasparse::run(argc, argv); }
