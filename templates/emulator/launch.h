// launch: how the emulator, which knows arrays as addresses, calls a kernel, which knows its
// Format.
//
// One exported function a launch. Format is a struct of pointers in the order of `arrays`; a kernel
// without arrays has an empty one.
#pragma once

template <int ARRAYS, class Format, class Value, class Output>
EMULATOR_UNOBSERVED EMULATOR_INLINE void emulator_call(void (*kernel)(Format, const Value*, Output),
                                                       const void* const* arrays, const void* x,
                                                       void* y, double alpha, double beta) {
  static_assert(sizeof(Format) == (ARRAYS ? ARRAYS * sizeof(void*) : 1),
                "Format must hold one pointer an array of the kernel, and nothing else");
  Format format;
  if constexpr (ARRAYS > 0) __builtin_memcpy(&format, arrays, ARRAYS * sizeof(void*));
  kernel(format, static_cast<const Value*>(x),
         Output{static_cast<Value*>(y), static_cast<Value>(alpha), static_cast<Value>(beta)});
}

#define EMULATOR_LAUNCH(index, kernel, array_count)                                       \
  extern "C" EMULATOR_UNOBSERVED                                                          \
      __attribute__((visibility("default"))) void emulator_launch_##index(                \
          const void* const* arrays, const void* x, void* y, double alpha, double beta) { \
    emulator_call<array_count>(&kernel, arrays, x, y, alpha, beta);                       \
  }

// `extern __shared__ T name[]`: a thread-local symbol without bytes of its own; no launch gives
// any.
#define EMULATOR_DYNAMIC_SHARED(name)                                      \
  asm(".pushsection .tbss,\"awT\",@nobits\n.globl " #name "\n.type " #name \
      ",@object\n.balign 65536\n.size " #name ", 0\n" #name ": .zero 65536\n.popsection\n");
