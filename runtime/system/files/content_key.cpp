#include "runtime/system/files/content_key.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>

namespace alphasparse {

ContentKey::ContentKey() : state_(XXH3_createState()) { XXH3_128bits_reset(state_); }
ContentKey::~ContentKey() { XXH3_freeState(state_); }

void ContentKey::add(std::string_view field) {
  const std::uint64_t size = field.size();
  XXH3_128bits_update(state_, &size, sizeof size);
  XXH3_128bits_update(state_, field.data(), field.size());
}

std::string ContentKey::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string content_key(std::initializer_list<std::string_view> fields) {
  ContentKey key;
  for (const std::string_view field : fields) key.add(field);
  return key.text();
}

}  // namespace alphasparse
