// launch: how the emulator, which knows arrays as addresses, calls a kernel, which knows their
// types.
//
// One exported function a launch. A kernel takes the pointers of its format in the order of
// `arrays`, then x, y, alpha and beta; of several vectors x, ldx, y, ldy, alpha and beta.
#pragma once

template <class Parameter>
struct EmulatorArgument {
  EMULATOR_UNOBSERVED static constexpr Parameter of(const void*, long long distance,
                                                    const double* parts) {
    if constexpr (__is_same(Parameter, long long))
      return distance;
    else if constexpr (__is_class(Parameter))
      return Parameter(parts[0], parts[1]);
    else
      return static_cast<Parameter>(*parts);
  }
};
template <class Element>
struct EmulatorArgument<Element*> {
  static Element* of(const void* address, long long, const double*) {
    return static_cast<Element*>(const_cast<void*>(address));
  }
};

template <int... INDICES>
struct EmulatorIndices {};

template <int ARRAYS, class... Parameters, int... INDICES>
EMULATOR_UNOBSERVED EMULATOR_INLINE void emulator_call(void (*kernel)(Parameters...),
                                                       EmulatorIndices<INDICES...>,
                                                       const void* const* arrays, const void* x,
                                                       long long ldx, void* y, long long ldy,
                                                       const double* alpha, const double* beta) {
  kernel(EmulatorArgument<Parameters>::of(
      INDICES < ARRAYS ? arrays[INDICES] : (INDICES == ARRAYS ? x : y),
      INDICES == ARRAYS + 1 ? ldx : ldy,
      INDICES == int(sizeof...(Parameters)) - 2 ? alpha : beta)...);
}

template <int ARRAYS, class... Parameters>
EMULATOR_UNOBSERVED EMULATOR_INLINE void emulator_call(void (*kernel)(Parameters...),
                                                       const void* const* arrays, const void* x,
                                                       long long ldx, void* y, long long ldy,
                                                       const double* alpha, const double* beta) {
  static_assert(sizeof...(Parameters) == ARRAYS + 4 || sizeof...(Parameters) == ARRAYS + 6,
                "a kernel takes one pointer an array, x, y, alpha and beta, or ldx and ldy too");
  emulator_call<ARRAYS>(kernel, EmulatorIndices<__integer_pack(sizeof...(Parameters))...>(), arrays,
                        x, ldx, y, ldy, alpha, beta);
}

#define EMULATOR_LAUNCH(index, kernel, array_count)                                        \
  extern "C" EMULATOR_UNOBSERVED                                                           \
      __attribute__((visibility("default"))) void emulator_launch_##index(                 \
          const void* const* arrays, const void* x, long long ldx, void* y, long long ldy, \
          const double* alpha, const double* beta) {                                       \
    emulator_call<array_count>(&kernel, arrays, x, ldx, y, ldy, alpha, beta);              \
  }

// `extern __shared__ T name[]`: a thread-local symbol without bytes of its own; no launch gives
// any.
#define EMULATOR_DYNAMIC_SHARED(name)                                      \
  asm(".pushsection .tbss,\"awT\",@nobits\n.globl " #name "\n.type " #name \
      ",@object\n.balign 65536\n.size " #name ", 0\n" #name ": .zero 65536\n.popsection\n");
