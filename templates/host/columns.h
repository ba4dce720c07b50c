// columns: the C function of a CPU's kernel for several vectors.
#pragma once
#include <cstdint>

#include "templates/host/forked.h"
#include "templates/host/handle.h"
#include "templates/host/rows.h"

static int spmm_here(const alphasparse_handle* handle, const void* x, std::int64_t ldx, void* y,
                     std::int64_t ldy, double alpha, double beta, CUstream_st*) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, x && y)) return refused("PREFIX_spmm", why);
  if (const char* const why = why_no_rows({x, ldx, facts.cols}, {y, ldy, facts.rows}))
    return refused("PREFIX_spmm", why);
  const Team& team = static_cast<const Handle*>(handle)->team;
  if (static_cast<Real>(alpha) == 0) {
    Real* row = static_cast<Real*>(y);
    for (std::int64_t i = 0; i < facts.rows; ++i, row += ldy)
      scale(row, vectors, static_cast<Real>(beta));
  } else {
    multiply_rows(team, alpha, x, ldx, beta, y, ldy, is_forked() ? run_alone : multiply);
  }
  return alphasparse_ok;
}

extern "C" int PREFIX_spmm(const alphasparse_handle* handle, const Real* x, std::int64_t ldx,
                           Real* y, std::int64_t ldy, Real alpha, Real beta) {
  return spmm_here(handle, x, ldx, y, ldy, alpha, beta, nullptr);
}
