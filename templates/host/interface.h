// interface: the C functions of a CPU's kernel, which NAME.h declares. None of them throws.
// The struct has functions of this file alone: of two libraries with one prefix, the C functions of
// the first may stand for those of the second.
#pragma once
#include "templates/host/alphasparse_kernel.h"
#include "templates/host/handle.h"

static const char* message_here() { return alphasparse::host::message().text; }

static void free_here(alphasparse_handle* handle) {
  using namespace alphasparse::host;
  if (!why_refused(handle, true)) delete static_cast<Handle*>(handle);
}

static int load_here(const char* path, alphasparse_handle** out) {
  using namespace alphasparse::host;
  if (out) *out = nullptr;
  if (!path || !out) return refused("PREFIX_load", "a null pointer");
  Handle* handle = nullptr;
  const int status = open_handle(path, &handle);
  *out = handle;
  return status;
}

static int set_threads_here(alphasparse_handle* handle, int threads) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_set_threads";
  if (const char* const why = why_refused(handle, true)) return refused(what, why);
  if (threads < 1 || threads > threads_most) return refused(what, "a team has 1 to 1024 threads");
  if (set_threads(static_cast<Handle*>(handle)->team, threads)) return alphasparse_ok;
  return failed(message(), alphasparse_no_memory, what, "out of memory; the team stays as it was");
}

#ifndef ALPHASPARSE_KERNEL_VECTORS
static int spmv_here(const alphasparse_handle* handle, const void* x, void* y, Value alpha,
                     Value beta, CUstream_st*) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
  const Team& team = static_cast<const Handle*>(handle)->team;
  const Input from{static_cast<const Value*>(x)};
  const Output out{static_cast<Value*>(y), alpha, beta, -1, nullptr};
  if (out.alpha == 0) {
    scale(out.y, out.beta);
  } else if (is_forked()) {
    run_alone(team, from, out);
  } else {
    multiply(team, from, out);
  }
  return alphasparse_ok;
}

#endif
static int update_values_here(alphasparse_handle* handle, const void* values) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0))
    return refused(what, why);
  return replace_values(*static_cast<Handle*>(handle)->held, what, values, message());
}

extern "C" const alphasparse_kernel* PREFIX_interface() {
  using namespace alphasparse::host;
  static const alphasparse_kernel kernel = {
#ifdef ALPHASPARSE_KERNEL_VECTORS
      ALPHASPARSE_VECTORS_VERSION,
#else
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
      ALPHASPARSE_OWN_ORDER_VERSION,
#else
      ALPHASPARSE_KERNEL_VERSION,
#endif
#endif
      sizeof(alphasparse_kernel),
      facts.prefix,
      facts.design,
      facts.dtype,
      facts.rows,
      facts.cols,
      facts.nnz,
      load_here,
#ifdef ALPHASPARSE_KERNEL_VECTORS
      nullptr,
      nullptr,
      nullptr,
#else
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         CUstream_st* stream) {
        return spmv_here(handle, x, y, static_cast<Value>(alpha), static_cast<Value>(beta), stream);
      },
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta, void*,
         CUstream_st* stream) {
        return spmv_here(handle, x, y, static_cast<Value>(alpha), static_cast<Value>(beta), stream);
      },
      [](size_t* alignment) {
        if (alignment) *alignment = 1;
        return size_t{0};
      },
#endif
      update_values_here,
      [](alphasparse_handle* handle, const void* values, CUstream_st*) {
        return update_values_here(handle, values);
      },
      free_here,
      message_here,
      "cpu",
      set_threads_here,
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
      1,
      order_here,
      to_own_here,
      from_own_here,
#else
      0,
      nullptr,
      nullptr,
      nullptr,
#endif
#ifdef ALPHASPARSE_KERNEL_VECTORS
      vectors,
      spmm_here,
      spmm_columns_here,
      nullptr};
#else
      1,
      nullptr,
      nullptr,
      [](const alphasparse_handle* handle, const void* x, void* y, const void* alpha,
         const void* beta, CUstream_st* stream) {
        if (!alpha || !beta) return refused("PREFIX_spmv", "a null pointer");
        return spmv_here(handle, x, y, *static_cast<const Value*>(alpha),
                         *static_cast<const Value*>(beta), stream);
      }};
#endif
  return &kernel;
}

extern "C" const char* PREFIX_message() { return message_here(); }
extern "C" void PREFIX_free(alphasparse_handle* handle) { return free_here(handle); }
extern "C" int PREFIX_load(const char* path, alphasparse_handle** out) {
  return load_here(path, out);
}
extern "C" int PREFIX_set_threads(alphasparse_handle* handle, int threads) {
  return set_threads_here(handle, threads);
}
#ifdef ALPHASPARSE_KERNEL_VECTORS
extern "C" int PREFIX_update_values(alphasparse_handle* handle, const Real* values) {
  return update_values_here(handle, values);
}
#else
#ifdef ALPHASPARSE_REAL_KERNEL
extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const Value* x, Value* y, Value alpha,
                           Value beta) {
  return spmv_here(handle, x, y, alpha, beta, nullptr);
}
#else
extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const CNumber* x, CNumber* y,
                           CNumber alpha, CNumber beta) {
  return spmv_here(handle, x, y, {alpha.re, alpha.im}, {beta.re, beta.im}, nullptr);
}
#endif
extern "C" int PREFIX_update_values(alphasparse_handle* handle, const CValue* values) {
  return update_values_here(handle, values);
}
#endif
