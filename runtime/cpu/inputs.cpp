#include "runtime/cpu/inputs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace alphasparse {

namespace {

constexpr std::size_t huge_bytes = std::size_t{2} << 20;

}  // namespace

std::size_t HostArray::allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_bytes ? huge_bytes : 64;
  const std::size_t size = (bytes + slack_bytes + alignment - 1) / alignment * alignment;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, size)));
  if (!memory_) throw std::bad_alloc();
  if (alignment == huge_bytes) madvise(memory_.get(), size, MADV_HUGEPAGE);
  return size;
}

HostArray::HostArray(std::size_t bytes) {
  const std::size_t size = allocate(bytes);
  std::memset(data(), 0, size);
}

HostArray::HostArray(const std::byte* from, std::size_t bytes) {
  const std::size_t size = allocate(bytes);
  if (bytes > 0) std::memcpy(data(), from, bytes);
  std::memset(data() + bytes, 0, size - bytes);
}

GuardedVector::GuardedVector(const SharedBytes& vector) : size_(vector.size()) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages = (size_ + page - 1) / page * page;
  mapped_ = pages + page;
  void* const mapped =
      mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(mapped);
  if (pages >= huge_bytes) madvise(memory_, pages, MADV_HUGEPAGE);
  mprotect(memory_ + pages, page, PROT_NONE);
  data_ = memory_ + pages - size_;
  if (size_ > 0) std::memcpy(data_, vector.data(), size_);
  if (pages > 0) mprotect(memory_, pages, PROT_READ);  // other kernels read it too
}

GuardedVector::~GuardedVector() { munmap(memory_, mapped_); }

void KeptInputs::drop_expired() {
  guarded_.remove_if([](const auto& kept) { return kept.of.expired(); });
  if (timed_.of.expired()) timed_ = {};
}

std::shared_ptr<const GuardedVector> KeptInputs::guarded(const SharedBytes& vector) {
  drop_expired();
  const auto known = std::find_if(guarded_.begin(), guarded_.end(),
                                  [&](const auto& kept) { return kept.is_of(vector); });
  if (known != guarded_.end()) {
    guarded_.splice(guarded_.begin(), guarded_, known);
    return guarded_.front().copy;
  }
  std::size_t bytes = vector.size();
  for (auto kept = guarded_.begin(); kept != guarded_.end();) {  // drops the vectors beyond the
                                                                 // limit
    bytes += kept->copy->size();
    kept = bytes > bytes_most_ ? guarded_.erase(kept) : std::next(kept);
  }
  auto copy = std::make_shared<const GuardedVector>(vector);
  if (!vector.empty()) guarded_.push_front({vector.watch(), vector.identity(), copy});
  return copy;
}

std::shared_ptr<const HostArray> KeptInputs::timed(const SharedBytes& vector) {
  drop_expired();
  if (!vector.empty() && timed_.is_of(vector)) return timed_.copy;
  timed_ = {};
  timed_ = {vector.watch(), vector.identity(),
            std::make_shared<const HostArray>(vector.data(), vector.size())};
  return timed_.copy;
}

}  // namespace alphasparse
