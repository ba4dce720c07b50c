// fine_grid: proposes designs on the fine grids around the best ones, ranked by a model of measured
// times (surrogate.h). It is the third level of the search.
//
// A batch is a portfolio, for a regression alone settles in a wrong basin:
//   random       at least 1/8: any verified structure, all its parameters drawn
//   neighbours   1/4: the best three designs with one parameter changed, any of them alike. So no
//                mistake of the model hides the points beside them
//   model        the rest, by turns the fastest by the regression, and those that the classifier
//                holds to be most likely among the fastest tenth. The pool is the best designs,
//                several structures among them, with one parameter changed or several drawn
//
// Where there are several structures, none takes more than half of the model's places. If designs
// have predictions within 1 %, only one is taken: a plateau, such as parameters that change
// nothing, would take all places. Where a kind has nothing left, the others take its places.
//
// The random share. After each batch the regression's predictions are held against its times:
// Spearman's correlation r over n >= 8 designs
// (of several batches, if they are small). Ranks by chance deviate by 1 / sqrt(n - 1) from 0,
// so r at most so large is no better than chance: the random share doubles, up to 1/2. A greater r
// halves it, down to 1/8.
//
// Prior rows come from other matrices or devices. They count with their weight times 2^(-n / 64)
// after n own rows, and not at all below 0.05. So own rows, which weigh 1, take over.
//
// With 600 prior rows training takes longer than many a trial. So a model is trained anew only when
// own rows are a tenth more than it has seen, or prior rows have come.
//
// The designs that the model judges are not built, so the sizes of formats are not known. They are
// no feature, unless `format_bytes` tells them for measured and proposed designs alike.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "generator/arrays/matrix.h"
#include "runtime/database/measurement.h"
#include "search/learning/design_features.h"
#include "search/learning/surrogate.h"
#include "search/strategies/grid_moves.h"

namespace alphasparse {

struct FineGridOptions {
  std::uint64_t seed = 0;
  /// False: the same kinds of proposals, none of them ranked; for comparison.
  bool with_model = true;
  /// Whether a design may be tried at all; empty: any. Only designs about to be proposed are asked
  /// for, so it may cost something: such as applying the design, or asking the rules.
  std::function<bool(const CanonicalDesign& design)> legal;
  double random_share_least = 1.0 / 8;
  double random_share_most = 1.0 / 2;
  SurrogateOptions surrogate;
};

/// How well a batch was ranked, and its results.
struct ModelVerdict {
  double rank_correlation = 0;
  double random_share = 0;
};

/// The state of a search for its log.
struct FineGridState {
  std::size_t own_rows = 0;
  std::size_t prior_rows = 0;   ///< that the newest model was trained on
  bool has_model = false;       ///< the newest batch was ranked by one
  std::string no_model_reason;  ///< where it should have been and was not
  /// The correlation of the newest model with the times of the batch that it ranked; nothing before
  /// one was measured.
  std::optional<double> rank_correlation;
  /// Every one so far, with the random share that followed from it.
  std::vector<ModelVerdict> verdicts;
  double random_share = 0;  ///< of the next batch
};

class FineGrid {
 public:
  /// `rows` and `matrix` of one matrix, `csr_bytes` of it with the dtype that is searched for.
  /// `known` must outlive it.
  FineGrid(const RowFacts& rows, const Features& matrix, std::int64_t csr_bytes,
           KnownDesigns& known, FineGridOptions options);

  /// Rows from elsewhere, of DesignFeatures; their `problem` is not 0, which is ours. `designs`,
  /// such as were fast there, join the pool while they are not known.
  void add_prior(const std::vector<TrainingRow>& rows, const Designs& designs = {});

  std::size_t model_rows() const { return model_rows_; }  ///< that the newest model was trained on

  /// Takes an outcome in. A later one of the same design replaces the earlier. Duplicates and
  /// designs without a time, though sound, teach nothing.
  void learn(const CanonicalDesign& design, const Measurement& measurement);

  /// At most `batch` designs, none among the outcomes, learnt or proposed before; fewer
  /// where there are no more. Nothing where no outcome is verified and timed.
  Designs propose(std::size_t batch, const Outcomes& outcomes);

  /// The model's predictions, one a design; nothing where there is no model yet.
  std::optional<std::vector<Prediction>> judge(const Designs& designs);

  const FineGridState& state() const { return state_; }

 private:
  /// A design of the pool.
  struct Candidate {
    CanonicalDesign design;
    Prediction prediction;
  };

  class Turn;

  bool is_known(const CanonicalDesign& design, const Outcomes& outcomes) const;
  void hold_against_times();
  void train();
  std::vector<TrainingRow> training_rows();
  Result<std::vector<Prediction>> predict(const Designs& designs) const;
  std::vector<float> features_of_design(const CanonicalDesign& design) const;

  std::vector<Candidate> candidates(Designs designs, const Outcomes& outcomes);
  Designs pool(const GridBases& bases);
  std::size_t draw_part(std::size_t batch, double share);
  void add(const CanonicalDesign& design, const Outcomes& outcomes, Designs& chosen);
  void add_random(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                  Designs& chosen);
  void add_neighbours(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                      Designs& chosen);
  void add_best_of_pool(const GridBases& bases, std::size_t until, const Outcomes& outcomes,
                        Designs& chosen);

  RowFacts rows_;
  DesignFeatures features_;
  FeatureSet feature_set_;
  KnownDesigns& known_;
  FineGridOptions options_;
  Random random_;
  std::map<CanonicalDesign, TrainingRow> own_;
  std::vector<TrainingRow> prior_;
  Designs prior_designs_;
  std::set<CanonicalDesign> proposed_;
  std::map<CanonicalDesign, Prediction> newest_;  ///< predictions of the newest batch
  std::optional<Surrogate> model_;
  std::size_t model_rows_ = 0;
  std::size_t model_own_rows_ = 0;  ///< of them
  bool model_is_old_ = true;        ///< there are prior rows that it has not seen
  FineGridState state_;
};

}  // namespace alphasparse
