// product: one SpMV of a program's vectors.
#pragma once
#include <vector>

#include "templates/host/interface.h"
#include "templates/host/vectors.h"

namespace alphasparse::host {

inline std::vector<Value> product(const alphasparse_handle* handle, const std::vector<Value>& x,
                                  std::vector<Value> y, Value alpha, Value beta) {
  check_call(PREFIX_spmv(handle, x.data(), y.data(), alpha, beta));
  return y;
}

}  // namespace alphasparse::host
