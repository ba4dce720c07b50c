#include "runtime/emulated/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "generator/arrays/stored_values.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/emulated/count_check.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/modelled_time.h"
#include "runtime/emulated/whole_counts.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// The kernel would read past the ends of a case with arrays shorter than its own.
void check_input_sizes(const Kernel& kernel, const SpmvCase& input) {
  const auto vector_bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * number_type(kernel.dtype).bytes;
  };
  CHECK(input.x.size() == vector_bytes(kernel.cols * input.distances.x));
  CHECK(input.y.size() == vector_bytes(kernel.rows * input.distances.y));
  CHECK(input.integers.empty() ||
        input.integers.size() == static_cast<std::size_t>(kernel.nnz * kernel.value_parts()));
}

/// Appends the bytes of an array that parts(take) hands over, from the beginning of a page on.
/// Returns their place.
template <class Parts>
std::int64_t append_parts(MemoryFile& file, const Array& array, const Parts& parts) {
  const std::int64_t offset = file.size();
  parts([&](std::span<const std::byte> part) { file.put(part); });
  CHECK(file.size() - offset == array.stored_bytes());
  file.align(emulator::page_bytes);
  return offset;
}

/// Puts the cases of a run into a memory file, and returns their places.
std::vector<emulator::JobCase> make_cases(const Kernel& kernel, std::span<const SpmvCase> cases,
                                          MemoryFile& file) {
  std::vector<emulator::JobCase> placed;
  for (const SpmvCase& input : cases) {
    emulator::JobCase& job_case = placed.emplace_back();
    job_case.scaling = input.scaling;
    job_case.lanes_reversed = input.lanes_reversed;
    job_case.x_offset = file.append(input.x, emulator::page_bytes);
    job_case.y_offset = file.append(input.y, emulator::page_bytes);
    const auto before = std::find_if(cases.begin(), cases.end(), [&](const SpmvCase& other) {
      return other.integers.is(input.integers);
    });
    if (&*before != &input) {  // which has put them there
      job_case.value_offsets = placed[before - cases.begin()].value_offsets;
      continue;
    }
    if (input.integers.empty()) continue;
    for (const Array& array : kernel.arrays) {
      if (!array.is_value()) continue;
      job_case.value_offsets.push_back(append_parts(file, array, [&](const TakeBytes& take) {
        for_bytes_of_integers(array, input.integers, take);
      }));
    }
  }
  return placed;
}

constexpr int threads_max = 1024;  // of a block

/// Kernels up to this many times slower than the best get their registers and spills.
constexpr double facts_times_best = 1.25;

/// Processor time for a run that does not hang.
double seconds_allowed(std::int64_t entries, std::size_t cases) {
  return 30 + 1e-5 * static_cast<double>(entries) * static_cast<double>(cases);
}

}  // namespace

EmulatorToolchain::EmulatorToolchain(const GpuModel& gpu, HostCompiler compiler, fs::path emulator,
                                     std::size_t processes)
    : gpu_(gpu),
      compiler_(std::move(compiler)),
      emulator_(std::move(emulator)),
      processes_(processes == 0 ? machine_threads() : processes) {}

int EmulatorToolchain::Run::processes() const {
  return static_cast<int>(std::max<std::size_t>(1, tools_.processes_ / tools_.running_));
}

const std::string& EmulatorToolchain::counts_verdict() const {
  std::call_once(judged_, [this] {
    std::error_code unknown;
    const auto written = fs::last_write_time(emulator_, unknown).time_since_epoch().count();
    std::string key = fmt::format("{} {} {} {} {}", compiler_.text(), compiler_.version,
                                  fs::file_size(emulator_, unknown), written, emulator_shim());
    for (const std::string& flag : emulated_flags(EmulatedBuild::observed)) key += flag;
    verdict_ = remembered_verdict(key, [this] { return judge(); });
  });
  return verdict_;
}

std::string EmulatorToolchain::judge() const {
  const CountCheck check = make_count_check();
  EmulatedKernel loaded(*this, check.kernel);
  const auto make_error = [](const std::string& reason) {
    return environment_error(fmt::format("a known kernel was not counted: {}", reason));
  };
  if (const auto failure = loaded.build()) throw make_error(failure->reason);
  SpmvCase input;
  input.x = std::vector<std::byte>(static_cast<std::size_t>(check.kernel.cols) *
                                   number_type(check.kernel.dtype).bytes);
  input.y = std::vector<std::byte>(static_cast<std::size_t>(check.kernel.rows) *
                                   number_type(check.kernel.dtype).bytes);
  const auto counts = loaded.count(input, CacheRegime::cold);
  if (!counts) throw make_error(counts.reason());
  return judge_counts(check, counts->front());
}

EmulatedKernel::EmulatedKernel(const EmulatorToolchain& tools, const Kernel& kernel)
    : tools_(tools), kernel_(kernel) {
  for (const FormatPointer& pointer : kernel.pointers()) {
    if (pointer.workspace) {
      add_scratch(*pointer.workspace);
      continue;
    }
    const Array& array = *pointer.array;
    entries_ = std::max(entries_, array.count);
    const std::int64_t offset =
        append_parts(arrays_, array, [&](const TakeBytes& take) { for_bytes(array, take); });
    job_.arrays.push_back(
        {array.name, element_bytes(array.type), array.count, offset, array.is_value()});
  }
  for (const Launch& launch : kernel.launches) {
    job_.launches.push_back({launch.kernel, launch.blocks, launch.threads, launch.first_column});
  }
  job_.arrays_file = arrays_.descriptor();
  job_.value_bytes = number_type(kernel.dtype).bytes;
  job_.rows = kernel.rows;
  job_.cols = kernel.cols;
  // Generous: a warp that walks the whole matrix lane by lane enters some ten blocks an entry.
  job_.blocks_entered_max = 1'000'000 + 1024 * (entries_ + kernel.rows);
}

void EmulatedKernel::add_scratch(const Workspace& scratch) {
  emulator::JobArray& array = job_.arrays.emplace_back();
  array.name = scratch.name;
  array.element_bytes = element_bytes(scratch.type);
  array.count = scratch.count;
  array.scratch = true;
}

std::optional<Failure> EmulatedKernel::build() {
  for (const Launch& launch : kernel_.launches) {
    if (launch.blocks >= 1 && launch.blocks <= index_limit && launch.threads >= 1 &&
        launch.threads <= threads_max) {
      continue;
    }
    return Failure{Status::launch_error, fmt::format("{} blocks of {} threads cannot be launched",
                                                     launch.blocks, launch.threads)};
  }
  folder_.write("kernel.cpp", emulated_source(kernel_));
  const auto object = build_object(EmulatedBuild::observed);
  return object ? std::nullopt : std::optional(object.failure());
}

Result<fs::path> EmulatedKernel::build_object(EmulatedBuild build) {
  std::optional<fs::path>& made = build == EmulatedBuild::plain ? plain_ : observed_;
  if (!made) {
    const char* name = build == EmulatedBuild::plain ? "plain.so" : "observed.so";
    auto object = compile_shared_object(tools_.compiler(), folder_.path() / "kernel.cpp",
                                        folder_.path() / name, emulated_flags(build));
    if (!object) return object.failure();
    made = *object;
  }
  return *made;
}

emulator::Job EmulatedKernel::make_job(emulator::Mode mode) const {
  emulator::Job job = job_;
  job.mode = mode;
  std::int64_t work = mode == emulator::Mode::plain ? 0 : entries_;
  for (const Launch& launch : kernel_.launches) {
    if (mode == emulator::Mode::count) work = std::max(work, launch.blocks * launch.threads);
  }
  job.sample.stride =
      std::max<std::int64_t>(1, (work + observed_entries_max - 1) / observed_entries_max);
  return job;
}

Result<std::string> EmulatedKernel::run_cases(std::span<const SpmvCase> cases, emulator::Job job,
                                              std::vector<SpmvOutcome>* outcomes) {
  const bool plain = job.mode == emulator::Mode::plain;
  const auto object = build_object(plain ? EmulatedBuild::plain : EmulatedBuild::observed);
  if (!object) return object.failure();
  job.module = object->string();
  for (const SpmvCase& input : cases) check_input_sizes(kernel_, input);
  MemoryFile file;
  job.cases = make_cases(kernel_, cases, file);
  if (!cases.empty()) job.distances = cases.front().distances;
  job.cases_file = file.descriptor();
  const EmulatorToolchain::Run run(tools_);
  job.processes = plain ? run.processes() : 1;
  const JobEnd end = run_job(tools_.emulator(), folder_.path() / "job", job,
                             seconds_allowed(entries_, cases.size()), tools_.deadline());
  if (!end.report) {
    Failure failure = end.report.failure();
    if (end.failed_case >= 0) {
      failure.reason += fmt::format(" (case {})", cases[end.failed_case].name);
    }
    return failure;
  }
  for (std::size_t i = 0; outcomes && i < cases.size(); ++i) {
    std::vector<std::byte>& y = outcomes->emplace_back().y;
    y.resize(cases[i].y.size());
    file.read(job.cases[i].y_offset, y);
  }
  return *end.report;
}

Result<std::vector<SpmvOutcome>> EmulatedKernel::run(std::span<const SpmvCase> cases) {
  const bool observed = entries_ <= observed_entries_max;
  std::vector<SpmvOutcome> outcomes;
  const auto all = run_cases(
      cases, make_job(observed ? emulator::Mode::check : emulator::Mode::plain), &outcomes);
  if (!all) return all.failure();
  if (!observed && !cases.empty()) {
    const auto sample = run_cases(cases.first(1), make_job(emulator::Mode::check), nullptr);
    if (!sample) return sample.failure();
  }
  return outcomes;
}

Result<std::vector<emulator::LaunchCounts>> EmulatedKernel::count(
    const SpmvCase& input, CacheRegime regime, double l1_share,
    const std::optional<WholeSizes>& whole) {
  CHECK(l1_share > 0 && l1_share <= 1);
  const GpuModel& gpu = tools_.gpu();
  emulator::Job job = make_job(emulator::Mode::count);
  job.caches.l1_bytes = gpu.l1_bytes;
  job.caches.shared_bytes = gpu.shared_bytes;
  job.caches.sector_bytes = gpu.sector_bytes;
  job.caches.l1_share = l1_share;
  job.caches.l2_bytes = l2_bytes_kept(gpu);
  job.caches.multiprocessors = gpu.multiprocessors;
  job.caches.warps_max = gpu.warps_max;
  job.caches.blocks_max = gpu.blocks_max;
  job.caches.l2_slices = gpu.l2_slices;
  job.caches.l2_forgets = gpu.l2_forgets;
  job.caches.l2_warm = regime == CacheRegime::warm && !gpu.l2_forgets;
  const std::int64_t held = whole ? held_bytes(kernel_, *whole) : held_bytes(kernel_);
  const std::int64_t x_bytes =
      (whole ? whole->cols : kernel_.cols) * number_type(kernel_.dtype).bytes * kernel_.vectors;
  job.caches.l2_holds_all = holds_all(gpu, held, x_bytes);
  job.caches.whole_times = whole ? whole->times : 1;
  const auto report = run_cases({&input, 1}, job, nullptr);
  if (!report) return report.failure();
  std::vector<emulator::LaunchCounts> launches;
  std::istringstream text(*report);
  if (!emulator::read_report(text, launches) || launches.size() != kernel_.launches.size()) {
    throw environment_error(
        "the emulator's report is cut short; install alphasparse-emulator anew");
  }
  for (emulator::LaunchCounts& launch : launches) launch.is_near = is_near(gpu, held, regime);
  return launches;
}

Result<Timing> EmulatedKernel::time(const SpmvCase& input, const TimingRequest& request) {
  if (!tools_.counts_verdict().empty()) {
    return Failure{Status::launch_error,
                   fmt::format("no modelled time: the counts of g++ {} cannot be trusted ({})",
                               tools_.compiler().version, tools_.counts_verdict())};
  }
  SpmvCase timed = input;
  timed.integers = {};
  timed.scaling = {};
  const auto launches =
      count(timed, request.regime, tools_.gpu().constants.l1_share, request.whole);
  if (!launches) return launches.failure();
  const GpuModel& gpu = tools_.gpu();
  Timing timing =
      request.whole
          ? modelled_time(gpu, kernel_, whole_counts(gpu, kernel_, *launches, *request.whole))
          : modelled_time(gpu, kernel_, *launches);
  // They decide nothing here, so a kernel that cannot win does not pay for a compiler.
  const bool may_win =
      request.incumbent_us <= 0 || timing.time_us <= facts_times_best * request.incumbent_us;
  if (may_win && !has_no_compiler_for(gpu.arch)) {
    const auto facts = compile_facts(kernel_, gpu.arch);
    if (!facts) return facts.failure();
    add_facts(*facts, timing);
  }
  return timing;
}

}  // namespace alphasparse
