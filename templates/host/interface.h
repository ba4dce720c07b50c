// interface: the C functions of a CPU's kernel, which NAME.h declares. None of them throws.
#pragma once
#include "templates/host/alphasparse_kernel.h"
#include "templates/host/handle.h"

extern "C" const char* PREFIX_message() { return alphasparse::host::message().text; }

extern "C" void PREFIX_free(alphasparse_handle* handle) {
  using namespace alphasparse::host;
  if (!why_refused(handle, true)) delete static_cast<Handle*>(handle);
}

extern "C" int PREFIX_load(const char* path, alphasparse_handle** out) {
  using namespace alphasparse::host;
  if (out) *out = nullptr;
  if (!path || !out) return refused("PREFIX_load", "a null pointer");
  Handle* handle = nullptr;
  const int status = open_handle(path, &handle);
  *out = handle;
  return status;
}

extern "C" int PREFIX_set_threads(alphasparse_handle* handle, int threads) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_set_threads";
  if (const char* const why = why_refused(handle, true)) return refused(what, why);
  if (threads < 1 || threads > threads_most) return refused(what, "a team has 1 to 1024 threads");
  if (set_threads(static_cast<Handle*>(handle)->team, threads)) return alphasparse_ok;
  return failed(message(), alphasparse_no_memory, what, "out of memory; the team stays as it was");
}

extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const Value* x, Value* y, Value alpha,
                           Value beta) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
  const Team& team = static_cast<const Handle*>(handle)->team;
  if (alpha == 0) {
    scale(y, beta);
  } else if (is_forked()) {
    run_alone(team, x, {y, alpha, beta, -1, nullptr});
  } else {
    multiply(team, x, {y, alpha, beta, -1, nullptr});
  }
  return alphasparse_ok;
}

extern "C" int PREFIX_update_values(alphasparse_handle* handle, const Value* values) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0))
    return refused(what, why);
  return replace_values(*static_cast<Handle*>(handle)->held, what, values, message());
}

extern "C" const alphasparse_kernel* PREFIX_interface() {
  using alphasparse::host::facts;
  static const alphasparse_kernel kernel = {
      ALPHASPARSE_KERNEL_VERSION,
      sizeof(alphasparse_kernel),
      facts.prefix,
      facts.design,
      facts.dtype,
      facts.rows,
      facts.cols,
      facts.nnz,
      PREFIX_load,
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         CUstream_st*) {
        return PREFIX_spmv(handle, static_cast<const Value*>(x), static_cast<Value*>(y),
                           static_cast<Value>(alpha), static_cast<Value>(beta));
      },
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta, void*,
         CUstream_st*) {
        return PREFIX_spmv(handle, static_cast<const Value*>(x), static_cast<Value*>(y),
                           static_cast<Value>(alpha), static_cast<Value>(beta));
      },
      [](size_t* alignment) {
        if (alignment) *alignment = 1;
        return size_t{0};
      },
      [](alphasparse_handle* handle, const void* values) {
        return PREFIX_update_values(handle, static_cast<const Value*>(values));
      },
      [](alphasparse_handle* handle, const void* values, CUstream_st*) {
        return PREFIX_update_values(handle, static_cast<const Value*>(values));
      },
      PREFIX_free,
      PREFIX_message,
      "cpu",
      PREFIX_set_threads};
  return &kernel;
}
