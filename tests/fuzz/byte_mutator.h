// byte_mutator: inputs made of others: bytes flipped, cut, doubled, exchanged for words that
// readers decide by, or followed by the end of another one. The same every time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace alphasparse {

class ByteMutator {
 public:
  ByteMutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  /// One of the seeds, changed in one to four places.
  std::string next();

  /// Changes an input in one to four places.
  void change(std::string& input);

  // Not a standard distribution: those differ between libraries.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

 private:
  void mutate(std::string& input);

  const std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace alphasparse
