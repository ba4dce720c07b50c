// wire: what a device's worker and its owner tell each other, as bytes - both are the same program,
// so plain numbers go as they lie in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/device.h"

namespace alphasparse {

/// Appends numbers, texts and lists to a message.
class Packer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T number) { put_bytes(&number, sizeof number); }
  void put(const std::string& text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }
  void put(const std::vector<std::byte>& data) {
    put(data.size());
    put_bytes(data.data(), data.size());
  }
  template <class T, class Put>
  void put_list(const std::vector<T>& list, Put put_one) {
    put(list.size());
    for (const T& entry : list) put_one(entry);
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put_bytes(const void* first, std::size_t count);

  std::vector<std::byte> bytes_;
};

/// Reads them back in the same order; throws where the message ends too early.
class Unpacker {
 public:
  explicit Unpacker(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class T>
  T get() {
    if constexpr (std::is_same_v<T, std::string>) {
      const auto size = get<std::size_t>();
      return {reinterpret_cast<const char*>(next(size)), size};
    } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
      const auto size = get<std::size_t>();
      const std::byte* const first = next(size);
      return {first, first + size};
    } else {
      T number;
      std::memcpy(&number, next(sizeof number), sizeof number);
      return number;
    }
  }
  template <class T>
  void get(T& into) {
    into = get<T>();
  }
  template <class T, class Get>
  void get_list(std::vector<T>& list, Get get_one) {
    const auto size = get<std::size_t>();
    for (std::size_t i = 0; i < size; ++i) list.push_back(get_one());
  }

 private:
  const std::byte* next(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("a message that ends too early");
    at_ += count;
    return bytes_.data() + at_ - count;
  }

  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

/// Everything of a kernel that a device needs: not how its computed arrays came about.
void put(Packer& message, const Kernel& kernel);
Kernel get_kernel(Unpacker& message);

void put(Packer& message, const SpmvCase& input);
SpmvCase get_case(Unpacker& message);

void put(Packer& message, const Timing& timing);
Timing get_timing(Unpacker& message);

void put(Packer& message, const DeviceInfo& info);
DeviceInfo get_info(Unpacker& message);

void put(Packer& message, const Failure& failure);
Failure get_failure(Unpacker& message);

}  // namespace alphasparse
