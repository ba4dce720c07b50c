// fitting: the parameters that a design can have together, whatever the matrix.
//
// Most refusals of a design follow from its words alone: `compress share=75` needs blocks, and
// `interleave run=cols` needs bands of them. So a design is applied to a specimen: a small matrix
// whose rows have one length where the rows of the matrix have one, and many lengths otherwise. If
// it takes a design but refuses other parameters of it, the matrix would refuse them as well. If it
// refuses the design itself, it tells nothing of other parameters.
#pragma once
#include <map>
#include <set>
#include <string>

#include "operators/designer.h"

namespace alphasparse {

class Fitting {
 public:
  /// For matrices with such rows.
  explicit Fitting(const RowFacts& rows);
  Fitting(const Fitting&) = delete;
  Fitting& operator=(const Fitting&) = delete;

  /// Takes in a design that the matrix takes.
  void know(const CanonicalDesign& design) { takes(design); }

  /// Whether the parameters of a design fit each other: the specimen takes it, or takes no design
  /// of its structure that is known.
  bool fits(const CanonicalDesign& design);

 private:
  bool takes(const CanonicalDesign& design);

  Matrix specimen_;
  Designer designer_;
  std::map<CanonicalDesign, bool> taken_;
  std::set<std::string> structures_;  ///< of designs that the specimen takes
};

}  // namespace alphasparse
