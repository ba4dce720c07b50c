// recording: tries designs of one matrix for a corpus (simulate --record).
//
// Where times are measured, each is held against csr-scalar's of the same minute
// (search/evaluation/reference.h); a batch waits while that is slow, and is tried again where it
// has moved meanwhile.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/evaluation/reference.h"
#include "search/trial/trial.h"

namespace alphasparse {

class Recording {
 public:
  /// Handles an outcome that is ready to be recorded.
  using Keep = std::function<void(const Measurement&)>;

  /// The matrix, the device and `stop` must outlive it. It waits `wait_seconds` in all.
  Recording(const Matrix& matrix, Device& device, const TuneOptions& options, double wait_seconds,
            const std::atomic<bool>& stop, Keep keep);

  /// Tries designs, keeps their outcomes and adds them to `known`. Designs clearly slower than
  /// `best_us` are not measured to the end; 0: all are.
  void record(const Designs& designs, double best_us, Outcomes& known);

 private:
  std::optional<double> time_now_us();
  void run(const Designs& designs, double best_us, const Trial::Found& found);
  std::vector<Measurement> tried(const Designs& designs, double best_us);
  void keep(Measurement outcome, double factor, Outcomes& known);
  void keep_all(std::vector<Measurement> outcomes, double factor, Outcomes& known);
  void record_reference(Outcomes& known);
  void record_beside(double reference_us, const Designs& designs, double best_us, Outcomes& known);

  const bool measures_;
  const CanonicalDesign reference_design_;
  const std::atomic<bool>& stop_;
  Keep keep_;
  Trial trial_;
  Reference reference_;
};

}  // namespace alphasparse
