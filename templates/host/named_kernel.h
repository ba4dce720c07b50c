/* Load the format file once, on the device that is to have the matrix; it stays there, whichever
 * device is current later. Then queue products on any stream: an SpMV neither allocates nor waits,
 * and may be captured in a graph. A function of type int returns alphasparse_ok, or a status of
 * alphasparse_kernel.h after which the function of messages gives the reason.
 *
 *   alphasparse_handle* handle;
 *   const int status = PREFIX_load("FORMAT_FILE", &handle);
 *   if (status != alphasparse_ok) puts(PREFIX_message());
#ifdef ALPHASPARSE_KERNEL_VECTORS
 *   PREFIX_spmm(handle, x, VECTORS, y, VECTORS, 1, 0, stream);  // Y = A X
#else
#ifdef ALPHASPARSE_REAL_KERNEL
 *   PREFIX_spmv(handle, x, y, 1, 0, stream);  // y = A x
#else
 *   const VALUE one = {1, 0}, zero = {0, 0};
 *   PREFIX_spmv(handle, x, y, one, zero, stream);  // y = A x
#endif
#endif
 *   PREFIX_free(handle);
 *
 * The kernel is C++ behind an interface of C: a program in C is linked by a C++ compiler (nvcc,
 * g++). */
#ifndef ALPHASPARSE_KERNEL_PREFIX_H
#define ALPHASPARSE_KERNEL_PREFIX_H

#include "alphasparse_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks the format file in full, copies it to the current device and loads the kernels there.
 * *handle is null after a failure; else the caller frees it. */
int PREFIX_load(const char* path, alphasparse_handle** handle);

#ifdef ALPHASPARSE_KERNEL_VECTORS
/* Y = alpha * A * X + beta * Y on a stream (a cudaStream_t) of the handle's device, where X and Y
 * lie. X has COLS rows and Y has ROWS rows of VECTORS numbers, which lie side by side. The rows of
 * X lie ldx numbers apart, those of Y ldy; both are at least VECTORS. x, y and the rows lie at
 * multiples of ALIGNMENT bytes. X and Y do not overlap. alpha = 0 reads neither A nor X, beta = 0
 * does not read Y. CUDA's last error is neither told nor cleared.WORKSPACE_NOTE */
int PREFIX_spmm(const alphasparse_handle* handle, const VALUE* x, int64_t ldx, VALUE* y,
                int64_t ldy, VALUE alpha, VALUE beta, struct CUstream_st* stream);

/* The same for X and Y that lie by columns: those of X, COLS numbers each, ldx numbers apart, those
 * of Y, ROWS numbers each, ldy apart. They have the alignment of their numbers. It copies them into
 * rows and back, in COLUMNS_BYTES bytes of the device's pool (cudaMallocAsync) during the call. */
int PREFIX_spmm_columns(const alphasparse_handle* handle, const VALUE* x, int64_t ldx, VALUE* y,
                        int64_t ldy, VALUE alpha, VALUE beta, struct CUstream_st* stream);
#else
/* y = alpha * A * x + beta * y on a stream (a cudaStream_t) of the handle's device, where x [COLS]
 * and y [ROWS] lie; they do not overlap. alpha = 0 reads neither A nor x, beta = 0 does not read y.
 * CUDA's last error is neither told nor cleared.WORKSPACE_NOTE */
int PREFIX_spmv(const alphasparse_handle* handle, const VALUE* x, VALUE* y, VALUE alpha, VALUE beta,
                struct CUstream_st* stream);

/* The same in scratch memory of the caller's on the handle's device, so that one handle serves
 * several streams at once, each with a workspace of its own. */
int PREFIX_spmv_with(const alphasparse_handle* handle, const VALUE* x, VALUE* y, VALUE alpha,
                     VALUE beta, void* workspace, struct CUstream_st* stream);

/* Bytes of a workspace: WORKSPACE_BYTES. Its address is a multiple of *alignment, as that of memory
 * from cudaMalloc is; `alignment` may be null. A workspace of 0 bytes may be null. */
size_t PREFIX_workspace_bytes(size_t* alignment);
#endif

#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
OWN_ORDER
#endif
/* Replaces the matrix' values: values [NNZ] on the host, row by row, columns ascending. Returns
 * when they are on the device; no spmv may be running on the handle. */
int PREFIX_update_values(alphasparse_handle* handle, const STORED* values);

/* The same with values that lie on the handle's device, in the order of the stream. The first call
 * leaves there where each value belongs, 4 bytes an entry, and waits for it; later ones launch
 * kernels alone and may be captured. A format that holds values as codes, doubles as float, or one
 * triangle of the matrix takes values from the host only: alphasparse_only_from_host. */
int PREFIX_update_values_device(alphasparse_handle* handle, const STORED* values,
                                struct CUstream_st* stream);

/* Gives back everything that a handle holds; null is allowed. No spmv may be running on it. */
void PREFIX_free(alphasparse_handle* handle);

/* The reason of the last call of this thread that failed. */
const char* PREFIX_message(void);

/* The same functions, for a program that does not know their names. */
const alphasparse_kernel* PREFIX_interface(void);

#ifdef __cplusplus
}
#endif

#endif /* ALPHASPARSE_KERNEL_PREFIX_H */
