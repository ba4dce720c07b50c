/* alphasparse_kernel: the interface that all kernels of alphasparse share; plain C.
 *
 * NAME.h declares the functions of one kernel under their names. A program that learns only when it
 * runs which kernel it has calls them through this struct, which PREFIX_interface() of NAME.h
 * gives:
 *
 *   int product(const alphasparse_kernel* kernel, const char* path, const void* x, void* y) {
 *     alphasparse_handle* handle;
 *     if (kernel->version != ALPHASPARSE_KERNEL_VERSION) return -1;
 *     int status = kernel->load(path, &handle);
 *     if (status == alphasparse_ok) status = kernel->spmv(handle, x, y, 1, 0, NULL);
 *     if (status != alphasparse_ok) puts(kernel->message());
 *     ... */
#ifndef ALPHASPARSE_KERNEL_H
#define ALPHASPARSE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised where a member changes; members that are only appended raise `size` alone. */
#define ALPHASPARSE_KERNEL_VERSION 1
/* The version of a kernel whose x and y have an order of its own (own_order below): a program that
 * knows nothing of such orders refuses it. */
#define ALPHASPARSE_OWN_ORDER_VERSION 1001
/* The version of a kernel for several vectors (below): a program that calls spmv alone refuses it.
 * Its spmv, spmv_with and workspace_bytes are null. */
#define ALPHASPARSE_VECTORS_VERSION 1002

/* The status of a call. After any but the first, message() gives the reason in one line. */
enum alphasparse_status {
  alphasparse_ok = 0,
  alphasparse_bad_file = 1,          /* missing, damaged, or made for another kernel */
  alphasparse_bad_argument = 2,      /* null, another kernel's handle, a misaligned workspace */
  alphasparse_cuda_error = 3,        /* CUDA refused a call */
  alphasparse_no_memory = 4,         /* of the host */
  alphasparse_not_representable = 5, /* the format cannot hold these values */
  alphasparse_only_from_host = 6 /* the host must look at values before this format holds them */
};

/* A format in memory, or on the GPU that was current when it was loaded; of its own kernel. */
typedef struct alphasparse_handle alphasparse_handle;

struct CUstream_st; /* a cudaStream_t points at one */

#ifndef ALPHASPARSE_REAL_KERNEL
/* Complex numbers: the bytes of C99's, std::complex, NumPy's and cuComplex. */
typedef struct alphasparse_c64 {
  float re, im;
} alphasparse_c64;
typedef struct alphasparse_c128 {
  double re, im;
} alphasparse_c128;

#endif
/* The functions are those that NAME.h describes, but for their types: x, y and values point at
 * float where dtype is "f32", at double where it is "f64", and at alphasparse_c64 or
 * alphasparse_c128 where it is that; the values of a real matrix are real. On a CPU streams and
 * workspaces mean nothing. */
typedef struct alphasparse_kernel {
  int version; /* ALPHASPARSE_KERNEL_VERSION when the kernel was made */
  size_t size; /* sizeof(alphasparse_kernel) then: an older kernel has no members beyond it */
  const char* prefix; /* of its names */
  const char* design;
  const char* dtype; /* "f32", "f64", "c64" or "c128" */
  int64_t rows;      /* entries of y */
  int64_t cols;      /* entries of x */
  int64_t nnz;       /* values */
  int (*load)(const char* path, alphasparse_handle** handle);
  int (*spmv)(const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
              struct CUstream_st* stream);
  int (*spmv_with)(const alphasparse_handle* handle, const void* x, void* y, double alpha,
                   double beta, void* workspace, struct CUstream_st* stream);
  size_t (*workspace_bytes)(size_t* alignment);
  int (*update_values)(alphasparse_handle* handle, const void* values);
  int (*update_values_device)(alphasparse_handle* handle, const void* values,
                              struct CUstream_st* stream);
  void (*free)(alphasparse_handle* handle);
  const char* (*message)(void);
  const char* target;                                          /* "cuda" or "cpu" */
  int (*set_threads)(alphasparse_handle* handle, int threads); /* null: the kernel has none */
  int own_order; /* 1: x and y are in the order that the next three tell; 0: these are null */
  int (*order)(const alphasparse_handle* handle, const int32_t** rows, const int32_t** columns);
  int (*to_own)(const alphasparse_handle* handle, const void* x, void* own,
                struct CUstream_st* stream);
  int (*from_own)(const alphasparse_handle* handle, void* y, const void* own,
                  struct CUstream_st* stream);
  int vectors; /* the columns of X and Y; 1: they are vectors, and the next two are null */
  int (*spmm)(const alphasparse_handle* handle, const void* x, int64_t ldx, void* y, int64_t ldy,
              double alpha, double beta, struct CUstream_st* stream);
  int (*spmm_columns)(const alphasparse_handle* handle, const void* x, int64_t ldx, void* y,
                      int64_t ldy, double alpha, double beta, struct CUstream_st* stream);
  /* spmv with alpha and beta of the kernel's type; null where `vectors` is more than 1 */
  int (*spmv_scaled)(const alphasparse_handle* handle, const void* x, void* y, const void* alpha,
                     const void* beta, struct CUstream_st* stream);
} alphasparse_kernel;

#ifdef __cplusplus
}
#endif

#endif /* ALPHASPARSE_KERNEL_H */
