#include "runtime/emulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/emulated_source.h"
#include "runtime/emulator_program.h"
#include "runtime/gpu_models.h"
#include "runtime/host_compiler.h"
#include "runtime/memory_file.h"
#include "runtime/temporary_folder.h"

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// What every kernel of a device shares.
struct Toolchain {
  GpuModel gpu;
  HostCompiler compiler;
  fs::path emulator;
};

/// The cases of a run in one memory file, and where they lie.
struct CasesFile {
  MemoryFile file;
  std::vector<emulator::JobCase> cases;

  explicit CasesFile(std::span<const SpmvCase> inputs) {
    for (const SpmvCase& input : inputs) {
      emulator::JobCase& placed = cases.emplace_back();
      placed.alpha = input.alpha;
      placed.beta = input.beta;
      placed.lanes_reversed = input.lanes_reversed;
      placed.x_offset = file.append(input.x, emulator::page_bytes);
      placed.y_offset = file.append(input.y, emulator::page_bytes);
      for (const std::vector<std::byte>& values : input.values) {
        placed.value_offsets.push_back(file.append(values, emulator::page_bytes));
      }
    }
  }
};

class EmulatedKernel : public LoadedKernel {
 public:
  EmulatedKernel(const Toolchain& tools, const Kernel& kernel) : tools_(tools), kernel_(kernel) {
    for (const Array& array : kernel.arrays) {
      entries_ = std::max(entries_, array.count);
      job_.arrays.push_back({array.name, element_bytes(array.type), array.count,
                             arrays_.append(array.bytes, emulator::page_bytes), array.is_value()});
    }
    for (const Launch& launch : kernel.launches) {
      job_.launches.push_back({launch.kernel, launch.blocks, launch.threads});
    }
    job_.arrays_file = arrays_.descriptor();
    job_.value_bytes = dtype_bytes(kernel.dtype);
    job_.rows = kernel.rows;
    job_.cols = kernel.cols;
    // Generous: a warp that walks the whole matrix lane by lane enters some ten blocks an entry.
    job_.blocks_entered_max = 1'000'000 + 1024 * (entries_ + kernel.rows);
  }

  /// Compiles for observed runs, or says why not.
  std::optional<Failure> build() {
    folder_.write("kernel.cpp", emulated_source(kernel_));
    const auto object = object_of(EmulatedBuild::observed);
    return object ? std::nullopt : std::optional(object.failure());
  }

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    CasesFile inputs(cases);
    if (entries_ <= observed_entries_max) {
      if (auto failure = run_job_on(inputs, emulator::Mode::check, cases)) return *failure;
      return outcomes(inputs);
    }
    if (auto failure = run_job_on(inputs, emulator::Mode::plain, cases)) return *failure;
    CasesFile first(cases.subspan(0, std::min<std::size_t>(1, cases.size())));
    if (auto failure = run_job_on(first, emulator::Mode::check, cases)) return *failure;
    return outcomes(inputs);
  }

  Result<Timing> time(const SpmvCase&, CacheRegime) override {
    return Failure{Status::launch_error, "the emulator models no times yet"};
  }

 private:
  Result<fs::path> object_of(EmulatedBuild build) {
    std::optional<fs::path>& made = build == EmulatedBuild::plain ? plain_ : observed_;
    if (!made) {
      const char* name = build == EmulatedBuild::plain ? "plain.so" : "observed.so";
      auto object = compile_shared_object(tools_.compiler, folder_.path() / "kernel.cpp",
                                          folder_.path() / name, emulated_flags(build));
      if (!object) return object.failure();
      made = *object;
    }
    return *made;
  }

  /// Runs all of `inputs`; a failure names the case.
  std::optional<Failure> run_job_on(CasesFile& inputs, emulator::Mode mode,
                                    std::span<const SpmvCase> cases) {
    const auto object =
        object_of(mode == emulator::Mode::plain ? EmulatedBuild::plain : EmulatedBuild::observed);
    if (!object) return object.failure();
    emulator::Job job = job_;
    job.module = object->string();
    job.mode = mode;
    job.cases = inputs.cases;
    job.cases_file = inputs.file.descriptor();
    if (mode != emulator::Mode::plain) {
      job.sample.stride = (entries_ + observed_entries_max - 1) / observed_entries_max;
      job.sample.stride = std::max<std::int64_t>(1, job.sample.stride);
    }
    const double entries = static_cast<double>(entries_) * static_cast<double>(inputs.cases.size());
    JobEnd end = run_job(tools_.emulator, folder_.path() / "job", job, 20 + 2e-6 * entries);
    if (end.report) return std::nullopt;
    Failure failure = end.report.failure();
    if (end.fault_case >= 0)
      failure.reason += fmt::format(" (case {})", cases[end.fault_case].name);
    return failure;
  }

  std::vector<SpmvOutcome> outcomes(const CasesFile& inputs) const {
    std::vector<SpmvOutcome> all;
    for (const emulator::JobCase& ran : inputs.cases) {
      std::vector<std::byte>& y = all.emplace_back().y;
      y.resize(static_cast<std::size_t>(kernel_.rows) * dtype_bytes(kernel_.dtype));
      inputs.file.read(ran.y_offset, y);
    }
    return all;
  }

  const Toolchain& tools_;
  const Kernel& kernel_;
  TemporaryFolder folder_;
  MemoryFile arrays_;
  emulator::Job job_;         // all but module, mode, sample and cases
  std::int64_t entries_ = 0;  // of the largest array
  std::optional<fs::path> observed_;
  std::optional<fs::path> plain_;
};

class EmulatedDevice : public Device {
 public:
  explicit EmulatedDevice(Toolchain tools) : tools_(std::move(tools)) {
    info_.name = "emulated:" + tools_.gpu.name;
    info_.gpu = tools_.gpu.full_name;
    info_.kind = TimeKind::modelled;
    info_.version = gpu_models_version;
    info_.arch = tools_.gpu.arch;
  }

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    auto loaded = std::make_unique<EmulatedKernel>(tools_, kernel);
    if (auto failure = loaded->build()) return *failure;
    return std::unique_ptr<LoadedKernel>(std::move(loaded));
  }

 private:
  Toolchain tools_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> open_emulated_device(const std::string& gpu) {
  const GpuModel* model = find_gpu_model(gpu);
  if (!model) {
    std::string known;
    for (const GpuModel& each : gpu_models()) known += (known.empty() ? "" : ", ") + each.name;
    throw Error(fmt::format("no model of a GPU '{}'; there are {}", gpu, known));
  }
  return std::make_unique<EmulatedDevice>(Toolchain{*model, find_host_compiler(), find_emulator()});
}

}  // namespace alphasparse
