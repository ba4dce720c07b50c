// kernel: a kernel that g++ has compiled, its arrays in a memory file, ready to run in the
// emulator. emulated/device.h tells which parts run observed.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/compilers/host_compiler.h"
#include "runtime/device/device.h"
#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/report.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/model_constants.h"
#include "runtime/emulated/source.h"
#include "runtime/system/deadline.h"
#include "runtime/system/files/memory_file.h"
#include "runtime/system/files/temporary_folder.h"

namespace alphasparse {

/// The state that the kernels of a device share. Thread-safe but for set_deadline.
class EmulatorToolchain {
 public:
  /// Runs that are not observed share out the blocks among `processes`, as far as other runs leave
  /// any; 0: as many as this machine runs at once.
  EmulatorToolchain(const GpuModel& gpu, HostCompiler compiler, std::filesystem::path emulator,
                    std::size_t processes = 0);

  const GpuModel& gpu() const { return gpu_; }
  const HostCompiler& compiler() const { return compiler_; }
  const std::filesystem::path& emulator() const { return emulator_; }

  /// Runs of kernels that are not done by then end as Status::timeout.
  const Deadline& deadline() const { return deadline_; }
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }

  /// A run of the emulator, as long as it lives.
  class Run {
   public:
    explicit Run(const EmulatorToolchain& tools) : tools_(tools) { ++tools_.running_; }
    ~Run() { --tools_.running_; }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// That it may start.
    int processes() const;

   private:
    const EmulatorToolchain& tools_;
  };

  /// Empty where this compiler's kernels are counted exactly, else their fault. Found out once.
  const std::string& counts_verdict() const;

 private:
  std::string judge() const;

  GpuModel gpu_;
  HostCompiler compiler_;
  std::filesystem::path emulator_;
  std::size_t processes_;
  mutable std::atomic<std::size_t> running_ = 0;
  Deadline deadline_;
  mutable std::once_flag judged_;
  mutable std::string verdict_;
};

class EmulatedKernel : public LoadedKernel {
 public:
  /// Both must outlive the object.
  EmulatedKernel(const EmulatorToolchain& tools, const Kernel& kernel);

  /// Compiles for observed runs; a failure says why not.
  std::optional<Failure> build();

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override;
  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override;

  /// Its arrays lie in a memory file; a case's values come from their sources.
  StillRead still_reads() const override { return StillRead::sources; }

  /// The work of every launch, on one case, its sample of blocks; `l1_share` as in
  /// model_constants.h. Where the kernel is of a sample of `whole`, the caches are those that the
  /// whole meets: as many resident warps, and an L2 that may not hold all of it.
  Result<std::vector<emulator::LaunchCounts>> count(const SpmvCase& input, CacheRegime regime,
                                                    double l1_share = ModelConstants().l1_share,
                                                    const std::optional<WholeSizes>& whole = {});

 private:
  void add_scratch(const Workspace& scratch);
  Result<std::filesystem::path> build_object(EmulatedBuild build);
  Result<std::string> run_cases(std::span<const SpmvCase> cases, emulator::Job job,
                                std::vector<SpmvOutcome>* outcomes);
  emulator::Job make_job(emulator::Mode mode) const;

  const EmulatorToolchain& tools_;
  const Kernel& kernel_;
  TemporaryFolder folder_;
  MemoryFile arrays_;
  emulator::Job job_;         // all but module, mode, sample and cases
  std::int64_t entries_ = 0;  // of the largest array
  std::optional<std::filesystem::path> observed_;
  std::optional<std::filesystem::path> plain_;
};

}  // namespace alphasparse
