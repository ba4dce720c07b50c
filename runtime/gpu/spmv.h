// spmv: the state of every SpMV on a GPU, from any library: the arrays of a kernel, and the x and y
// that it shares with the others.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/gpu/session.h"
#include "runtime/gpu/timing.h"

namespace alphasparse {

class GpuSpmv : public LoadedKernel {
 public:
  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override;
  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override;
  Result<std::vector<double>> sample(int count) override;
  StillRead still_reads() const override { return StillRead::values; }
  ~GpuSpmv() override;

 protected:
  /// `kernel` must outlive it; the session is entered.
  GpuSpmv(std::shared_ptr<GpuSession> session, const Kernel& kernel);

  /// Takes memory for x, y, every array and workspace, and copies the arrays.
  MaybeFailure allocate();

  /// Queues y = alpha * A * x + beta * y. With `wait`, waits after each of its steps, so that a
  /// fault names the step.
  virtual MaybeFailure queue(const Scaling& scaling, const RowDistances& distances, bool wait) = 0;

  /// Adds the known facts of the code to its times.
  virtual void add_facts_to(Timing& timing) const = 0;

  GpuSession& session() const { return *session_; }
  const Kernel& kernel() const { return kernel_; }
  GpuPointer x_address() const { return vectors_->x.address(); }
  GpuPointer y_address() const;
  GpuPointer array_address(std::size_t index) const { return arrays_[index].address(); }

  /// The addresses of arrays and workspaces, in the order of Kernel::pointers.
  std::vector<GpuPointer>& format() { return format_; }

  /// Gives up the graph of this work: it goes before the code that it launches.
  void forget_samples() { sampler_.reset(); }

  /// Memory on the GPU that is given back with us.
  MaybeFailure take(GpuBuffer& buffer, std::size_t bytes, const std::string& what);

 private:
  std::size_t vector_bytes(std::int64_t length) const;
  MaybeFailure prepare_case(const SpmvCase& one);
  MaybeFailure put_values(const SharedBytes& integers);
  MaybeFailure upload_array(const Array& array, GpuPointer to, const std::string& doing);
  MaybeFailure replace_values(std::size_t index, const SharedBytes& integers);
  MaybeFailure permute_values(std::size_t index, const SharedBytes& integers);
  MaybeFailure restore_values(std::size_t index);
  Result<SpmvOutcome> run_one(const SpmvCase& one);

  std::shared_ptr<GpuSession> session_;
  const Kernel& kernel_;
  std::vector<GpuBuffer> arrays_;      // one an array
  std::vector<GpuBuffer> workspaces_;  // one a workspace
  std::vector<GpuPointer> format_;
  std::shared_ptr<GpuVectors> vectors_;
  std::optional<WorkSampler> sampler_;
  std::vector<GpuBuffer> real_values_;  // one an array; none of those that hold them themselves
  SharedBytes integers_;                // that are in the arrays; empty: the real values
  std::vector<std::byte> guard_;
};

}  // namespace alphasparse
