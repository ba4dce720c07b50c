// designer: applies designs to one matrix - the paper's Designer. Stores are kept by design prefix,
// so that a proposal does not pay for the whole matrix again.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/kernel.h"
#include "generator/store.h"
#include "operators/design.h"

namespace alphasparse {

/// What bounds a candidate before it is built.
struct BuildLimits {
  double csr_bytes_ratio_max =
      16;  ///< values and columns, pads included, over the same without pads...
  std::int64_t bytes_free = 1 << 20;  ///< ...beyond this many bytes
};

class Designer {
 public:
  /// `matrix` must outlive the designer.
  explicit Designer(const Matrix& matrix);

  const Matrix& matrix() const { return matrix_; }

  /// The store of a design without branches. Fails as branches() does.
  Result<Store> apply(const Design& design);

  /// The stores after every step, one a branch, in the order of the text. Fails at the first step
  /// that does not apply, naming it and the reason; also where the text is no design or a branch
  /// ends before its launch.
  Result<std::vector<Store>> branches(const Design& design);

  /// The canonical text, applied and built. Fails as apply does, or where the format would be too
  /// large.
  Result<Kernel> build(const std::string& text, Dtype dtype, const BuildLimits& limits = {});

 private:
  /// A design and where it stands: below which text, and on what store.
  struct Place {
    std::string text;  ///< of the steps before it, empty at the root
    Store store;
  };

  Result<Store> apply_steps(const Place& place, const Design& design, std::size_t count);
  std::optional<Failure> add_branches(const Place& place, const Design& design,
                                      std::vector<Store>& stores);
  Result<std::vector<Store>> split(const std::string& text, const Store& store, const Step& step);

  static constexpr std::size_t kept_max = 16;

  const Matrix& matrix_;
  Store root_;
  std::map<std::string, Store> kept_;                ///< by canonical prefix
  std::map<std::string, std::vector<Store>> split_;  ///< by canonical prefix, the branches open
};

}  // namespace alphasparse
