/* interposed_driver: opens libraries of one prefix, each for all others to see, and multiplies ones
 * by each kernel through its interface.
 *
 * Usage: interposed_driver (LIBRARY FORMAT SUM)...   SUM of the products. Exits with 1 and the
 * library that does not give it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "alphasparse_kernel.h"

enum { most = 8 };

typedef const alphasparse_kernel* (*interface_function)(void);

static int refused(const char* library, const char* why) {
  printf("%s: %s\n", library, why);
  return 1;
}

int main(int count, char** arguments) {
  void* opened[most] = {0};
  int i;
  for (i = 1; i + 2 < count; i += 3) {
    opened[i / 3] = dlopen(arguments[i], RTLD_NOW | RTLD_GLOBAL);
    if (!opened[i / 3]) return refused(arguments[i], dlerror());
  }
  for (i = 1; i + 2 < count; i += 3) {
    float x[] = {1, 1, 1, 1}, y[] = {0, 0, 0, 0};
    const alphasparse_kernel* kernel;
    alphasparse_handle* handle;
    interface_function interface;
    *(void**)&interface = dlsym(opened[i / 3], "same_interface");
    kernel = interface();
    if (kernel->load(arguments[i + 1], &handle)) return refused(arguments[i], kernel->message());
    if (kernel->spmv(handle, x, y, 1, 0, NULL)) return refused(arguments[i], kernel->message());
    if (y[0] + y[1] + y[2] + y[3] != atof(arguments[i + 2])) return refused(arguments[i], "wrong");
    if (kernel->update_values(handle, y)) return refused(arguments[i], kernel->message());
    kernel->free(handle);
  }
  return i != 7;
}
