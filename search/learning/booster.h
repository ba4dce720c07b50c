// booster: one XGBoost model and one table of numbers, owned; its C API's errors as failures.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace alphasparse {

/// Rows of equal length, one behind the other.
struct NumberTable {
  std::vector<float> numbers;  ///< [rows][columns], NaN: missing
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// All rows have as many numbers as the first; there is one.
NumberTable number_table(std::span<const std::vector<float>> rows);

using BoosterSettings = std::vector<std::pair<std::string, std::string>>;

class Booster {
 public:
  /// Trains `rounds` trees; a label and a weight a row.
  static Result<Booster> train(const NumberTable& table, const std::vector<float>& labels,
                               const std::vector<float>& weights, const BoosterSettings& settings,
                               int rounds);

  /// A number a row.
  Result<std::vector<float>> predict(const NumberTable& table) const;

  Result<std::string> bytes() const;  ///< UBJSON, which nothing here reads

 private:
  struct Free {
    void operator()(void* handle) const;
  };
  explicit Booster(void* handle) : handle_(handle) {}

  std::unique_ptr<void, Free> handle_;
};

}  // namespace alphasparse
