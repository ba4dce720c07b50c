// loader_driver: feeds the loader of a standalone kernel a format file with each kind of damage.
//
// Compiled behind the part of NAME.cu that needs no CUDA, by a compiler with sanitizers. Usage:
// loader_driver FILE SCRATCH SEED. Exits with 1 where a damaged file was taken.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "reseal.h"

namespace {

using namespace alphasparse::host;

std::string scratch;
int refused = 0;
int taken = 0;

bool loads(const std::string& bytes) {
  std::filesystem::remove(scratch);  // a file written over is flushed to the disk: slow
  std::ofstream(scratch, std::ios::binary) << bytes;
  try {
    const LoadedFormat format = load_format(scratch, facts, true);
    ++taken;
    return true;
  } catch (const BadFile&) {
    ++refused;
    return false;
  }
}

int failed(const char* what, std::size_t at) {
  std::printf("taken: %s %zu\n", what, at);
  return 1;
}

std::string with_length(const std::string& whole, std::uint64_t length) {
  std::string bytes = whole;
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> 8 * i & 255);
  return bytes;
}

/// One to four bytes changed, or a run of bytes taken out, or doubled.
std::string damaged(const std::string& whole, std::mt19937& random) {
  std::string bytes = whole;
  const auto below = [&](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  const std::size_t way = below(8);
  const std::size_t at = below(bytes.size());
  if (way == 0) return bytes.erase(at, 1 + below(16));
  if (way == 1) return bytes.insert(at, bytes.substr(at, 1 + below(16)));
  for (std::size_t left = 1 + below(4); left > 0; --left) {
    bytes[below(bytes.size())] ^= static_cast<char>(1 + below(255));
  }
  return bytes;
}

}  // namespace

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  scratch = arguments[2];
  if (!loads(whole)) return std::printf("the whole file is refused\n"), 1;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    if (loads(whole.substr(0, length))) return failed("truncated to", length);
  }
  for (int bit = 0; bit < 64; ++bit) {
    for (const std::uint64_t length : {std::uint64_t{1} << bit, ~std::uint64_t{0} >> bit}) {
      std::string bytes = with_length(whole, length);
      reseal(bytes);
      if (loads(bytes)) return failed("a header of", length);
    }
  }
  std::mt19937 random(static_cast<unsigned>(std::stoul(arguments[3])));
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string bytes = damaged(whole, random);
    if (bytes != whole && loads(bytes)) return failed("damage number", i);
  }
  // With the checksum made right again only the other checks can refuse a file: none may crash.
  const int taken_before = taken;
  for (std::size_t i = 0; i < 3000; ++i) {
    std::string bytes = damaged(whole, random);
    reseal(bytes);
    loads(bytes);
  }
  std::printf("%d refused, %d taken with the checksum made right\n", refused, taken - taken_before);
}
