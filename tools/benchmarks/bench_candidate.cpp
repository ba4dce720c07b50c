// bench_candidate: the cost of one candidate of a search, step by step, for every named design.
//
//   bench_candidate [MATRIX...]    without matrices, on two made ones of 1e5 and 1e6 non-zeros
//   bench_candidate --device D [MATRIX...]    verification alone, on another device
//   bench_candidate --host [DESIGN,...] [INPUT...]    the host's part alone, of large matrices
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
#include <ctime>
#include <random>
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
#include "tools/benchmarks/silent_device.h"
#include "tools/console/tool_main.h"
#include "tools/console/twin_inputs.h"

namespace alphasparse {
namespace {

/// Rows of 8 to 24 entries in any columns; the same with every compiler.
Matrix made_matrix(std::int32_t rows) {
  std::mt19937_64 random(1);
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    const auto first = static_cast<std::ptrdiff_t>(matrix.col.size());
    for (std::uint64_t length = 8 + random() % 17; length > 0; --length)
      matrix.col.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(rows)));
    std::sort(matrix.col.begin() + first, matrix.col.end());
    matrix.col.erase(std::unique(matrix.col.begin() + first, matrix.col.end()), matrix.col.end());
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  for (const std::int32_t col : matrix.col) matrix.value.push_back(0.5 + col % 7);
  return matrix;
}

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
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string nvrtc_text(const Kernel& kernel, const std::string& arch) {
  if (!nvrtc()) return "-";
  Laps laps;
  const auto compiled = nvrtc()->compile(kernel.source, arch);
  return compiled ? fmt::format("{:.2f}", laps.next()) : compiled.reason();
}

/// One design's row of the table.
std::string row_of(const Matrix& matrix, const EmulatorToolchain& tools, const std::string& line) {
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
  fmt::print("{}: {} x {}, {} non-zeros\n", name, matrix.rows, matrix.cols, matrix.nnz());
  fmt::print("{:<16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}\n", "seconds", "build", "g++",
             "verify", "count", "nvrtc", "self MB", "child MB");
  for (const NamedDesign& design : named_designs(Target::cuda)) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      if (nvrtc()) (void)nvrtc()->compile("", tools.gpu().arch);  // loading is paid once a search
      fmt::print("{:<16} {}\n", design.name, row_of(matrix, tools, std::string(design.line)));
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
  fmt::print("{}: {} x {}, {} non-zeros\n", name, matrix.rows, matrix.cols, matrix.nnz());
  fmt::print("{:<16} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "seconds", "before", "host", "after", "host",
             "host all");
  Verification verification(matrix);
  for (const char* const design : {"csr-scalar", "csr-scalar", "csr-vector", "csr5"}) {
    fmt::print("{:<16} {}\n", design,
               verification_row(device, matrix, verification, resolve_design(design)));
    std::fflush(stdout);
  }
}

int run_on(const std::string& name, int argument_count, char** arguments) {
  const std::unique_ptr<Device> device = open_device(name);
  for (int i = 0; i < argument_count; ++i)
    bench_verification(arguments[i], read_matrix_market(arguments[i]), *device);
  if (argument_count == 0) {
    for (const std::int32_t rows : {62'500, 750'000})
      bench_verification("made", made_matrix(rows), *device);
  }
  return 0;
}

void bench_host(const std::string& input, const std::vector<std::string>& designs) {
  const Matrix matrix = read_or_make_input(input, default_dtype, false, {}).matrix;
  double device_seconds = 0;
  const std::unique_ptr<Device> device = open_silent_device(matrix, device_seconds);
  Trial trial(matrix, *device, {});
  (void)trial.run("csr-scalar", {});  // the cases are made, and sent to the worker
  fmt::print("{}: {} x {}, {} non-zeros\n{:<16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", input,
             matrix.rows, matrix.cols, matrix.nnz(), "seconds", "convert", "load", "other", "host",
             "cores", "peak");
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
std::vector<std::string> designs_of(const std::string& text) {
  std::vector<std::string> designs;
  if (text == "all") {
    for (const NamedDesign& design : named_designs(Target::cuda)) designs.emplace_back(design.name);
    return designs;
  }
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    designs.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return designs;
}

int run_host(int argument_count, char** arguments) {
  const std::vector<std::string> designs = designs_of(argument_count > 0 ? arguments[0] : "all");
  for (int i = 1; i < argument_count; ++i) bench_host(arguments[i], designs);
  if (argument_count < 2) bench_host("twin:ldoor:2e7", designs);
  return 0;
}

int run(int argument_count, char** arguments) {
  if (argument_count > 1 && std::string(arguments[1]) == "--host")
    return run_host(argument_count - 2, arguments + 2);
  if (argument_count > 2 && std::string(arguments[1]) == "--device")
    return run_on(arguments[2], argument_count - 3, arguments + 3);
  const EmulatorToolchain tools(*find_gpu_model("h200"), find_host_compiler(), find_emulator());
  for (int i = 1; i < argument_count; ++i)
    bench(arguments[i], read_matrix_market(arguments[i]), tools);
  if (argument_count == 1) {
    for (const std::int32_t rows : {6'250, 62'500}) bench("made", made_matrix(rows), tools);
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_candidate",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
