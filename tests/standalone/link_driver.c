// link_driver: three kernels in one C program, by their names and by the interface that all have.
//
// Usage: link_driver FOLDER, of the format files that cli_link's test has made. Exits with 1 and
// the line where something is not as promised.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "3-d tiles.h"
#include "alphasparse_kernel.h"
#include "first.h"
#include "second.h"

#define EXPECT(condition) \
  if (!(condition)) return printf("line %d: %s\n", __LINE__, #condition), 1

static char path_text[4096];
static const char* path(const char* folder, const char* name) {
  snprintf(path_text, sizeof path_text, "%s/%s.safetensors", folder, name);
  return path_text;
}

// (1 . 2 .; . . . .; . 3 . 4) in f32.
static int call_first(const char* folder) {
  const float x[4] = {1, 10, 100, 1000};
  const float values[4] = {5, 6, 7, 8};
  float y[3] = {NAN, NAN, NAN};
  alphasparse_handle* handle = NULL;
  EXPECT(first_load(path(folder, "second"), &handle) == alphasparse_bad_file);
  EXPECT(strstr(first_message(), "not the file that this kernel was made with"));
  EXPECT(first_load(path(folder, "first"), &handle) == alphasparse_ok);
  EXPECT(first_spmv(handle, x, y, 1, 0, NULL) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 0 && y[2] == 4030);
  EXPECT(first_update_values(handle, values) == alphasparse_ok);
  EXPECT(first_spmv(handle, x, y, 1, 1, NULL) == alphasparse_ok);
  EXPECT(y[0] == 201 + 605 && y[1] == 0 && y[2] == 4030 + 8070);
  first_free(handle);
  return 0;
}

// The diagonal 1 to 3 and the first column 10 to 30 below it, in f64, x gathered into a workspace:
// one handle with a workspace for each of two streams.
static int call_second(const char* folder) {
  static double room[2][256];
  double* workspaces[2];
  const double x[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const double values[5] = {1, 1, 1, 1, 1};
  double y[2][3];
  size_t alignment = 0;
  const size_t bytes = kernel_2_workspace_bytes(&alignment);
  alphasparse_handle* handle = NULL;
  EXPECT(bytes >= sizeof x[0] && bytes + alignment <= sizeof room[0]);
  EXPECT(kernel_2_load(path(folder, "second"), &handle) == alphasparse_ok);
  for (int stream = 0; stream < 2; ++stream) {
    const size_t over = (size_t)room[stream] % alignment;
    workspaces[stream] = room[stream] + (over ? (alignment - over) / sizeof(double) : 0);
    EXPECT(kernel_2_spmv_with(handle, x[stream], y[stream], 1, 0, workspaces[stream], NULL) ==
           alphasparse_ok);
  }
  EXPECT(y[0][0] == 1 && y[0][1] == 14 && y[0][2] == 39);
  EXPECT(y[1][0] == 4 && y[1][1] == 50 && y[1][2] == 138);
  for (int stream = 0; stream < 2; ++stream) {  // each workspace has its own x
    const double* const gathered = workspaces[stream];
    EXPECT(gathered[0] + gathered[1] + gathered[2] == (stream == 0 ? 6 : 15));
  }
  EXPECT(kernel_2_update_values_device(handle, values, NULL) == alphasparse_ok);
  EXPECT(kernel_2_spmv(handle, x[0], y[0], 1, 0, NULL) == alphasparse_ok);
  EXPECT(y[0][0] == 1 && y[0][1] == 3 && y[0][2] == 4);
  EXPECT(kernel_2_update_values(handle, NULL) == alphasparse_bad_argument);
  EXPECT(strcmp(kernel_2_message(), "kernel_2_update_values: a null pointer") == 0);
  kernel_2_free(handle);
  return 0;
}

// Every kernel by its interface alone, without its name; x is all 1.
static int call_all(const char* folder) {
  const alphasparse_kernel* const kernels[3] = {first_interface(), kernel_2_interface(),
                                                alphasparse_3_d_tiles_interface()};
  const char* const names[3] = {"first", "second", "3-d tiles"};
  const double sums[3][3] = {{3, 0, 7}, {1, 12, 33}, {2, 2, 2}};
  alphasparse_handle* handles[3];
  float x_single[4] = {1, 1, 1, 1}, y_single[100];
  double x_double[4] = {1, 1, 1, 1}, y_double[3];
  for (int i = 0; i < 3; ++i) {
    const alphasparse_kernel* const kernel = kernels[i];
    const int is_double = strcmp(kernel->dtype, "f64") == 0;
    void* const y = is_double ? (void*)y_double : (void*)y_single;
    const void* const x = is_double ? (void*)x_double : (void*)x_single;
    EXPECT(kernel->version == ALPHASPARSE_KERNEL_VERSION);
    EXPECT(kernel->size == sizeof(alphasparse_kernel));
    EXPECT(is_double == (i == 1) && strstr(kernel->design, "compress"));
    EXPECT(kernel->load(path(folder, names[i]), &handles[i]) == alphasparse_ok);
    EXPECT(kernel->spmv(handles[i], x, y, 1, 0, NULL) == alphasparse_ok);
    for (int row = 0; row < 3; ++row) {
      EXPECT((is_double ? y_double[row] : y_single[row]) == sums[i][row]);
    }
    EXPECT(kernel->workspace_bytes(NULL) > 0 ||
           kernel->spmv_with(handles[i], x, y, 2, 0, NULL, NULL) == alphasparse_ok);
  }
  EXPECT(kernels[0]->rows == 3 && kernels[0]->cols == 4 && kernels[0]->nnz == 4);
  EXPECT(strcmp(kernels[2]->prefix, "alphasparse_3_d_tiles") == 0);
  EXPECT(kernels[2]->update_values_device(handles[2], x_single, NULL) ==
         alphasparse_only_from_host);
  EXPECT(kernels[2]->update_values(handles[2], NULL) == alphasparse_bad_argument);
  EXPECT(kernels[0]->spmv(handles[2], x_single, y_single, 1, 0, NULL) == alphasparse_bad_argument);
  EXPECT(strcmp(kernels[0]->message(), "first_spmv: a handle of another kernel") == 0);
  for (int i = 0; i < 3; ++i) kernels[i]->free(handles[i]);
  return 0;
}

int main(int count, char** arguments) {
  EXPECT(count == 2);
  return call_first(arguments[1]) || call_second(arguments[1]) || call_all(arguments[1]);
}
