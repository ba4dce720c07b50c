// byte_reader: numbers of a binary file, in either order of their bytes.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace alphasparse {

/// The number of type T that begins at `bytes`.
template <class T>
T number_at(const char* bytes, std::endian order) {
  char ordered[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i)
    ordered[i] = bytes[order == std::endian::native ? i : sizeof(T) - 1 - i];
  T number;
  std::memcpy(&number, ordered, sizeof(T));
  return number;
}

}  // namespace alphasparse
