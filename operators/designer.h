// designer: applies designs to one matrix - the paper's Designer. Stores are kept by design prefix,
// so that a proposal does not pay for the whole matrix again.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/operands.h"
#include "generator/facts/store.h"
#include "operators/canonical_design.h"
#include "operators/prefix_cache.h"

namespace alphasparse {

/// The bounds of a candidate before it is built.
struct BuildLimits {
  double csr_bytes_ratio_max =
      16;  ///< values and columns, pads included, over the same without pads...
  std::int64_t bytes_free = 1 << 20;  ///< ...beyond this many bytes
};

/// The steps that a design begins with: the text before its next step, and the store that it has
/// made of the matrix.
struct Prefix {
  std::string text;  ///< canonical; empty at the root, "bin_rows at=3 2 { " where a branch begins
  Store store;
};

class Designer {
 public:
  /// `matrix` must outlive the designer and the stores that it gives. `target` is that of root().
  /// Whole designs are applied for the target that they name.
  explicit Designer(const Matrix& matrix, Target target = Target::gpu);

  const Matrix& matrix() const { return matrix_; }

  /// Bytes of the stores that a designer of this matrix keeps, at most.
  static std::int64_t kept_bytes(const Matrix& matrix);

  /// Before the first step.
  Prefix root() const { return {"", root_}; }

  /// After one more step without branches. Fails where it does not apply, naming it and the reason.
  Result<Prefix> after(const Prefix& prefix, const Step& step);

  /// Where the branches of a step begin, with any contents. There must be as many as it makes.
  /// Fails likewise.
  Result<std::vector<Prefix>> inside(const Prefix& prefix, const Step& step);

  /// The store of a design without branches. Fails as branches() does.
  Result<Store> apply(const Design& design);

  /// The stores after every step, one a branch, in the order of the text. Fails at the first step
  /// that does not apply, naming it and the reason; also where a branch ends before its launch.
  Result<std::vector<Store>> branches(const CanonicalDesign& design);

  /// Likewise of any spelling. Fails also where the catalogue does not know it.
  Result<std::vector<Store>> branches(const Design& design);

  /// Why these branches store too much, or nothing.
  std::optional<Failure> too_large(const std::vector<Store>& branches, Dtype dtype,
                                   const BuildLimits& limits) const;

  /// A kernel, and the stores that it was built from, without sources that tell of no fill.
  struct Built {
    Kernel kernel;
    std::vector<Store> branches;
  };

  /// The design, applied and built. Fails as branches does, or where the format would be too large.
  /// Its values are still to be made (Array::made_from), from those of the matrix.
  Result<Built> build_whole(const CanonicalDesign& design, const Operands& operands,
                            const BuildLimits& limits = {});

  /// The kernel alone of the design of a line, with its values.
  Result<Kernel> build(const std::string& text, const Operands& operands,
                       const BuildLimits& limits = {});

 private:
  /// Forgets the other target's stores, where the one before was for another.
  void turn_to(Target target);

  // Steps are canonical here.
  Result<Prefix> add_canonical(const Prefix& prefix, const Step& step);
  Result<std::vector<Prefix>> inside_canonical(const Prefix& prefix, const Step& step);
  // Prefixes are handed over, so that nothing holds the arrays that a step has replaced.
  Result<Prefix> add_steps(Prefix prefix, const Design& design, std::size_t count);
  std::optional<Failure> add_branches(Prefix prefix, const Design& design,
                                      std::vector<Store>& stores);
  Result<std::vector<Store>> split(const std::string& text, const Store& store, const Step& step);

  const Matrix& matrix_;
  Store root_;
  std::int64_t listed_positions_max_ = index_limit;  ///< of the design that is built
  PrefixCache<Store> kept_;                          ///< by canonical prefix
  PrefixCache<std::vector<Store>> split_;            ///< by canonical prefix, the branches open
};

}  // namespace alphasparse
