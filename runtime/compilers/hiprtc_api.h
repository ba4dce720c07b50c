// hiprtc_api: the few prototypes and codes of AMD's runtime compiler that we call, so that building
// needs no header of ROCm.
//
// Source: hip/hiprtc.h of ROCm 5.2 to 7, in which they are the same but for const.
#pragma once
#include <cstddef>

struct _hiprtcProgram;

namespace alphasparse {

using HiprtcProgram = _hiprtcProgram*;

inline constexpr int hiprtc_success = 0;
inline constexpr int hiprtc_error_compilation = 6;

/// hiprtc's functions, every result a hiprtcResult.
struct HiprtcApi {
  using Program = HiprtcProgram;
  const char* (*error_string)(int result) = nullptr;
  int (*version)(int* major, int* minor) = nullptr;
  int (*create_program)(HiprtcProgram* program, const char* source, const char* name,
                        int header_count, const char* const* headers,
                        const char* const* include_names) = nullptr;
  int (*destroy_program)(HiprtcProgram* program) = nullptr;
  int (*compile_program)(HiprtcProgram program, int option_count,
                         const char* const* options) = nullptr;
  int (*log_bytes)(HiprtcProgram program, std::size_t* bytes) = nullptr;
  int (*log)(HiprtcProgram program, char* text) = nullptr;
  int (*code_bytes)(HiprtcProgram program, std::size_t* bytes) = nullptr;
  int (*code)(HiprtcProgram program, char* image) = nullptr;
};

}  // namespace alphasparse
