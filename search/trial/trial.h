// trial: the outcome of one design: built, loaded, verified, timed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "operators/designer.h"
#include "runtime/database/measurement.h"
#include "runtime/device/device.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/lower_bound.h"
#include "search/trial/subject.h"
#include "search/trial/tune_options.h"

namespace alphasparse {

/// A modelled time this many times the best decides before results are looked at.
inline constexpr double unverified_times_best = 3;

/// Why a format that holds one triangle for both is refused where values vary.
inline constexpr const char* triangle_forbidden =
    "stores one triangle, which --values varying forbids: other values need not be symmetric";

/// Marks an outcome as failed.
void fail(Measurement& outcome, const Failure& failure);

/// A kernel on the device, and the kernel that it was loaded from. It lacks the entries of arrays
/// that only the device needs, and the data with which other values would replace its own: it is
/// timed and verified on these.
struct ReadyKernel {
  Kernel kernel;
  std::unique_ptr<LoadedKernel> loaded;
};

class Trial {
 public:
  using Found = std::function<void(Measurement)>;

  /// The matrix and the device must outlive it. Formats are built by as many threads as the machine
  /// and its memory allow, at most `threads`; 0: no other limit.
  Trial(const Matrix& matrix, Device& device, const TuneOptions& options, std::size_t threads = 1);
  ~Trial();

  /// How many designs are best tried together.
  std::size_t batch_size() const { return builds_beside_ ? beside_batch : workers_; }

  /// Tries designs, or algorithms of the vendor, and calls `found` in this thread as each outcome
  /// is known. A fault of one stands in its measurement, once the known kernel has shown that the
  /// device works: an Error of check_device is thrown where it does not. A design that meets a
  /// fault twice, or has a disturbed time, is unsettled. A design that gives the kernel and the
  /// arrays of an earlier one is a duplicate with that one's time. All are built, then compiled,
  /// then tried: all at once where times are modelled, one after the other where they are measured,
  /// on a machine that does nothing else. Of a large matrix on a GPU one is tried while the next is
  /// built and compiled, where memory holds both. Designs beyond the deadline are left out. Designs
  /// clearly slower than `incumbent_us` are not measured to the end. They are not verified either
  /// where a modelled time tells so before, and not tried at all where a bound does; 0: all are.
  /// Where designs are tried one after the other, each has its outcome before the next is begun.
  /// Those that are not `wanted` when their turn comes are left out too.
  void run(const Subjects& subjects, const Deadline& deadline, double incumbent_us,
           const Found& found, const std::function<bool(const Subject& subject)>& wanted = {});

  /// Lets these designs be tried again as if they were new: a trial keeps one time of each design
  /// that ran.
  void forget(const Designs& designs);

  /// Throws the Error of check_device where the device does not work.
  void check(const Deadline& deadline);

  /// Tries one until the deadline.
  Measurement run(const Subject& subject, const Deadline& deadline, double incumbent_us = 0);

  /// Tries the subject of a text. A text that is none has a failed outcome with the reason.
  Measurement run(const std::string& text, const Deadline& deadline, double incumbent_us = 0);

  /// The matrix is a sample of `whole`, and the device models times: those of the whole are told
  /// from counts, and nothing is verified. Outcomes are `counted`.
  void stand_for(const WholeSizes& whole) { whole_ = whole; }

  /// Designs that are tried with any lower bound (lower_bound.h). Other designs with a bound above
  /// the incumbent are not tried.
  void exempt(const Designs& designs) { exempt_.insert(designs.begin(), designs.end()); }

  /// See Device::set_deadline; run() does it itself.
  void set_deadline(const Deadline& deadline) { device_.set_deadline(deadline); }

  /// Builds and loads a subject, even if it was tried before. Puts the time and the sizes into
  /// `facts`.
  Result<std::unique_ptr<ReadyKernel>> load(const Subject& subject, Measurement& facts);

  /// Times it as a trial does, by a few samples.
  Result<Timing> time_shortly(ReadyKernel& ready);

  /// Whether the format of a design, or of an algorithm of the vendor, holds any values that its
  /// pattern may have. Then it has no dictionary, no floats for doubles, no triangle for both. The
  /// text tells where it can. Else the kernel tells that was tried, or that is built for this. But
  /// not ever more of them are built: then a design that the text does not tell of counts as a no.
  bool takes_any_values(const Subject& subject);

  /// Why a design that was tried before is no answer to this call, if so. It cannot be built any
  /// more, is for another target, or the options rule it out. Nothing runs.
  std::optional<Failure> no_answer_reason(const CanonicalDesign& design);

  /// The fault of its results, if there is one. A device's fault is thrown as an Error.
  std::optional<Failure> verify_again(ReadyKernel& ready);

 private:
  struct Candidate;
  class Batch;
  static constexpr std::size_t beside_batch = 4;  ///< of these, the first alone is waited for

  bool is_emulated() const { return device_.info().kind == TimeKind::modelled; }
  Result<Designer::Built> build(Designer& designer, const Subject& subject, Measurement& facts);
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel, Measurement& facts);
  std::optional<Failure> prohibition(const Kernel& kernel) const;

  /// Why a format cannot take the place of another with different values, as any values may differ;
  /// empty: it can.
  static std::string fixed_values_reason(const Kernel& kernel);
  bool is_exempt_design(const Subject& subject) const;
  LowerBound find_bound(const Designer::Built& built) const;
  void learn_rates();
  void hold_bound(Measurement& outcome);
  std::optional<Failure> hopeless_reason(const LowerBound& bound, double incumbent_us) const;
  void prepare(Designer& designer, Candidate& candidate, const Deadline& deadline,
               double incumbent_us);
  void compile(Candidate& candidate) const;
  void try_candidate(Candidate& candidate, double incumbent_us);
  void decide(Candidate& candidate, const Deadline& deadline, double incumbent_us);
  SpmvCase timed_input(const Kernel& kernel);
  Result<Timing> time_undisturbed(Kernel& kernel, LoadedKernel& loaded,
                                  const TimingRequest& request);
  void verify_and_time(Candidate& candidate, double incumbent_us);
  std::optional<WholeSizes> size_whole(const std::vector<Store>& branches) const;

  const Matrix& matrix_;
  Device& device_;
  const TuneOptions options_;
  Verification verification_;
  BuildLimits limits_;
  const std::size_t workers_;
  /// The next design is built and compiled while one is tried. Building takes longer than trying
  /// then, and one format more is held. A GPU's times are its own: the host is not in them.
  const bool builds_beside_;
  const GpuModel* const gpu_;  ///< set where times are modelled, else null
  const std::int64_t touched_x_bytes_;
  std::optional<WholeSizes> whole_;  ///< where the matrix is a sample
  std::set<CanonicalDesign> exempt_;
  std::map<std::string, bool> any_values_;           ///< of kernels that were built
  std::optional<std::vector<ReadRate>> read_rates_;  ///< of a CPU, from the first incumbent on
  double bound_ratio_ = 1;  ///< least measured time over the bound, where that was above it
  int probe_builds_ = 0;    ///< for takes_any_values alone
  std::vector<Designer> designers_;  ///< one a worker, the last for work beside a trial
  std::map<std::string, Measurement> by_content_;  ///< first outcome of each kernel and its arrays
};

}  // namespace alphasparse
