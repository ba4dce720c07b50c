// product: one SpMV of a program's vectors.
#pragma once
#include <vector>

#include "templates/host/interface.h"
#include "templates/host/vectors.h"

namespace alphasparse::host {

inline std::vector<Value> product(const alphasparse_handle* handle, const std::vector<Value>& x,
                                  std::vector<Value> y, Value alpha, Value beta) {
#ifdef ALPHASPARSE_KERNEL_VECTORS
  const std::vector<Value> wide_x = spread(x);
  std::vector<Value> wide_y = spread(y);
  check_call(multiply_all(handle, wide_x.data(), wide_y.data(), alpha, beta, nullptr));
  return gathered(wide_y);
#else
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
  const std::int32_t *rows = nullptr, *columns = nullptr;
  check_call(PREFIX_order(handle, &rows, &columns));
  std::vector<Value> own_x(x.size()), own_y(y.size());
  check_call(PREFIX_to_own(handle, x.data(), own_x.data()));
  for (std::size_t i = 0; i < y.size(); ++i) own_y[i] = y[rows[i]];
  check_call(
      PREFIX_interface()->spmv_scaled(handle, own_x.data(), own_y.data(), &alpha, &beta, nullptr));
  check_call(PREFIX_from_own(handle, y.data(), own_y.data()));
#else
  check_call(PREFIX_interface()->spmv_scaled(handle, x.data(), y.data(), &alpha, &beta, nullptr));
#endif
  return y;
#endif
}

}  // namespace alphasparse::host
