// nvrtc_api: the few prototypes and codes of NVIDIA's runtime compiler that we call, so that
// building needs no CUDA header.
//
// Source: nvrtc.h of CUDA 11.2 to 13.0, in which they are the same; tests/runtime/cuda/api_test.cpp
// holds them against the installed header.
#pragma once
#include <cstddef>

struct _nvrtcProgram;  // NVIDIA's own name, so that the types are the same

namespace alphasparse {

using NvrtcProgram = _nvrtcProgram*;

inline constexpr int nvrtc_success = 0;
inline constexpr int nvrtc_error_out_of_memory = 1;
inline constexpr int nvrtc_error_invalid_option = 5;
inline constexpr int nvrtc_error_compilation = 6;

/// NVRTC's functions, every result an nvrtcResult.
struct NvrtcApi {
  using Program = NvrtcProgram;
  const char* (*error_string)(int result) = nullptr;
  int (*version)(int* major, int* minor) = nullptr;
  int (*arch_count)(int* count) = nullptr;
  int (*archs)(int* numbers) = nullptr;  ///< [arch_count], 90 for sm_90
  int (*create_program)(NvrtcProgram* program, const char* source, const char* name,
                        int header_count, const char* const* headers,
                        const char* const* include_names) = nullptr;
  int (*destroy_program)(NvrtcProgram* program) = nullptr;
  int (*compile_program)(NvrtcProgram program, int option_count,
                         const char* const* options) = nullptr;
  int (*log_bytes)(NvrtcProgram program, std::size_t* bytes) = nullptr;
  int (*log)(NvrtcProgram program, char* text) = nullptr;
  int (*code_bytes)(NvrtcProgram program, std::size_t* bytes) = nullptr;
  int (*code)(NvrtcProgram program, char* image) = nullptr;
  int (*ptx_bytes)(NvrtcProgram program, std::size_t* bytes) = nullptr;
  int (*ptx)(NvrtcProgram program, char* text) = nullptr;
};

}  // namespace alphasparse
