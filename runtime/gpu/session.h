// session: one GPU in use by this process - its primary context, a stream, memory on it - with
// every driver call checked.
//
// A fault on the GPU (an illegal address, say) takes the context with it: the driver then fails
// every later call of the process. The session remembers the first such fault and answers with it
// from then on, so that no later kernel is blamed; only a new process can go on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "runtime/device/device.h"
#include "runtime/gpu/driver.h"
#include "runtime/gpu/state.h"

namespace alphasparse {

/// Nothing, or the fault that occurred.
using MaybeFailure = std::optional<Failure>;

/// The facts that the driver gives on a GPU without a context on it.
struct GpuDescription {
  int ordinal = 0;
  int device = 0;  ///< the driver's handle
  std::string name;
  std::string arch;              ///< "sm_90", "gfx90a:sramecc+:xnack-"
  std::string bus_id;            ///< "0000:3b:00.0"; empty where it does not tell
  std::int64_t l2_bytes = 0;     ///< 0 where it does not tell
  std::int64_t cache_bytes = 0;  ///< of the last cache in front of memory, likewise
  double dram_gb_per_s = 0;      ///< peak, likewise
  GpuProperties reported;
};

/// Asks for GPU `ordinal`, below driver.device_count().
Result<GpuDescription> describe_gpu(const GpuDriver& driver, int ordinal);

/// Tells the state of a GPU now.
using GpuMonitor = std::function<GpuState()>;

/// The monitor of a GPU; none where its library is missing.
using MakeMonitor = std::function<GpuMonitor(const GpuDescription&)>;

class GpuSession;
class LoadedModule;

/// Memory on the GPU, 256-byte aligned, freed with us. Must not outlive its session.
class GpuBuffer {
 public:
  /// At least one byte is taken, so that every buffer has an address of its own. `what` names it in
  /// the Failure (out_of_memory). Throws environment_error where others have taken the memory.
  static Result<GpuBuffer> allocate(GpuSession& session, std::size_t bytes,
                                    const std::string& what);

  /// The same for memory that is not needed: it throws nothing.
  static Result<GpuBuffer> try_allocate(GpuSession& session, std::size_t bytes,
                                        const std::string& what);
  GpuBuffer() = default;
  GpuBuffer(GpuBuffer&& other) noexcept { swap(other); }
  GpuBuffer& operator=(GpuBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GpuBuffer();

  GpuPointer address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(GpuBuffer& other) noexcept;

  GpuSession* session_ = nullptr;
  GpuPointer address_ = 0;
  std::size_t bytes_ = 0;
};

/// x, and y between two guards of known bytes, so that a write beside its rows is found.
struct GpuVectors {
  std::size_t x_bytes = 0;
  std::size_t y_bytes = 0;
  GpuBuffer x;
  GpuBuffer guarded_y;
};

/// Bytes before and after y; a multiple of an allocation's alignment.
inline constexpr std::size_t y_guard_bytes = 256;

/// Threads of a block of our own kernels (templates/session).
inline constexpr int own_threads = 256;

class GpuSession {
 public:
  static Result<std::shared_ptr<GpuSession>> open(GpuDriver driver, int ordinal,
                                                  const MakeMonitor& make_monitor);
  ~GpuSession();
  GpuSession(const GpuSession&) = delete;
  GpuSession& operator=(const GpuSession&) = delete;

  const GpuDriver& driver() const { return driver_; }
  const GpuApi& api() const { return driver_.api(); }
  const GpuDescription& gpu() const { return gpu_; }
  GpuStream stream() const { return stream_; }
  GpuContext context() const { return context_; }

  /// Makes the context the calling thread's. Call it first in every entry from outside.
  MaybeFailure enter();

  /// Nothing for success, else the failure of `call`, remembered where it took the context. After a
  /// code that is not known it waits once more: a lost context gives the same answer.
  MaybeFailure check(int code, const char* call, std::string_view doing);

  /// Calls a function of the driver, and checks its code.
  template <class... Parameters>
  MaybeFailure call(std::string_view doing, const GpuCall<Parameters...>& call,
                    std::type_identity_t<Parameters>... parameters) {
    return check(call(parameters...), call.name, doing);
  }

  MaybeFailure upload(GpuPointer to, std::span<const std::byte> from, std::string_view doing);
  MaybeFailure copy(GpuPointer to, GpuPointer from, std::size_t bytes, std::string_view doing);
  MaybeFailure download(std::span<std::byte> to, GpuPointer from, std::string_view doing);

  /// Waits for everything queued; not in a capture, where nothing is and a wait would spoil it.
  MaybeFailure wait(std::string_view doing);

  /// Runs `queue` between the begin and the end of a capture.
  MaybeFailure queue_in_capture(const std::function<MaybeFailure()>& queue);

  /// That all waits have taken until now: in which the host had nothing to do.
  double waited_seconds() const { return waited_seconds_; }

  /// Loads templates/session, compiled for this GPU: launch_own() finds its kernels there.
  MaybeFailure load_own_kernels(const std::vector<std::byte>& cubin);

  /// Queues one of them, in blocks of own_threads.
  MaybeFailure launch_own(const std::string& kernel, std::int64_t blocks, void** parameters);

  /// Queues work that leaves nothing else in the L2 cache, and nothing in it that has been written.
  /// It fills one buffer of twice the cache's size (or 256 MiB where that is not known), and reads
  /// another one.
  MaybeFailure flush_cache();

  /// Queues work that leaves the places of the L2 cache free, whatever ran before: it fills a
  /// buffer of that size and discards it. Data that is read with evict-first loads settles there
  /// alone.
  MaybeFailure empty_cache();

  /// x and y of one SpMV after the other: the same memory for all kernels of these sizes.
  Result<std::shared_ptr<GpuVectors>> vectors(std::size_t x_bytes, std::size_t y_bytes);

  /// The place on the GPU of bytes that were brought there once. They stay as long as someone else
  /// has them, and memory is not short. Until then an address is good for the work that is queued
  /// next.
  Result<GpuPointer> resident(const SharedBytes& bytes, std::string_view doing);

  /// Queues a copy of them, from there or, where there is no memory for that, from the host.
  MaybeFailure queue_copy(GpuPointer to, const SharedBytes& from, std::string_view doing);

  /// Whether it still is as it was brought. Where a kernel has written there, false, and it is
  /// given up: it will be brought anew.
  Result<bool> residents_are_whole();

  /// Gives up the resident bytes, once the queued work is done; false: there were none.
  bool forget_residents();

  /// Throws environment_error where the GPU has no room for so many bytes more, although we would
  /// not exceed the bytes that were free when it was opened, or that are free without other
  /// processes.
  void blame_others(std::size_t bytes) const;

  /// A fault as it is; but throws environment_error where it is that memory ran out, and half of
  /// the memory that was free when the GPU was opened has gone to others.
  MaybeFailure checked_room(MaybeFailure failure) const;

  /// Counts the bytes of our buffers.
  void count_taken(std::ptrdiff_t bytes) { bytes_taken_ += bytes; }

  /// The GPU's clock and the cause that holds it down, where there is a monitor.
  GpuState state() { return monitor_ ? monitor_() : GpuState{}; }

 private:
  /// check() of a copy: one that the driver refuses says that our sizes or addresses are wrong, so
  /// that a worker ends over it.
  MaybeFailure check_copy(int code, const char* call, std::string_view doing);

  std::int64_t cache_blocks() const;
  MaybeFailure take_cache_buffer(GpuBuffer& buffer);
  MaybeFailure fill_cache();

  GpuSession(GpuDriver driver, GpuDescription gpu);

  GpuDriver driver_;
  GpuDescription gpu_;
  GpuContext context_ = nullptr;
  GpuStream stream_ = nullptr;
  bool is_capturing_ = false;
  double waited_seconds_ = 0;
  std::size_t bytes_free_at_open_ = 0;  ///< 0 where the driver does not tell
  std::size_t bytes_taken_ = 0;
  MaybeFailure lost_;
  GpuMonitor monitor_;
  std::unique_ptr<LoadedModule> own_module_;
  std::map<std::string, GpuFunction> own_kernels_;
  GpuBuffer written_;  // by a flush,
  GpuBuffer read_;     // and after it
  unsigned char byte_ = 0;
  std::weak_ptr<GpuVectors> vectors_;
  struct Resident {
    std::weak_ptr<const SharedBytes::Bytes> bytes;
    GpuBuffer buffer;
    unsigned long long sum = 0;  // by sum_bytes
  };
  std::map<const void*, Resident> residents_;  // by their identity
};

}  // namespace alphasparse
