// vectors: the vectors by which a program checks and times its kernel.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "templates/host/status.h"

namespace alphasparse::host {

inline std::vector<Value> random_vector(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Value> vector(count);
  for (Value& entry : vector) entry = static_cast<Value>(uniform(random));
  return vector;
}

inline void check_call(int status) {
  if (status != alphasparse_ok) {
    throw StatusError(static_cast<alphasparse_status>(status), PREFIX_message());
  }
}

}  // namespace alphasparse::host
