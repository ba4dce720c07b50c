// format_libfuzzer: libFuzzer's mutations of a target of format files, made by ours, as almost
// none of its own would come past the checksum.
#include <cstring>
#include <stdexcept>

#include "tests/fuzz/format_fuzz.h"
#include "tests/fuzz/format_mutator.h"

using namespace alphasparse;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_most, unsigned seed) {
  static const std::vector<std::string> seeds = format_seeds();
  FormatMutator mutator(seed);
  const auto mutated = [&](const std::string& input) {
    return mutator.mutated(FormatParts(input));
  };
  std::string input;
  try {
    input = mutated({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception&) {  // no format file: most are those that began it
    input = mutated(seeds[mutator.below(seeds.size())]);
  }
  if (input.size() > size_most) return size;
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
