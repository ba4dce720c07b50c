// surrogate: a model of measured times, by gradient-boosted trees (XGBoost): a regression on the
// logarithm of the time, and beside it a classifier of the fastest tenth.
//
// Times of different problems (matrix, device, ...) are not comparable, so each is taken relative
// to the fastest of its problem. The regression learns log2(time / fastest), at most 6. The
// classifier learns which rows are among the fastest tenth of their problem. A row without a time
// is a candidate that failed: the classifier learns it as slow, the regression does not see it.
//
// The same rows in the same order give the same trees, bit for bit, with the same XGBoost on the
// same machine.
//
// Threads and forks: XGBoost runs on libgomp, and its pool of threads does not survive a fork. In
// the child of a process that has once trained with two threads, training with two waits for ever.
// Here all runs in the calling thread (nthread=1). No thread is started, and a process that has
// trained may fork, and its child train too. A test holds both. Training is small enough for one
// thread. One Surrogate is used by one thread at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace alphasparse {

/// The outcome of a design, as numbers.
struct TrainingRow {
  std::vector<float> features;    ///< one a name; NaN: missing
  std::optional<double> time_us;  ///< > 0; nothing: it failed
  int problem = 0;                ///< times of one problem are comparable
  double weight = 1;              ///< > 0
};

/// The names of a model's features and the version of their meanings.
struct FeatureSet {
  std::vector<std::string> names;
  int version = 0;
};

struct SurrogateOptions {
  int rounds = 80;         ///< trees of each of the two
  int depth_max = 6;       ///< of a tree
  double eta = 0.15;       ///< how much of each tree counts
  std::uint32_t seed = 0;  ///< of XGBoost's choices; the defaults make none
};

struct Prediction {
  float log2_slowdown = 0;  ///< log2(time / fastest of the problem)
  float top_chance = 0;     ///< that it is among the fastest tenth; in [0, 1]
};

class Surrogate {
 public:
  /// Fails with XGBoost's complaint, or where fewer than two rows have a time.
  static Result<Surrogate> train(const FeatureSet& features, std::span<const TrainingRow> rows,
                                 const SurrogateOptions& options = {});

  /// A prediction a row, in their order. Each row has as many numbers as there are features.
  Result<std::vector<Prediction>> predict(std::span<const std::vector<float>> rows) const;

  /// Equal where two models are: a hash of all that they have learnt.
  Result<std::string> key() const;

  Surrogate(Surrogate&&) noexcept;
  Surrogate& operator=(Surrogate&&) noexcept;
  ~Surrogate();

 private:
  struct State;
  explicit Surrogate(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Spearman's correlation of predictions with measured times, in the same order. Nothing where they
/// are fewer than two or one side is all equal.
std::optional<double> rank_agreement(std::span<const Prediction> predicted,
                                     std::span<const double> measured_us);

}  // namespace alphasparse
