// cpu_link_driver: kernels of one matrix for both targets, and one of another, in a C program.
//
// Usage: cpu_link_driver FOLDER, of the format files that cli_cpu_files' test has made. Exits with
// 1 and the line where something is not as promised.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alphasparse_kernel.h"
#include "first.cpu.h"
#include "first.h"
#include "second.cpu.h"

#define EXPECT(condition) \
  if (!(condition)) return printf("line %d: %s\n", __LINE__, #condition), 1

static char path_text[4096];
static const char* path(const char* folder, const char* name) {
  snprintf(path_text, sizeof path_text, "%s/%s.safetensors", folder, name);
  return path_text;
}

// (1 . 2 .; . . . .; . 3 . 4) in f32, by both.
static int call_first(const char* folder) {
  const float x[4] = {1, 10, 100, 1000};
  const float values[4] = {5, 6, 7, 8};
  float y[3] = {NAN, NAN, NAN}, y_of_gpu[3];
  alphasparse_handle *handle = NULL, *other = NULL;
  EXPECT(first_cpu_load(path(folder, "first"), &handle) == alphasparse_bad_file);
  EXPECT(handle == NULL && strstr(first_cpu_message(), "not the file"));
  EXPECT(first_cpu_load(NULL, &handle) == alphasparse_bad_argument);
  EXPECT(first_cpu_load(path(folder, "first.cpu"), &handle) == alphasparse_ok);
  EXPECT(first_load(path(folder, "first"), &other) == alphasparse_ok);
  for (int threads = 1; threads <= 5; ++threads) {
    EXPECT(first_cpu_set_threads(handle, threads) == alphasparse_ok);
    EXPECT(first_cpu_spmv(handle, x, y, 1, 0) == alphasparse_ok);
    EXPECT(y[0] == 201 && y[1] == 0 && y[2] == 4030);
  }
  EXPECT(first_spmv(other, x, y_of_gpu, 1, 0, NULL) == alphasparse_ok);
  EXPECT(memcmp(y, y_of_gpu, sizeof y) == 0);
  EXPECT(first_cpu_set_threads(handle, 0) == alphasparse_bad_argument);
  EXPECT(first_cpu_set_threads(handle, 1025) == alphasparse_bad_argument);
  EXPECT(first_cpu_spmv(other, x, y, 1, 0) == alphasparse_bad_argument);
  EXPECT(strcmp(first_cpu_message(), "first_cpu_spmv: a handle of another kernel") == 0);
  EXPECT(first_cpu_spmv(handle, x, NULL, 1, 0) == alphasparse_bad_argument);
  EXPECT(first_cpu_update_values(handle, values) == alphasparse_ok);
#pragma omp parallel num_threads(2)  // where one thread does all
#pragma omp single
  first_cpu_spmv(handle, x, y, 1, 1);
  EXPECT(y[0] == 201 + 605 && y[1] == 0 && y[2] == 4030 + 8070);
  first_cpu_free(handle);
  first_cpu_free(NULL);
  first_free(other);
  return 0;
}

// 4 on the diagonal of every second of 70 rows, and 3 at its end; the others are empty. By the
// interface alone; a first part gathers x.
static int call_second(const char* folder) {
  const alphasparse_kernel* const kernel = own_interface();
  double x[70], y[70], values[70];
  size_t alignment = 0;
  alphasparse_handle* handle = NULL;
  for (int i = 0; i < 70; ++i) x[i] = i + 1;
  EXPECT(kernel->version == ALPHASPARSE_KERNEL_VERSION);
  EXPECT(kernel->size == sizeof(alphasparse_kernel));
  EXPECT(kernel->vectors == 1 && kernel->spmm == NULL && kernel->spmm_columns == NULL);
  EXPECT(first_interface()->vectors == 1 && first_interface()->spmm == NULL);
  EXPECT(strcmp(kernel->target, "cpu") == 0 && strcmp(first_interface()->target, "cuda") == 0);
  EXPECT(first_interface()->set_threads == NULL);
  EXPECT(strcmp(kernel->dtype, "f64") == 0 && kernel->rows == 70 && kernel->nnz == 70);
  EXPECT(kernel->load(path(folder, "second.cpu"), &handle) == alphasparse_ok);
  EXPECT(kernel->set_threads(handle, 3) == alphasparse_ok);
  EXPECT(kernel->workspace_bytes(&alignment) == 0 && alignment == 1);
  EXPECT(kernel->spmv(handle, x, y, 1, 0, NULL) == alphasparse_ok);
  for (int row = 0; row < 70; ++row) EXPECT(y[row] == (row % 2 ? 0 : 4 * x[row] + 3 * 70));
  for (int i = 0; i < 70; ++i) values[i] = i;
  EXPECT(kernel->update_values_device(handle, values, NULL) == alphasparse_not_representable);
  EXPECT(strcmp(kernel->message(),
                "own_update_values: the format codes values, but some that share a code are not "
                "equal") == 0);
  EXPECT(kernel->spmv_with(handle, x, y, 2, -1, NULL, NULL) == alphasparse_ok);
  EXPECT(y[0] == 4 * x[0] + 3 * 70 && y[1] == 0);
  kernel->free(handle);
  return 0;
}

int main(int count, char** arguments) {
  EXPECT(count == 2);
  return call_first(arguments[1]) || call_second(arguments[1]);
}
