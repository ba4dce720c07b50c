#ifndef ALPHASPARSE_KERNEL_PREFIX_H
/* x and y of PREFIX_spmv are in an order of the kernel's own. A solver moves its vectors there once
 * by PREFIX_to_own, works on them for many products, and moves the solution back by
 * PREFIX_from_own. */
#ifndef ALPHASPARSE_OWN_ORDER
#error "x and y are in the kernel's own order: read this header, then define ALPHASPARSE_OWN_ORDER"
#endif

#else
/* The own order, where the format lies: element i of y is row rows[i] of A [ROWS], element j of x
 * is its column columns[j] [COLS]. They live as long as the handle. */
int PREFIX_order(const alphasparse_handle* handle, const int32_t** rows, const int32_t** columns);

/* Moves x [COLS] into the own order, and y [ROWS] out of it, on a stream where one is asked for.
 * The two do not overlap. For vectors of a square matrix either direction serves both. */
#ifdef ALPHASPARSE_RUNTIME_CUDA
int PREFIX_to_own(const alphasparse_handle* handle, const VALUE* x, VALUE* own,
                  struct CUstream_st* stream);
int PREFIX_from_own(const alphasparse_handle* handle, VALUE* y, const VALUE* own,
                    struct CUstream_st* stream);
#else
int PREFIX_to_own(const alphasparse_handle* handle, const VALUE* x, VALUE* own);
int PREFIX_from_own(const alphasparse_handle* handle, VALUE* y, const VALUE* own);
#endif

#endif
