// digest: BLAKE2b with 32 bytes (RFC 7693). Two texts with one digest are not known, and no one can
// make a text of a digest that is given.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace alphasparse::host {

class Digest {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    while (bytes > 0) {
      if (held_ == block_bytes) close_block(block_, 0);  // which is not the last one
      std::size_t part = block_bytes - held_;
      if (bytes <= part || held_ > 0) {
        if (bytes < part) part = bytes;
        std::memcpy(block_ + held_, from, part);
        held_ += part;
      } else {
        held_ = block_bytes;
        close_block(from, 0);
      }
      from += part;
      bytes -= part;
    }
  }

  void add(const std::string& text) { add(text.data(), text.size()); }

  /// 64 lower-case hexadecimal digits, of all that was added.
  std::string digits() const {
    Digest last = *this;
    std::memset(last.block_ + held_, 0, block_bytes - held_);
    last.close_block(last.block_, ~std::uint64_t{0});
    std::string text;
    for (int byte = 0; byte < 32; ++byte) {
      const unsigned number = last.state_[byte / 8] >> byte % 8 * 8 & 255;
      text += "0123456789abcdef"[number / 16];
      text += "0123456789abcdef"[number % 16];
    }
    return text;
  }

 private:
  using Words = std::uint64_t[16];
  static constexpr std::size_t block_bytes = 128;

  static constexpr std::uint64_t start[8] = {
      0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
      0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

  static constexpr unsigned char orders[10][16] = {
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
      {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
      {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
      {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
      {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
      {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

  static std::uint64_t turned(std::uint64_t word, int bits) {
    return word >> bits | word << (64 - bits);
  }

  /// Mixes two words of the message into four of the state.
  [[gnu::always_inline]] static void mix(std::uint64_t& a, std::uint64_t& b, std::uint64_t& c,
                                         std::uint64_t& d, std::uint64_t first,
                                         std::uint64_t second) {
    a += b + first;
    d = turned(d ^ a, 32);
    c += d;
    b = turned(b ^ c, 24);
    a += b + second;
    d = turned(d ^ a, 16);
    c += d;
    b = turned(b ^ c, 63);
  }

  /// Written out for each round: twice as fast.
  template <int... round>
  [[gnu::always_inline]] static void mix_rounds(Words& v, const Words& m) {
    (mix_round(v, m, orders[round]), ...);
  }

  [[gnu::always_inline]] static void mix_round(Words& v, const Words& m,
                                               const unsigned char (&at)[16]) {
    mix(v[0], v[4], v[8], v[12], m[at[0]], m[at[1]]);
    mix(v[1], v[5], v[9], v[13], m[at[2]], m[at[3]]);
    mix(v[2], v[6], v[10], v[14], m[at[4]], m[at[5]]);
    mix(v[3], v[7], v[11], v[15], m[at[6]], m[at[7]]);
    mix(v[0], v[5], v[10], v[15], m[at[8]], m[at[9]]);
    mix(v[1], v[6], v[11], v[12], m[at[10]], m[at[11]]);
    mix(v[2], v[7], v[8], v[13], m[at[12]], m[at[13]]);
    mix(v[3], v[4], v[9], v[14], m[at[14]], m[at[15]]);
  }

  /// Takes a block into the state, of which `held_` bytes count; `last` has all bits set for the
  /// last one.
  [[gnu::hot]] void close_block(const unsigned char* block, std::uint64_t last) {
    Words m, v;
    bytes_ += held_;
    held_ = 0;
    std::memcpy(m, block, sizeof m);
    std::memcpy(v, state_, sizeof state_);
    std::memcpy(v + 8, start, sizeof start);
    v[12] ^= bytes_;
    v[14] ^= last;
    mix_rounds<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1>(v, m);
    for (int i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
  }

  std::uint64_t state_[8] = {
      start[0] ^ 0x01010020, start[1], start[2], start[3], start[4], start[5], start[6], start[7]};
  std::uint64_t bytes_ = 0;  ///< of the blocks before
  std::size_t held_ = 0;
  unsigned char block_[block_bytes];
};

}  // namespace alphasparse::host
