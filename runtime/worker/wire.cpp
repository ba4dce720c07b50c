#include "runtime/worker/wire.h"

namespace alphasparse {

void Packer::put_bytes(const void* first, std::size_t count) {
  if (count == 0) return;
  const std::size_t at = bytes_.size();
  bytes_.resize(at + count);
  std::memcpy(bytes_.data() + at, first, count);
}

}  // namespace alphasparse
