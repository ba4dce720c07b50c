// same_call: whether a prototype of ours is that of a library's header, while it is compiled.
#pragma once
#include <type_traits>

#include "runtime/gpu/api.h"

namespace alphasparse {

/// The same type, or an enumeration where we have an int, or any struct where we have one, or a
/// pointer where we have a GPU's address, below any number of pointers.
template <class Theirs, class Ours>
constexpr bool same() {
  if constexpr (std::is_same_v<Theirs, void*> && std::is_same_v<Ours, GpuPointer>) {
    return true;
  } else if constexpr (std::is_pointer_v<Theirs> && std::is_pointer_v<Ours>) {
    using Pointed = std::remove_pointer_t<Theirs>;
    using Mine = std::remove_pointer_t<Ours>;
    return std::is_const_v<Pointed> == std::is_const_v<Mine> &&
           same<std::remove_const_t<Pointed>, std::remove_const_t<Mine>>();
  } else if constexpr (std::is_enum_v<Theirs>) {
    return std::is_same_v<Ours, int> && sizeof(Theirs) == sizeof(int);
  } else if constexpr (std::is_class_v<Theirs>) {
    return std::is_class_v<Ours>;  // behind a handle
  } else {
    return std::is_same_v<Theirs, Ours>;
  }
}

/// As same(), but any pointer is any other, of descriptors that are never followed, and a struct
/// one of its size.
template <class Theirs, class Ours>
constexpr bool same_shape() {
  if constexpr (std::is_pointer_v<Theirs> && std::is_pointer_v<Ours>) return true;
  if constexpr (std::is_class_v<Theirs> && std::is_class_v<Ours>)
    return sizeof(Theirs) == sizeof(Ours);
  if constexpr (std::is_pointer_v<Theirs> && std::is_same_v<Ours, GpuPointer>) return true;
  return same<Theirs, Ours>();
}

/// The same function, argument by argument.
template <class TheirResult, class... Theirs, class Api, class OurResult, class... Ours>
constexpr bool same_call(TheirResult (*)(Theirs...), OurResult (*Api::*)(Ours...)) {
  if constexpr (sizeof...(Theirs) == sizeof...(Ours)) {
    return same<TheirResult, OurResult>() && (same<Theirs, Ours>() && ...);
  }
  return false;
}

/// The same for a call of a driver's table, whose result is a code.
template <class TheirResult, class... Theirs, class Api, class... Ours>
constexpr bool same_call(TheirResult (*)(Theirs...), GpuCall<Ours...> Api::*) {
  if constexpr (sizeof...(Theirs) == sizeof...(Ours)) {
    return same<TheirResult, int>() && (same<Theirs, Ours>() && ...);
  }
  return false;
}

template <class TheirResult, class... Theirs, class Api, class OurResult, class... Ours>
constexpr bool same_shape_of_call(TheirResult (*)(Theirs...), OurResult (*Api::*)(Ours...)) {
  if constexpr (sizeof...(Theirs) == sizeof...(Ours)) {
    return same_shape<TheirResult, OurResult>() && (same_shape<Theirs, Ours>() && ...);
  }
  return false;
}

template <class TheirResult, class... Theirs, class Api, class... Ours>
constexpr bool same_shape_of_call(TheirResult (*)(Theirs...), GpuCall<Ours...> Api::*) {
  if constexpr (sizeof...(Theirs) == sizeof...(Ours)) {
    return same_shape<TheirResult, int>() && (same_shape<Theirs, Ours>() && ...);
  }
  return false;
}

}  // namespace alphasparse
