// inputs: the memory that kernels of a CPU work on - their arrays, and the vectors that they read.
//
// Kernels of one matrix meet the same few x, and x may be far longer than the part that is
// multiplied: a sample of a matrix has all columns. So x is copied once, and kept for the next
// kernel.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <list>
#include <memory>

#include "base/target.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Zeros behind every array, which a gang may read and never uses: at the last entry it still reads
/// a value of each lane.
inline constexpr std::size_t slack_bytes = gang_most * sizeof(double);

/// Memory of our own; large ones on huge pages where the system has them.
class HostArray {
 public:
  HostArray() = default;
  /// So many zeros, and the slack behind them.
  explicit HostArray(std::size_t bytes);
  /// A copy, and zeros behind it.
  HostArray(const std::byte* from, std::size_t bytes);

  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::size_t allocate(std::size_t bytes);  ///< how many there are, slack included

  std::unique_ptr<std::byte, Free> memory_;
};

/// A copy of a vector that ends where its page does; the next one is not there.
class GuardedVector {
 public:
  explicit GuardedVector(const SharedBytes& vector);
  ~GuardedVector();
  GuardedVector(const GuardedVector&) = delete;
  GuardedVector& operator=(const GuardedVector&) = delete;

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* memory_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0, mapped_ = 0;
};

/// The vectors of cases, for as long as the cases are in use, the latest first.
class KeptInputs {
 public:
  explicit KeptInputs(std::size_t bytes_most = std::size_t{1} << 30) : bytes_most_(bytes_most) {}

  /// The vector to verify with.
  std::shared_ptr<const GuardedVector> guarded(const SharedBytes& vector);

  /// The vector to be timed with: the last one that was asked for is kept.
  std::shared_ptr<const HostArray> timed(const SharedBytes& vector);

  /// How many are kept to verify with: of all at most so many bytes, but one in any case.
  std::size_t count() const { return guarded_.size(); }

 private:
  template <class Copy>
  struct Kept {
    std::weak_ptr<const SharedBytes::Bytes> of;
    const void* identity = nullptr;
    std::shared_ptr<const Copy> copy;

    bool is_of(const SharedBytes& vector) const {
      return copy && !of.expired() && identity == vector.identity();
    }
  };

  void drop_expired();

  std::size_t bytes_most_;
  std::list<Kept<GuardedVector>> guarded_;
  Kept<HostArray> timed_;
};

}  // namespace alphasparse
