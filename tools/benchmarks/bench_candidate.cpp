// bench_candidate: the cost of one candidate of a search, step by step, for every named design.
//
//   bench_candidate [MATRIX...]    without matrices, on made ones of 1e5 and more non-zeros
//   bench_candidate --device D [MATRIX...]    verification alone, on another device
//   bench_candidate --host [DESIGN,...] [INPUT...]    the host's part alone, of large matrices
//   bench_candidate --build [MATRIX...]    building alone, from the canonical matrix to format and
//                                          source; the goal is 0.5 s a 1e6 non-zeros
//   bench_candidate --load [MATRIX...]     loading a format file on the host
//   bench_candidate --read MATRIX...       reading a Matrix Market file, step by step
//
// The last three have the best of three runs in seconds of one core (parts.h). Rows of --load are
// csr-vector, also with the passes of compact, and csr-scalar with steps in the place of columns. A
// row has the bytes of the file, and the seconds of reading it, its digests included. Then it has
// the seconds of loading it as a standalone kernel does. The last figure is the rest of loading
// over reading. In --read MB/s count the bytes of the uncompressed text in every step.
//
// With --host, seconds of a trial of each design, or of all named ones ("all"), of a GPU that runs
// no kernel (silent_device.h). An INPUT is a file or a twin; without any, twin:ldoor:2e7. A trial
// converts the matrix, loads the format into the device's worker and verifies its results; "other"
// is all but the first two and the making of results. Nothing is compiled. Each trial but the first
// finds the cases that all designs share, as those of a search do. "cores" are the processor's
// seconds of this process, which other work on the machine changes least. The peak of memory is
// over the bytes of CSR, of this process so far.
//
// On a device D (a GPU, or its fake): seconds that verifying a candidate takes before and after it
// is timed, and the number of them that are the host's. The host's seconds are all but those in
// which it waits for the device. The device runs the kernel, copies, permutes values and sums
// resident arrays. The work that candidates share is in the first row; the second is of the same
// design once more. Made matrices have 1e6 and 12e6 non-zeros then.
//
// Wall-clock seconds of one run: build (design text to kernel and arrays), g++ (for the emulator),
// verify (exact, Inf and rounded cases with their references). Then count (the input of a modelled
// time) and nvrtc (without the kernel cache; - where there is none). Peak memory of this program
// and of the largest program that it started, for each design anew.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/kernel.h"
#include "runtime/matrices/text/matrix_market.h"
#include "search/trial/trial.h"
#include "tools/benchmarks/parts.h"
#include "tools/benchmarks/silent_device.h"
#include "tools/console/tool_main.h"
#include "tools/console/twin_inputs.h"

namespace alphasparse {
namespace {

/// Seconds since the last call, or since it was made.
class Laps {
 public:
  double next() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

double peak_megabytes(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Of all threads of this process so far.
double processor_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::string nvrtc_text(const Kernel& kernel, const std::string& arch) {
  if (!nvrtc()) return "-";
  Laps laps;
  const auto compiled = nvrtc()->compile(kernel.source, arch);
  return compiled ? fmt::format("{:.2f}", laps.next()) : compiled.reason();
}

/// One design's row of the table.
std::string to_row(const Matrix& matrix, const EmulatorToolchain& tools, const std::string& line) {
  Laps laps;
  const Result<Kernel> kernel = Designer(matrix).build(line, default_dtype);
  const double build = laps.next();
  if (!kernel) return "refused: " + kernel.reason();
  EmulatedKernel loaded(tools, *kernel);
  if (const auto failure = loaded.build()) return failure->reason;
  if (const auto none = loaded.run({}); !none) return none.reason();  // compiles the rest
  const double compile = laps.next();
  const auto verified = verify(*kernel, loaded, matrix);
  if (!verified) return verified.reason();
  const double check = laps.next();
  const auto counts = loaded.count(rounded_case(*kernel, 1), CacheRegime::warm);
  if (!counts) return counts.reason();
  const double count = laps.next();
  const std::string nvrtc_seconds = nvrtc_text(*kernel, tools.gpu().arch);
  return fmt::format("{:8.2f} {:8.2f} {:8.2f} {:8.2f} {:>8} {:9.0f} {:9.0f}", build, compile, check,
                     count, nvrtc_seconds, peak_megabytes(RUSAGE_SELF),
                     peak_megabytes(RUSAGE_CHILDREN));
}

/// A process of its own for each design, so that peaks are its own too.
void bench(const std::string& name, const Matrix& matrix, const EmulatorToolchain& tools) {
  print_matrix(name, matrix);
  fmt::print("{:<16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}\n", "seconds", "build", "g++",
             "verify", "count", "nvrtc", "self MB", "child MB");
  for (const NamedDesign& design : named_designs(Target::gpu)) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      if (nvrtc()) (void)nvrtc()->compile("", tools.gpu().arch);  // loading is paid once a search
      fmt::print("{:<16} {}\n", design.name, to_row(matrix, tools, std::string(design.line)));
      std::fflush(stdout);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}

/// One design's row of the other table.
std::string verification_row(Device& device, const Matrix& matrix, Verification& verification,
                             const std::string& line) {
  const Result<Kernel> kernel = Designer(matrix).build(line, default_dtype);
  if (!kernel) return "refused: " + kernel.reason();
  const auto loaded = device.load(*kernel);
  if (!loaded) return loaded.reason();
  Laps laps;
  const auto before = verification.verify(*kernel, **loaded);
  const double first = laps.next();
  if (!before) return before.reason();
  const auto after = verification.verify_rounded(*kernel, **loaded);
  const double second = laps.next();
  if (!after) return after.reason();
  return fmt::format("{:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f}", first,
                     first - before->device_seconds, second, second - after->device_seconds,
                     first - before->device_seconds + second - after->device_seconds);
}

void bench_verification(const std::string& name, const Matrix& matrix, Device& device) {
  print_matrix(name, matrix);
  fmt::print("{:<16} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "seconds", "before", "host", "after", "host",
             "host all");
  Verification verification(matrix);
  for (const char* const design : {"csr-scalar", "csr-scalar", "csr-vector", "csr5"}) {
    fmt::print("{:<16} {}\n", design,
               verification_row(device, matrix, verification, resolve_design(design)));
    std::fflush(stdout);
  }
}

void bench_host(const std::string& input, const std::vector<std::string>& designs) {
  const Matrix matrix = read_or_make_input(input, default_dtype, false, {}).matrix;
  double device_seconds = 0;
  const std::unique_ptr<Device> device = open_silent_device(matrix, device_seconds);
  Trial trial(matrix, *device, {});
  (void)trial.run("csr-scalar", {});  // the cases are made, and sent to the worker
  print_matrix(input, matrix);
  fmt::print("{:<16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "seconds", "convert", "load", "other",
             "host", "cores", "peak");
  const auto bytes = static_cast<double>(csr_bytes(matrix, default_dtype));
  for (const std::string& design : designs) {
    std::fflush(stdout);
    const double device_before = device_seconds, processor_before = processor_seconds();
    const Result<Subject> subject = Subject::read(resolve_design(design));
    if (!subject) throw Error(subject.reason());
    if (!subject->design()) throw Error(design + " is no design: name designs alone");
    trial.forget({*subject->design()});
    const Measurement outcome = trial.run(*subject, {});
    if (outcome.status != Status::ok) {
      fmt::print("{:<16} {}\n", design, outcome.reason);
      continue;
    }
    const double host = 1e-6 * *outcome.trial_us - (device_seconds - device_before);
    const double convert = 1e-6 * *outcome.convert_us, load = 1e-6 * *outcome.load_us;
    fmt::print("{:<16} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.1f}\n", design, convert, load,
               host - convert - load, host, processor_seconds() - processor_before,
               1e6 * peak_megabytes(RUSAGE_SELF) / bytes);
  }
}

/// The designs of a text with commas between them; "all" are the named ones of GPUs.
std::vector<std::string> read_designs(const std::string& text) {
  std::vector<std::string> designs;
  if (text == "all") {
    for (const NamedDesign& design : named_designs(Target::gpu)) designs.emplace_back(design.name);
    return designs;
  }
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    designs.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return designs;
}

using Texts = std::span<const std::string>;

void run_host(Texts texts) {
  const std::vector<std::string> designs = read_designs(texts.empty() ? "all" : texts.front());
  for (std::size_t i = 1; i < texts.size(); ++i) bench_host(texts[i], designs);
  if (texts.size() < 2) bench_host("twin:ldoor:2e7", designs);
}

/// Benches each matrix, or without any made ones of so many rows.
void bench_each(Texts files, std::initializer_list<std::int32_t> rows, std::int32_t reach,
                const std::function<void(const std::string& name, const Matrix& matrix)>& bench) {
  for (const std::string& file : files) bench(file, read_matrix_market(file));
  if (!files.empty()) return;
  for (const std::int32_t made : rows) bench("made", made_matrix(made, std::min(made, reach)));
}

int run(Texts texts) {
  constexpr std::int32_t anywhere = std::numeric_limits<std::int32_t>::max(), near = 1000;
  const std::string mode = texts.empty() ? "" : texts.front();
  const Texts rest = texts.subspan(texts.empty() ? 0 : 1);
  if (mode == "--host") {
    run_host(rest);
  } else if (mode == "--build") {
    bench_each(rest, {62'500}, near, bench_building);
  } else if (mode == "--load") {
    bench_each(rest, {625'000}, near, bench_loading);
  } else if (mode == "--read") {
    for (const std::string& file : rest) bench_reading(file);
  } else if (mode == "--device" && !rest.empty()) {
    const std::unique_ptr<Device> device = open_device(rest.front());
    bench_each(rest.subspan(1), {62'500, 750'000}, anywhere,
               [&](const auto&... of) { bench_verification(of..., *device); });
  } else {
    const EmulatorToolchain tools(*find_gpu_model("h200"), find_host_compiler(), find_emulator());
    bench_each(texts, {6'250, 62'500}, anywhere, [&](const auto&... of) { bench(of..., tools); });
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  const std::vector<std::string> texts(arguments + 1, arguments + argument_count);
  return alphasparse::tool_main("bench_candidate", [&] { return alphasparse::run(texts); });
}
