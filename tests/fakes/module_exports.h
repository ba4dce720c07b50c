// module_exports: the exports of a "cubin" of the fake beside its kernels, and how the fake driver
// calls them. The driver includes this; the fakes of compilers put it behind a kernel's source.
#pragma once

/// A kernel of the module. Kernel i is called by its export emulator_launch_<i>; its first argument
/// points to the bytes of each parameter; the rest of the arguments are not read.
struct FakeModuleKernel {
  const char* name;
  const unsigned* parameter_bytes;  ///< [parameter_count]
  unsigned parameter_count;
  unsigned threads_max;  ///< of a block: its launch bounds
  unsigned registers;    ///< of a thread
};

// Exported as well, both in C:
//   const FakeModuleKernel fake_module_kernels[]   the last has no name
//   const char fake_module_design[]                the design, which the source begins with
//   const char fake_module_arch[]                  its architecture
// The module calls this of the driver at an access that is not aligned, as a GPU refuses it.
extern "C" void fake_misaligned();

#ifdef EMULATOR_INLINE

/// -fsanitize=alignment calls it. Its own in each module: not that of the program around it.
extern "C" __attribute__((visibility("hidden"))) EMULATOR_UNOBSERVED void
__ubsan_handle_type_mismatch_v1(void*, void*) {
  fake_misaligned();
}

#define FAKE_EXPORT extern "C" EMULATOR_UNOBSERVED __attribute__((visibility("default")))

template <int... PLACES>
struct FakePlaces {};

template <class... Parameters>
struct FakeSignature {
  static constexpr unsigned count = sizeof...(Parameters);
  static constexpr unsigned bytes[] = {sizeof(Parameters)..., 0};

  template <int... PLACES>
  EMULATOR_INLINE void call(void (*kernel)(Parameters...), const void* const* parameters,
                            FakePlaces<PLACES...>) {
    kernel(*static_cast<const Parameters*>(parameters[PLACES])...);
  }
};

template <class... Parameters>
FakeSignature<Parameters...> fake_signature(void (*)(Parameters...));

template <class... Parameters>
EMULATOR_INLINE void fake_call(void (*kernel)(Parameters...), const void* const* parameters) {
  FakeSignature<Parameters...>::call(kernel, parameters,
                                     FakePlaces<__integer_pack(sizeof...(Parameters))...>());
}

#define FAKE_LAUNCH(index, kernel)                                                                \
  FAKE_EXPORT void emulator_launch_##index(const void* const* parameters, const void*, long long, \
                                           void*, long long, const double*, const double*) {      \
    fake_call(&kernel, parameters);                                                               \
  }
#define FAKE_KERNEL(kernel, threads_max, registers)                                              \
  {                                                                                              \
#kernel, decltype(fake_signature(&kernel))::bytes, decltype(fake_signature(&kernel))::count, \
        (threads_max), (registers)                                                               \
  }

#endif
