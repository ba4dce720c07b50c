// differential_driver: an emitted kernel as a C program calls it, against long double.
//
// Usage: differential_driver FORMAT MATRIX. MATRIX has int32 rows and cols, rows + 1 offsets, the
// columns, and the values as double. VALUE is float or double, and EPSILON its rounding. Exits with
// 1 and a line where a result is outside of its bound.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "a.h"

static void* taken(FILE* file, size_t count, size_t bytes) {
  void* const all = malloc(count * bytes + 1);
  if (!all || fread(all, bytes, count, file) != count) exit(2);
  return all;
}

static uint32_t state = 1;
static VALUE number(void) {
  state = state * 1664525u + 1013904223u;
  return (VALUE)((int)(state >> 8) % 2001 - 1000) / 256;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  FILE* const file = fopen(arguments[2], "rb");
  if (!file) return 2;
  const int32_t* const size = taken(file, 2, 4);
  const int32_t* const first = taken(file, (size_t)size[0] + 1, 4);
  const int32_t* const col = taken(file, (size_t)first[size[0]], 4);
  const double* const value = taken(file, (size_t)first[size[0]], 8);
  alphasparse_handle* handle = NULL;
  if (a_load(arguments[1], &handle) != alphasparse_ok) return printf("%s\n", a_message()), 1;
  VALUE* const x = malloc((size_t)size[1] * sizeof *x);
  VALUE* const y = malloc((size_t)size[0] * sizeof *y);
  VALUE* const before = malloc((size_t)size[0] * sizeof *y);
  if (!x || !y || !before) return 2;
  for (int call = 0; call < 6; ++call) {
    const VALUE alpha = call % 3 == 0 ? 1 : call % 3 == 1 ? (VALUE)-2.5 : 0;
    const VALUE beta = call % 2 == 0 ? 0 : (VALUE)0.75;
    if (a_set_threads(handle, 1 + call % 4) != alphasparse_ok)
      return printf("%s\n", a_message()), 1;
    for (int32_t i = 0; i < size[1]; ++i) x[i] = alpha == 0 ? (VALUE)NAN : number();
    for (int32_t i = 0; i < size[0]; ++i) y[i] = before[i] = beta == 0 ? (VALUE)NAN : number();
    if (a_spmv(handle, x, y, alpha, beta) != alphasparse_ok) return printf("%s\n", a_message()), 1;
    for (int32_t row = 0; row < size[0]; ++row) {
      long double sum = 0, magnitude = 0;
      for (int32_t nz = first[row]; nz < first[row + 1] && alpha != 0; ++nz) {
        const long double product = (long double)(VALUE)value[nz] * x[col[nz]];
        sum += product;
        magnitude += fabsl(product);
      }
      const long double old = beta == 0 ? 0 : (long double)beta * before[row];
      const long double bound =
          (first[row + 1] - first[row] + 4) * EPSILON * (fabsl(alpha) * magnitude + fabsl(old));
      if (fabsl(alpha * sum + old - y[row]) <= bound) continue;
      printf("call %d: y[%d] is %.17g, expected %.17Lg\n", call, (int)row, (double)y[row],
             alpha * sum + old);
      return 1;
    }
  }
  a_free(handle);
  return 0;
}
