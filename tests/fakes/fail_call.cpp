// fail_call: preloaded (LD_PRELOAD), makes one call of one function fail, in a program and in all
// that it starts.
//
//   FAIL_CALL        "FUNCTION N ERRNO PROCESS": the N-th call, counted from 1 over all processes
//   of
//                    the kind, fails with the number ERRNO
//   FAIL_CALL_COUNT  a file of eight bytes that holds how many such calls there were
//
//   PROCESS   program   as it was started
//             worker    its forks, and alphasparse-emulator
//             compiler  all else that is started: g++, cc1plus, as, ld
//
// A call between vfork and exec belongs to the process that called vfork.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {

char function[32], kind[16], own_kind[16];
long wanted = 0;
int error_code = 0;
std::atomic<long>* count = nullptr;

void become_worker() {
  if (strcmp(own_kind, "program") == 0) strcpy(own_kind, "worker");
}

const char* kind_of(const char* program) {
  if (strcmp(program, "alphasparse") == 0) return "program";
  if (strcmp(program, "timeout") == 0) return "none";
  return strcmp(program, "alphasparse-emulator") == 0 ? "worker" : "compiler";
}

__attribute__((constructor)) void start() {
  const char* const text = getenv("FAIL_CALL");
  const char* const file = getenv("FAIL_CALL_COUNT");
  if (text == nullptr || file == nullptr) return;
  if (sscanf(text, "%31s %ld %d %15s", function, &wanted, &error_code, kind) != 4) return;
  strcpy(own_kind, kind_of(program_invocation_short_name));
  pthread_atfork(nullptr, nullptr, become_worker);
  // No function that is preloaded itself.
  const long opened = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (opened < 0) return;
  const long mapped =
      syscall(SYS_mmap, nullptr, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  syscall(SYS_close, opened);
  if (mapped > 0) count = reinterpret_cast<std::atomic<long>*>(mapped);
}

bool fails(const char* name) {
  if (count == nullptr || strcmp(name, function) != 0 || strcmp(own_kind, kind) != 0) return false;
  if (++*count != wanted) return false;
  errno = error_code;
  return true;
}

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

#define OPEN(name)                                      \
  int name(const char* path, int flags, ...) {          \
    va_list arguments;                                  \
    va_start(arguments, flags);                         \
    const mode_t mode = mode_of(flags, arguments);      \
    va_end(arguments);                                  \
    static auto* const real = next(&name, #name);       \
    return fails(#name) ? -1 : real(path, flags, mode); \
  }

extern "C" {

OPEN(open)
OPEN(open64)

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto* const real = next(&openat, "openat");
  return fails("openat") ? -1 : real(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  static auto* const real = next(&fopen, "fopen");
  return fails("fopen") ? nullptr : real(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = next(&fopen64, "fopen64");
  return fails("fopen") ? nullptr : real(path, mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const real = next(&write, "write");
  return fails("write") ? -1 : real(file, bytes, size);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const real = next(&mkdir, "mkdir");
  return fails("mkdir") ? -1 : real(path, mode);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next(&rename, "rename");
  return fails("rename") ? -1 : real(from, to);
}

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  static auto* const real = next(&execve, "execve");
  return fails("execve") ? -1 : real(path, arguments, environment);
}

int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments,
                char* const* environment) {
  static auto* const real = next(&posix_spawn, "posix_spawn");
  return fails("posix_spawn") ? errno
                              : real(process, path, actions, attributes, arguments, environment);
}

void* dlopen(const char* path, int flags) noexcept {
  static auto* const real = next(&dlopen, "dlopen");
  return fails("dlopen") ? nullptr : real(path, flags);
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  static auto* const real = next(&mmap, "mmap");
  return fails("mmap") ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}

pid_t fork() noexcept {
  static auto* const real = next(&fork, "fork");
  return fails("fork") ? -1 : real();
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) noexcept {
  static auto* const real = next(&pthread_create, "pthread_create");
  return fails("pthread_create") ? errno : real(thread, attributes, run, argument);
}

}  // extern "C"
