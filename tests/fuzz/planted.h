// planted: asks whether a fault is planted, where the sources of loader_fuzz_planted have been
// changed to ask (CMakeLists.txt beside this file).
#pragma once
#include <cstdlib>
#include <string_view>

/// Whether ALPHASPARSE_PLANTED names this fault; asked once a place.
#define PLANTED(name)                                                 \
  ([] {                                                               \
    static const bool is_planted = [] {                               \
      const char* const planted = std::getenv("ALPHASPARSE_PLANTED"); \
      return planted != nullptr && std::string_view(planted) == name; \
    }();                                                              \
    return is_planted;                                                \
  }())
