// vector_types: float2, int4 and their kin. A copy of a whole one is a single access of its size,
// as on the GPU; g++ alone would make one access a member. Their members start as zero: an array of
// them in shared memory needs no start-up code then.
#pragma once

extern "C" void emulator_copy_vector(void* to, const void* from, unsigned bytes);

#define EMULATOR_VECTOR_COPIES(Vector)                                                    \
  constexpr Vector() = default;                                                           \
  EMULATOR_UNOBSERVED inline __attribute__((always_inline)) Vector(const Vector& other) { \
    emulator_copy_vector(this, &other, sizeof(Vector));                                   \
  }                                                                                       \
  EMULATOR_UNOBSERVED inline __attribute__((always_inline)) Vector& operator=(            \
      const Vector& other) {                                                              \
    emulator_copy_vector(this, &other, sizeof(Vector));                                   \
    return *this;                                                                         \
  }

#define EMULATOR_VECTOR2(Element, Vector)                                             \
  struct alignas(2 * sizeof(Element)) Vector {                                        \
    Element x = 0, y = 0;                                                             \
    EMULATOR_VECTOR_COPIES(Vector)                                                    \
    EMULATOR_UNOBSERVED __attribute__((always_inline)) Vector(Element x_, Element y_) \
        : x(x_), y(y_) {}                                                             \
  };                                                                                  \
  EMULATOR_INLINE Vector make_##Vector(Element x, Element y) { return Vector(x, y); }

#define EMULATOR_VECTOR4(Element, Vector)                                            \
  struct alignas(sizeof(Element) == 8 ? 16 : 4 * sizeof(Element)) Vector {           \
    Element x = 0, y = 0, z = 0, w = 0;                                              \
    EMULATOR_VECTOR_COPIES(Vector)                                                   \
    EMULATOR_UNOBSERVED __attribute__((always_inline))                               \
    Vector(Element x_, Element y_, Element z_, Element w_)                           \
        : x(x_), y(y_), z(z_), w(w_) {}                                              \
  };                                                                                 \
  EMULATOR_INLINE Vector make_##Vector(Element x, Element y, Element z, Element w) { \
    return Vector(x, y, z, w);                                                       \
  }

EMULATOR_VECTOR2(float, float2)
EMULATOR_VECTOR2(double, double2)
EMULATOR_VECTOR2(int, int2)
EMULATOR_VECTOR2(unsigned, uint2)
EMULATOR_VECTOR2(short, short2)
EMULATOR_VECTOR2(unsigned short, ushort2)
EMULATOR_VECTOR2(unsigned char, uchar2)
EMULATOR_VECTOR4(float, float4)
EMULATOR_VECTOR4(int, int4)
EMULATOR_VECTOR4(unsigned, uint4)
EMULATOR_VECTOR4(short, short4)
EMULATOR_VECTOR4(unsigned short, ushort4)
EMULATOR_VECTOR4(unsigned char, uchar4)
