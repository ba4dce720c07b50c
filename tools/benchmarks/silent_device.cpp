#include "tools/benchmarks/silent_device.h"

#include <map>
#include <string>
#include <utility>

#include "base/ranges.h"
#include "runtime/device/expectations.h"
#include "runtime/system/stopwatch.h"
#include "runtime/worker/device.h"

namespace alphasparse {
namespace {

/// The result of a case, as the kernel's own type has it.
std::vector<std::byte> make_result(const Matrix& matrix, Dtype dtype, const SpmvCase& one) {
  const std::vector<std::byte>&x = one.x, &y = one.y;
  std::vector<double> sums(matrix.rows);
  const auto add_rows = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t row = first; row < end; ++row) {
      double sum = 0;
      for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
        const double value = one.integers.empty()
                                 ? matrix.value[nz]
                                 : static_cast<std::int8_t>(one.integers.data()[nz]);
        sum += value * from_device(dtype, x, matrix.col[nz]);
      }
      sums[row] = one.scaling.scaled(sum, from_device(dtype, y, row));
    }
  };
  for_ranges(matrix.rows, add_rows, grain_size(matrix.rows, matrix.nnz()));
  return to_device(dtype, sums.size(), [&](std::size_t row) { return sums[row]; });
}

/// The results of cases, by their names: all kernels have the same cases.
using Results = std::map<std::string, std::vector<std::byte>>;

class SilentKernel : public LoadedKernel {
 public:
  SilentKernel(const Matrix& matrix, Dtype dtype, Results& results)
      : matrix_(matrix), dtype_(dtype), results_(results) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& one : cases) {
      const Stopwatch clock;
      std::vector<std::byte>& result = results_[one.name];
      if (result.empty()) result = make_result(matrix_, dtype_, one);
      outcomes.push_back({result, 0});
      outcomes.back().device_seconds = clock.seconds();
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase&, const TimingRequest&) override {
    Timing timing;
    timing.time_us = timing.time_us_p20 = timing.time_us_p80 = 100;
    timing.samples = 7;
    return timing;
  }

  StillRead still_reads() const override { return StillRead::values; }  // as on a GPU

 private:
  const Matrix& matrix_;
  Dtype dtype_;
  Results& results_;
};

class SilentDevice : public Device {
 public:
  explicit SilentDevice(const Matrix& matrix) : matrix_(matrix) {
    info_.name = info_.gpu = "silent";
    info_.kind = TimeKind::measured;
    info_.arch = "sm_90";
  }
  const DeviceInfo& info() const override { return info_; }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    for (const Array& array : kernel.arrays) for_bytes(array, [](auto) {});  // as a copy does
    return std::unique_ptr<LoadedKernel>(
        std::make_unique<SilentKernel>(matrix_, kernel.dtype, results_[kernel.dtype]));
  }

 private:
  const Matrix& matrix_;
  std::map<Dtype, Results> results_;
  DeviceInfo info_;
};

/// A kernel in the worker whose device seconds are added up here.
class WatchedKernel : public LoadedKernel {
 public:
  WatchedKernel(std::unique_ptr<LoadedKernel> kernel, double& seconds)
      : kernel_(std::move(kernel)), seconds_(seconds) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    auto outcomes = kernel_->run(cases);
    if (!outcomes) return outcomes;
    for (const SpmvOutcome& outcome : *outcomes) seconds_ += outcome.device_seconds;
    return outcomes;
  }
  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override {
    return kernel_->time(input, request);
  }
  StillRead still_reads() const override { return kernel_->still_reads(); }

 private:
  std::unique_ptr<LoadedKernel> kernel_;
  double& seconds_;
};

class WatchedDevice : public Device {
 public:
  WatchedDevice(std::unique_ptr<Device> device, double& seconds)
      : device_(std::move(device)), seconds_(seconds) {}
  const DeviceInfo& info() const override { return device_->info(); }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    auto loaded = device_->load(kernel);
    if (!loaded) return loaded;
    return std::unique_ptr<LoadedKernel>(
        std::make_unique<WatchedKernel>(std::move(*loaded), seconds_));
  }
  void set_deadline(const Deadline& deadline) override { device_->set_deadline(deadline); }

 private:
  std::unique_ptr<Device> device_;
  double& seconds_;
};

}  // namespace

std::unique_ptr<Device> open_silent_device(const Matrix& matrix, double& device_seconds) {
  const auto open = [&matrix] { return std::make_unique<SilentDevice>(matrix); };
  return std::make_unique<WatchedDevice>(open_worker_device(open), device_seconds);
}

}  // namespace alphasparse
