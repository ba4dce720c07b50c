#include "runtime/worker/wire.h"

#include <atomic>
#include <cerrno>
#include <numeric>

#include "base/ranges.h"

namespace alphasparse {

namespace {

constexpr std::size_t referred_least = 4096;  // a shorter run is copied

/// Whether entry i is i.
bool are_counted(const std::vector<std::int32_t>& entries) {
  std::atomic<bool> counted = true;
  const auto look = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      if (entries[i] == i) continue;
      counted = false;
      return;
    }
  };
  for_ranges(static_cast<std::int64_t>(entries.size()), look);
  return counted;
}

}  // namespace

std::size_t PackedMessage::size() const {
  std::size_t bytes = 0;
  for (const Piece& piece : pieces) {
    bytes += piece.own_count + piece.elsewhere.size();
    if (piece.unmade) bytes += static_cast<std::size_t>(piece.unmade->stored_bytes());
  }
  return bytes;
}

void PackedMessage::for_bytes(const TakeBytes& take) const {
  for (const Piece& piece : pieces) {
    if (piece.unmade) {
      alphasparse::for_bytes(*piece.unmade, take);
    } else {
      take(piece.elsewhere.empty() ? std::span(own).subspan(piece.own_first, piece.own_count)
                                   : piece.elsewhere);
    }
  }
}

bool write_message(SharedMemory& memory, const PackedMessage& message) {
  bool fits = memory.clear();
  int error = errno;
  try {
    message.for_bytes([&](std::span<const std::byte> part) {
      if (!fits) return;
      fits = memory.append(part);
      error = errno;
    });
  } catch (...) {  // no memory to make a part
    memory.clear();
    throw;
  }
  errno = error;
  return fits;
}

void Packer::put_bytes(const void* first, std::size_t count) {
  if (count == 0) return;
  const auto* const from = static_cast<const std::byte*>(first);
  if (refers_ && count >= referred_least) {
    message_.pieces.push_back({0, {from, count}, 0});
    return;
  }
  if (message_.pieces.empty() || message_.pieces.back().own_count == 0)
    message_.pieces.push_back({message_.own.size(), {}, 0});
  message_.own.insert(message_.own.end(), from, from + count);
  message_.pieces.back().own_count += count;
}

void Packer::sources(const std::vector<std::int32_t>& of_entries) {
  const bool counted = are_counted(of_entries);
  put(counted);
  counted ? put(of_entries.size()) : put(of_entries);
}

void Packer::contents(const Array& array) {
  if (!array.made_from) return put(array.bytes);
  put(static_cast<std::size_t>(array.stored_bytes()));
  if (refers_) {
    message_.pieces.push_back({0, {}, 0, &array});
  } else {
    for_bytes(array, [&](std::span<const std::byte> part) { put_bytes(part.data(), part.size()); });
  }
}

void Unpacker::sources(std::vector<std::int32_t>& of_entries) {
  if (!get<bool>()) {
    of_entries = get<std::vector<std::int32_t>>();
    return;
  }
  of_entries.resize(get<std::size_t>());
  std::iota(of_entries.begin(), of_entries.end(), 0);
}

void SentBytes::pack(Packer& message, const SharedBytes& bytes) {
  if (bytes.empty()) return message(std::int64_t{0});
  const auto [found, is_new] = sent_.try_emplace(bytes.identity());
  Sent& sent = found->second;
  if (is_new) sent = {bytes.watch(), ++last_, false};
  message(sent.number, is_new);
  if (is_new) message(static_cast<const SharedBytes::Bytes&>(bytes));
}

void SentBytes::pack_cases(Packer& message, std::span<const SpmvCase> cases) {
  for (auto sent = sent_.begin(); sent != sent_.end();) {
    if (!sent->second.bytes.expired()) {
      ++sent;
      continue;
    }
    forgotten_.push_back(sent->second.number);
    sent = sent_.erase(sent);
  }
  message(forgotten_.size());
  for (const std::int64_t number : forgotten_) message(number);
  message(cases.size());
  for (const SpmvCase& one : cases) {
    alphasparse::pack(message, one);
    pack(message, one.integers);
    pack(message, one.x);
    pack(message, one.y);
  }
}

void SentBytes::arrived() {
  forgotten_.clear();
  for (auto& [identity, sent] : sent_) sent.arrived = true;
}

void SentBytes::lost() {
  std::erase_if(sent_, [&](const auto& entry) {
    if (!entry.second.arrived) forgotten_.push_back(entry.second.number);
    return !entry.second.arrived;
  });
}

SharedBytes KeptBytes::unpack(Unpacker& message) {
  const auto number = message.get<std::int64_t>();
  if (number == 0) return {};
  if (message.get<bool>()) kept_[number] = message.get<std::vector<std::byte>>();
  return kept_.at(number);
}

std::vector<SpmvCase> KeptBytes::unpack_cases(Unpacker& message) {
  for (auto left = message.get<std::size_t>(); left > 0; --left) {
    kept_.erase(message.get<std::int64_t>());
  }
  std::vector<SpmvCase> cases;
  message.list(cases, [&](SpmvCase& one) {
    each_field(message, one);
    one.integers = unpack(message);
    one.x = unpack(message);
    one.y = unpack(message);
  });
  return cases;
}

}  // namespace alphasparse
