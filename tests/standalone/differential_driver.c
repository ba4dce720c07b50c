// differential_driver: emitted kernels as a C program calls them, against long double.
//
// Usage: differential_driver NUMBER FORMAT MATRIX. MATRIX has int32 rows and cols, rows + 1
// offsets, the columns, and the values as double. kernels.inc, which the test makes, includes
// differential_kernel.h for each kernel, and names their functions. Exits with 1 and a line where a
// result is outside of its bound.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  int32_t rows, cols;
  const int32_t *first, *col;
  const double* value;
};

static const void* taken(FILE* file, size_t count, size_t bytes) {
  void* const all = malloc(count * bytes + 1);
  if (!all || fread(all, bytes, count, file) != count) exit(2);
  return all;
}

static uint32_t state = 1;
static double number(void) {
  state = state * 1664525u + 1013904223u;
  return ((int)(state >> 8) % 2001 - 1000) / 256.0;
}

#include "kernels.inc"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  FILE* const file = fopen(arguments[3], "rb");
  if (!file) return 2;
  struct matrix a;
  const int32_t* const size = taken(file, 2, 4);
  a.rows = size[0];
  a.cols = size[1];
  a.first = taken(file, (size_t)a.rows + 1, 4);
  a.col = taken(file, (size_t)a.first[a.rows], 4);
  a.value = taken(file, (size_t)a.first[a.rows], 8);
  return kernels[atoi(arguments[1])](arguments[2], &a);
}
