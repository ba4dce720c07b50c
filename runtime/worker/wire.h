// wire: the messages between a device's worker and its owner, as bytes. Both are the same program,
// so plain numbers go as they lie in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/worker/channel.h"

namespace alphasparse {

/// A message as the pieces that it is made of, in order.
struct PackedMessage {
  struct Piece {
    std::size_t own_first = 0;               ///< in `own`, where nothing is referred to
    std::span<const std::byte> elsewhere{};  ///< bytes of the packer's owner
    std::size_t own_count = 0;
    const Array* unmade = nullptr;  ///< an array of the packer's owner, made as it is read
  };
  std::vector<std::byte> own;
  std::vector<Piece> pieces;

  std::size_t size() const;

  /// Calls take with its bytes, a part at a time.
  void for_bytes(const TakeBytes& take) const;
};

/// Writes a message in place of the one before. False, with errno, where there is no memory for it.
bool write_message(SharedMemory& memory, const PackedMessage& message);

/// Appends numbers, texts and lists to a message.
class Packer {
 public:
  Packer() = default;

  /// One that copies no long runs but refers to them: they must stay as they are until the message
  /// has been written.
  static Packer referring() {
    Packer packer;
    packer.refers_ = true;
    return packer;
  }

  template <class... T>
  void operator()(const T&... fields) {
    (put(fields), ...);
  }
  template <class T, class Fields>
  void list(const std::vector<T>& entries, Fields fields) {
    put(entries.size());
    for (const T& entry : entries) fields(entry);
  }

  /// Those of values in canonical order go over as their number.
  void sources(const std::vector<std::int32_t>& of_entries);

  /// The bytes of an array, which may be still to be made.
  void contents(const Array& array);

  PackedMessage take() { return std::move(message_); }

 private:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T number) { put_bytes(&number, sizeof number); }
  template <class T>
  void put(const std::optional<T>& field) {
    put(field.has_value());
    if (field) put(*field);
  }
  template <class T>
  requires requires(const T& run) { run.data(); }
  void put(const T& run) {  // a text, bytes, or numbers
    put(run.size());
    put_bytes(run.data(), run.size() * sizeof(*run.data()));
  }
  void put_bytes(const void* first, std::size_t count);

  PackedMessage message_;
  bool refers_ = false;
};

/// Reads them back in the same order; throws where the message ends too early.
class Unpacker {
 public:
  /// `bytes` must outlive it.
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T get() {
    if constexpr (std::is_same_v<T, std::string>) {
      const auto size = get<std::size_t>();
      return {reinterpret_cast<const char*>(next(size)), size};
    } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
      const auto size = get<std::size_t>();
      const std::byte* const first = next(size);
      return {first, first + size};
    } else if constexpr (std::is_same_v<T, std::vector<std::int32_t>>) {
      T numbers(get<std::size_t>());
      const std::size_t bytes = numbers.size() * sizeof(std::int32_t);
      if (bytes > 0) std::memcpy(numbers.data(), next(bytes), bytes);
      return numbers;
    } else if constexpr (requires(T field) { field.has_value(); }) {
      return get<bool>() ? T(get<typename T::value_type>()) : T();
    } else {
      T number;
      std::memcpy(&number, next(sizeof number), sizeof number);
      return number;
    }
  }
  template <class... T>
  void operator()(T&... fields) {
    ((fields = get<T>()), ...);
  }
  template <class T, class Fields>
  void list(std::vector<T>& entries, Fields fields) {
    for (auto left = get<std::size_t>(); left > 0; --left) fields(entries.emplace_back());
  }
  void sources(std::vector<std::int32_t>& of_entries);
  void contents(Array& array) { (*this)(array.bytes); }

 private:
  const std::byte* next(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("a message that ends too early");
    at_ += count;
    return bytes_.data() + at_ - count;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// The fields of a type that go over, in this order, whether it is packed or unpacked. A kernel's
/// are those that a device needs, without the origin of its computed arrays. A case's are those
/// that it does not share with others.
template <class Wire, class T>
void each_field(Wire& wire, T& object) {
  using Type = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Type, Kernel>) {
    wire(object.design, object.dtype, object.vectors, object.pass_columns, object.rows, object.cols,
         object.nnz, object.target, object.mirror, object.source, object.vendor);
    wire.list(object.arrays, [&](auto& array) { each_field(wire, array); });
    wire.list(object.workspaces, [&](auto& scratch) { each_field(wire, scratch); });
    wire.list(object.launches, [&](auto& launch) { each_field(wire, launch); });
  } else if constexpr (std::is_same_v<Type, Array>) {
    wire(object.name, object.type, object.count);
    wire.contents(object);
    wire.sources(object.value_source);
  } else if constexpr (std::is_same_v<Type, Workspace>) {
    wire(object.name, object.type, object.count, object.pointer);
  } else if constexpr (std::is_same_v<Type, Launch>) {
    wire(object.kernel, object.blocks, object.threads, object.first_column);
  } else if constexpr (std::is_same_v<Type, SpmvCase>) {
    wire(object.name, object.scaling.alpha.re, object.scaling.alpha.im, object.scaling.beta.re,
         object.scaling.beta.im, object.lanes_reversed, object.distances.x, object.distances.y);
  } else if constexpr (std::is_same_v<Type, Timing>) {
    wire(object.time_us, object.time_us_p20, object.time_us_p80, object.time_us_min, object.samples,
         object.registers, object.spill_bytes, object.sectors, object.dram_bytes, object.note,
         object.sm_mhz, object.slowed, object.noisy, object.disturbed, object.rounds);
  } else if constexpr (std::is_same_v<Type, DeviceInfo>) {
    wire(object.name, object.gpu, object.kind, object.version, object.arch, object.l2_bytes,
         object.dram_gb_per_s, object.compiler, object.compiler_library, object.target,
         object.dialect, object.threads, object.reported.multiprocessors, object.reported.sm_mhz,
         object.reported.memory_mhz, object.reported.memory_bus_bits,
         object.reported.shared_bytes_a_multiprocessor, object.no_gpu_reason);
  } else {
    static_assert(std::is_same_v<Type, Failure>);
    wire(object.status, object.reason);
  }
}

template <class T>
void pack(Packer& message, const T& object) {
  each_field(message, object);
}

template <class T>
T unpack(Unpacker& message) {
  T object;
  each_field(message, object);
  return object;
}

/// The bytes that the worker keeps, as the owner knows them. They go over once, and then by their
/// number, until no copy is left here.
class SentBytes {
 public:
  /// Packs cases, with the bytes that the worker has not got of them, and those that it need not
  /// keep any more.
  void pack_cases(Packer& message, std::span<const SpmvCase> cases);

  void arrived();  ///< the bytes packed since have been answered
  void lost();     ///< it may not have come over: it goes once more when it is wanted again
  void clear() { *this = {}; }  ///< for another worker

 private:
  struct Sent {
    std::weak_ptr<const SharedBytes::Bytes> bytes;
    std::int64_t number = 0;
    bool arrived = false;
  };

  void pack(Packer& message, const SharedBytes& bytes);

  std::map<const void*, Sent> sent_;     ///< by their identity
  std::vector<std::int64_t> forgotten_;  ///< the worker still has them, as far as we know
  std::int64_t last_ = 0;
};

/// The bytes that the worker keeps for its owner.
class KeptBytes {
 public:
  std::vector<SpmvCase> unpack_cases(Unpacker& message);

 private:
  SharedBytes unpack(Unpacker& message);

  std::map<std::int64_t, SharedBytes> kept_;
};

}  // namespace alphasparse
