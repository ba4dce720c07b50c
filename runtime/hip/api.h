// api: numbers of AMD's HIP that we use, so that building needs no header of ROCm.
//
// Source: hip/hip_runtime_api.h of ROCm 5.2 to 7, in which they are the same.
#pragma once

namespace alphasparse {

inline constexpr int hip_attribute_clock_khz = 5;
inline constexpr int hip_attribute_l2_cache_size = 19;
inline constexpr int hip_attribute_memory_bus_bits = 59;
inline constexpr int hip_attribute_memory_clock_khz = 60;
inline constexpr int hip_attribute_multiprocessors = 63;
inline constexpr int hip_attribute_shared_bytes_a_block = 74;  // a block may have all

inline constexpr int hip_error_invalid_device = 101;
inline constexpr int hip_copy_on_device = 3;  // hipMemcpyDeviceToDevice

/// At least the bytes of a hipDeviceProp_t, of any release; the name is its first member.
inline constexpr int hip_properties_bytes_most = 8192;
inline constexpr int hip_name_bytes = 256;

}  // namespace alphasparse
