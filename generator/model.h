// model: an arithmetic expression that stands in the place of a stored array.
//
// What a person would never store is never stored: constants, and the arithmetic progressions that
// fixed cuts make, with their short last step. An expression is taken only if evaluating it, in the
// 32-bit signed arithmetic that is emitted, gives back every entry.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alphasparse {

/// a * i + b, at most `last` where clamped.
struct LinearModel {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::optional<std::int64_t> last;

  bool is_identity() const { return a == 1 && b == 0 && !last; }
};

/// The model of the entries, or nothing. An empty array is the constant 0.
std::optional<LinearModel> fit_linear(const std::vector<std::int32_t>& entries);

/// Its CUDA expression over the index expression `i`: "256 * i", "min(32 * i, 3001)", "7".
std::string model_text(const LinearModel& model, const std::string& i);

}  // namespace alphasparse
