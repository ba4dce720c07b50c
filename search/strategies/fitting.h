// fitting: the parameters that a design can have together, for any matrix.
//
// Most refusals of a design follow from its words alone: `compress share=75` needs blocks, and
// `interleave run=cols` needs bands of them. So a design is applied to a specimen, a small matrix.
// If all rows of the matrix have one length, so have those of the specimen; else they have many.
// If it takes all known designs of a structure but refuses other parameters, the matrix would
// refuse them as well. If it refuses a design that the matrix takes, it tells nothing of its
// structure.
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

  /// Takes in a design that the matrix takes. Nothing is built.
  void know(const CanonicalDesign& design) {
    structures_[design.structure()].unasked.insert(design);
  }

  /// Whether the parameters of a design fit each other: the specimen takes it, or tells nothing of
  /// its structure.
  bool fits(const CanonicalDesign& design);

 private:
  /// The known designs of a structure.
  struct Structure {
    std::set<CanonicalDesign> unasked;  ///< of these, the specimen was not asked about them yet
    bool is_rejected = false;           ///< the specimen refuses one of them
  };

  bool takes(const CanonicalDesign& design);
  bool is_informative(const std::string& structure);

  Matrix specimen_;
  Designer designer_;
  std::map<CanonicalDesign, bool> taken_;
  std::map<std::string, Structure> structures_;
};

}  // namespace alphasparse
