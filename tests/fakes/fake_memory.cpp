// fake_memory: the memory of the fake of a GPU's driver - allocations, copies and fills.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

std::byte* fake_memory(GpuPointer address) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

int fake_memory_info(FakeCall call, std::size_t* bytes_free, std::size_t* bytes_total) {
  *bytes_total = fake_gpu()->memory_bytes;
  *bytes_free =
      fake_gpu()->memory_bytes - std::min(fake_gpu()->others_bytes, fake_gpu()->memory_bytes);
  for (const auto& [address, bytes] : fake_gpu()->allocations)
    *bytes_free -= std::min(bytes, *bytes_free);
  return fake_wanted(call);
}

int fake_allocate(FakeCall call, GpuPointer* address, std::size_t bytes) {
  const FakeCapture* const capture = fake_gpu()->recording;
  if (capture != nullptr && capture->mode != gpu_capture_relaxed) {
    return fake_illegal_in_capture(call.name, capture->stream);
  }
  if (const int code = fake_wanted(call); code != 0) return code;
  std::size_t bytes_free = 0;
  std::size_t bytes_total = 0;
  fake_memory_info(call, &bytes_free, &bytes_total);
  if (bytes > bytes_free || fake_gpu()->refuses_memory) return gpu_error_out_of_memory;
  void* const block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(block, 0xcd, bytes);
  *address = reinterpret_cast<std::uintptr_t>(block);
  fake_gpu()->allocations[*address] = bytes - std::min(bytes, fake_gpu()->bytes_lacking);
  return 0;
}

int fake_free(FakeCall call, GpuPointer address) {
  fake_needs_device(call);
  if (fake_gpu()->recording != nullptr) fake_broken(std::string(call.name) + " in a capture");
  fake_drain(call);
  if (fake_gpu()->allocations.erase(address) == 0) return gpu_error_invalid_value;
  std::free(fake_memory(address));
  return fake_wanted(call);
}

int fake_copy_to_device(FakeCall call, GpuPointer to, const void* from, std::size_t bytes) {
  if (!fake_gpu()->is_allocated(to, bytes)) return gpu_error_invalid_value;
  const auto* const first = static_cast<const std::byte*>(from);
  fake_gpu()->uploaded_bytes += bytes;
  // Staged, as the driver does with pageable memory.
  fake_gpu()->enqueue([to, staged = std::vector<std::byte>(first, first + bytes)] {
    std::memcpy(fake_memory(to), staged.data(), staged.size());
  });
  return fake_wanted(call);
}

int fake_copy_to_host(FakeCall call, void* to, GpuPointer from, std::size_t bytes) {
  if (!fake_gpu()->is_allocated(from, bytes)) return gpu_error_invalid_value;
  const int code = fake_wanted(call);
  // A copy that is refused does not run later, when its caller's memory may be gone.
  if (code == gpu_success) fake_gpu()->enqueue([=] { std::memcpy(to, fake_memory(from), bytes); });
  return code;
}

int fake_copy(FakeCall call, GpuPointer to, GpuPointer from, std::size_t bytes) {
  if (!fake_gpu()->is_allocated(to, bytes) || !fake_gpu()->is_allocated(from, bytes))
    return gpu_error_invalid_value;
  fake_gpu()->enqueue([=] {
    std::memcpy(fake_memory(to), fake_memory(from), bytes);
    fake_gpu()->clock_us += static_cast<double>(bytes) / 1e6;
  });
  return fake_wanted(call);
}

int fake_copy_rectangle(FakeCall call, const GpuRectangle& lines) {
  // Memory that was not taken here is a framework's: tests give arrays of the host for it.
  const auto fits = [&](GpuPointer address, std::size_t pitch) {
    const std::size_t before_last = lines.height == 0 ? 0 : (lines.height - 1) * pitch;
    const bool is_own = fake_gpu()->is_allocated(address, 1);
    return pitch >= lines.width_bytes && address != 0 &&
           (!is_own || fake_gpu()->is_allocated(address, before_last + lines.width_bytes));
  };
  if (!fits(lines.to, lines.to_pitch) || !fits(lines.from, lines.from_pitch))
    return gpu_error_invalid_value;
  fake_gpu()->calls.push_back("copy of a rectangle");
  fake_gpu()->enqueue([lines] {
    for (std::size_t line = 0; line < lines.height; ++line) {
      std::memcpy(fake_memory(lines.to + line * lines.to_pitch),
                  fake_memory(lines.from + line * lines.from_pitch), lines.width_bytes);
    }
  });
  return fake_wanted(call);
}

int fake_fill(FakeCall call, GpuPointer to, unsigned char byte, std::size_t bytes) {
  if (!fake_gpu()->is_allocated(to, bytes)) return gpu_error_invalid_value;
  fake_gpu()->calls.push_back("fill " + std::to_string(byte));
  fake_gpu()->fill_bytes = bytes;
  fake_gpu()->enqueue([=] {
    std::memset(fake_memory(to), byte, bytes);
    fake_gpu()->clock_us += 1000;
  });
  return fake_wanted(call);
}
