// differential_kernel: the faults of one kernel; included once for each, with NAME(function), VALUE
// (float or double), EPSILON, its rounding, and IS_EXACT: 1 where Inf stays Inf in spite of pads.
// IS_CUDA: on a device that has our memory.

static int NAME(differs)(const char* format, const struct matrix* a) {
  alphasparse_handle* handle = NULL;
  if (NAME(load)(format, &handle) != alphasparse_ok) return printf("%s\n", NAME(message)()), 1;
  VALUE* const x = malloc((size_t)a->cols * sizeof *x + 1);
  VALUE* const y = malloc((size_t)a->rows * sizeof *y + 1);
  VALUE* const before = malloc((size_t)a->rows * sizeof *y + 1);
  if (!x || !y || !before) return 2;
  for (int call = 0; call < 7; ++call) {
    const VALUE alpha = call % 3 == 0 ? 1 : call % 3 == 1 ? (VALUE)-2.5 : 0;
    const int32_t infinite = call == 6 && a->cols > 0 ? a->cols / 2 : -1;  // a column of x
    const VALUE beta = call % 2 == 0 ? 0 : (VALUE)0.75;
    for (int32_t i = 0; i < a->cols; ++i) x[i] = alpha == 0 ? (VALUE)NAN : (VALUE)number();
    if (infinite >= 0) x[infinite] = (VALUE)INFINITY;
    for (int32_t i = 0; i < a->rows; ++i)
      y[i] = before[i] = beta == 0 ? (VALUE)NAN : (VALUE)number();
#if IS_CUDA
    const int status = NAME(spmv)(handle, x, y, alpha, beta, NULL);
#else
    int status = NAME(set_threads)(handle, 1 + call % 4);
    if (status == alphasparse_ok) status = NAME(spmv)(handle, x, y, alpha, beta);
#endif
    if (status != alphasparse_ok) return printf("%s\n", NAME(message)()), 1;
    for (int32_t row = 0; row < a->rows; ++row) {
      long double sum = 0, magnitude = 0;
      double met = 0;  // the value that meets Inf
      for (int32_t nz = a->first[row]; nz < a->first[row + 1] && alpha != 0; ++nz) {
        if (a->col[nz] == infinite) {
          met = (VALUE)a->value[nz];
          if (met == 0) met = NAN;
          continue;
        }
        const long double product = (long double)(VALUE)a->value[nz] * x[a->col[nz]];
        sum += product;
        magnitude += fabsl(product);
      }
      if (met != 0) {
        const int is_right =
            isnan(met) ? isnan(y[row]) : isinf(y[row]) && (y[row] > 0) == (met > 0);
        if (is_right || (!IS_EXACT && isnan(y[row]))) continue;
        printf("Inf in x[%d]: y[%d] is %g\n", (int)infinite, (int)row, (double)y[row]);
        return 1;
      }
      const long double old = beta == 0 ? 0 : (long double)beta * before[row];
      const long double bound = (a->first[row + 1] - a->first[row] + 4) * EPSILON *
                                (fabsl(alpha) * magnitude + fabsl(old));
      if (fabsl(alpha * sum + old - y[row]) <= bound) continue;
      printf("call %d: y[%d] is %.17g, expected %.17Lg\n", call, (int)row, (double)y[row],
             alpha * sum + old);
      return 1;
    }
  }
  NAME(free)(handle);
  free(x);
  free(y);
  free(before);
  return 0;
}
