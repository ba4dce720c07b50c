/* Load the format file once; then multiply. A handle runs one SpMV at a time. A function of
 * type int returns alphasparse_ok, or a status of alphasparse_kernel.h after which the function of
 * messages gives the reason in one line.
 *
 *   alphasparse_handle* handle;
 *   const int status = PREFIX_load("FORMAT_FILE", &handle);
 *   if (status != alphasparse_ok) puts(PREFIX_message());
#ifdef ALPHASPARSE_KERNEL_VECTORS
 *   PREFIX_spmm(handle, x, VECTORS, y, VECTORS, 1, 0);  // Y = A X
#else
#ifdef ALPHASPARSE_REAL_KERNEL
 *   PREFIX_spmv(handle, x, y, 1, 0);  // y = A x
#else
 *   const VALUE one = {1, 0}, zero = {0, 0};
 *   PREFIX_spmv(handle, x, y, one, zero);  // y = A x
#endif
#endif
 *   PREFIX_free(handle);
 *
 * The kernel is C++ behind an interface of C: a program in C is linked by a C++ compiler (g++
 * -fopenmp). */
#ifndef ALPHASPARSE_KERNEL_PREFIX_H
#define ALPHASPARSE_KERNEL_PREFIX_H

#include "alphasparse_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks the format file in full and keeps its arrays, touched first by as many threads as OpenMP
 * would take (OMP_NUM_THREADS); an SpMV runs by them. *handle is null after a failure; else the
 * caller frees it. */
int PREFIX_load(const char* path, alphasparse_handle** handle);

/* From now on SpMVs run by 1 to 1024 threads. Arrays stay where they were touched first. */
int PREFIX_set_threads(alphasparse_handle* handle, int threads);

#ifdef ALPHASPARSE_KERNEL_VECTORS
/* Y = alpha * A * X + beta * Y. X has COLS rows and Y has ROWS rows of VECTORS numbers, which lie
 * side by side. The rows of X lie ldx numbers apart, those of Y ldy; both are at least VECTORS.
 * Rows at multiples of 64 bytes are read fastest. X and Y do not overlap; nothing beside them is
 * read or written. alpha = 0 reads neither A nor X, beta = 0 does not read Y. Inside a parallel
 * region of the caller's, and in a process that was forked, one thread does all. The same bits in
 * every run by as many threads. */
int PREFIX_spmm(const alphasparse_handle* handle, const VALUE* x, int64_t ldx, VALUE* y,
                int64_t ldy, VALUE alpha, VALUE beta);

/* The same for X and Y that lie by columns: those of X, COLS numbers each, ldx numbers apart, those
 * of Y, ROWS numbers each, ldy apart. It copies them into rows and back, in COLUMNS_BYTES bytes
 * that the first call takes and PREFIX_free gives back. */
int PREFIX_spmm_columns(const alphasparse_handle* handle, const VALUE* x, int64_t ldx, VALUE* y,
                        int64_t ldy, VALUE alpha, VALUE beta);
#else
/* y = alpha * A * x + beta * y, for x [COLS] and y [ROWS], which do not overlap; nothing beside
 * them is read. alpha = 0 reads neither A nor x, beta = 0 does not read y. Inside a parallel region
 * of the caller's, and in a process that was forked, one thread does all. The same bits in every
 * run by as many threads. */
int PREFIX_spmv(const alphasparse_handle* handle, const VALUE* x, VALUE* y, VALUE alpha,
                VALUE beta);
#endif

#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
OWN_ORDER
#endif
/* Replaces the matrix' values: values [NNZ], row by row, columns ascending. No spmv may be running
 * on the handle. */
int PREFIX_update_values(alphasparse_handle* handle, const STORED* values);

/* Gives back everything that a handle holds; null is allowed. No spmv may be running on it. */
void PREFIX_free(alphasparse_handle* handle);

/* The reason of the last call of this thread that failed. */
const char* PREFIX_message(void);

/* The same functions, for a program that does not know their names. They ignore streams and
 * workspaces. */
const alphasparse_kernel* PREFIX_interface(void);

#ifdef __cplusplus
}
#endif

#endif /* ALPHASPARSE_KERNEL_PREFIX_H */
