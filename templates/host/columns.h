// columns: the C functions of a CPU's kernel for several vectors.
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

/// Calls move(i, k) for row i and column k of a matrix.
template <class Move>
static void for_each_number(int threads, std::int64_t rows, const Move& move) {
#pragma omp parallel for num_threads(threads)
  for (std::int64_t i = 0; i < rows; ++i)
    for (int k = 0; k < vectors; ++k) move(i, k);
}

static int spmm_columns_here(const alphasparse_handle* handle, const void* x, std::int64_t ldx,
                             void* y, std::int64_t ldy, double alpha, double beta, CUstream_st*) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmm_columns";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
  if (const char* const why = why_no_columns(ldx, ldy)) return refused(what, why);
  const Handle& own = *static_cast<const Handle*>(handle);
  const std::int64_t numbers = (facts.cols + facts.rows) * vectors;
  if (!own.rows) own.rows = new (cache_line, std::nothrow) Real[numbers];
  if (!own.rows) return failed(message(), alphasparse_no_memory, what, "out of host memory");
  Real* const rows_of_x = own.rows;
  Real* const rows_of_y = own.rows + facts.cols * vectors;
  const int threads = is_forked() ? 1 : own.team.threads;
  const Real* const from = static_cast<const Real*>(x);
  for_each_number(threads, facts.cols,
                  [&](std::int64_t i, int k) { rows_of_x[i * vectors + k] = from[k * ldx + i]; });
  spmm_here(handle, rows_of_x, vectors, rows_of_y, vectors, alpha, 0, nullptr);
  Real* const to = static_cast<Real*>(y);
  const Real scale = static_cast<Real>(beta);
  for_each_number(threads, facts.rows, [&](std::int64_t i, int k) {
    const Real sum = rows_of_y[i * vectors + k];
    Real& number = to[k * ldy + i];
    number = scale == 0 ? sum : sum + scale * number;
  });
  return alphasparse_ok;
}

extern "C" int PREFIX_spmm(const alphasparse_handle* handle, const Real* x, std::int64_t ldx,
                           Real* y, std::int64_t ldy, Real alpha, Real beta) {
  return spmm_here(handle, x, ldx, y, ldy, alpha, beta, nullptr);
}

extern "C" int PREFIX_spmm_columns(const alphasparse_handle* handle, const Real* x,
                                   std::int64_t ldx, Real* y, std::int64_t ldy, Real alpha,
                                   Real beta) {
  return spmm_columns_here(handle, x, ldx, y, ldy, alpha, beta, nullptr);
}
