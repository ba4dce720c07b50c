// mutation_driver: runs a libFuzzer target without libFuzzer - every seed, then seeded mutations of
// them - the same inputs every time.
//
//   NAME_fuzz_short SEED_FOLDER [COUNT [SECONDS]]
//   NAME_fuzz_short FILE                              one input, to repeat a failure
//
// It stops after COUNT mutations (default 500,000) or SECONDS (default 5), whichever comes first. A
// target that fails aborts; the input is left in failed_input in the current folder.
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t input_bytes_max = 4096;

/// What a mutation may write: the words and numbers that readers decide by.
constexpr std::array words = {"0",
                              "1",
                              "2147483647",
                              "2147483648",
                              "-1",
                              "1e308",
                              "1e400",
                              "nan",
                              "inf",
                              "-0",
                              "99999999999999999999",
                              "%",
                              "\n",
                              "\r\n",
                              " ",
                              "\t",
                              "real",
                              "integer",
                              "pattern",
                              "complex",
                              "coordinate",
                              "array",
                              "general",
                              "symmetric",
                              "skew-symmetric",
                              "%%MatrixMarket matrix ",
                              "\x1f\x8b"};

std::string current_input;

/// On abort the input is worth more than anything else; the process is lost in any case.
void keep_input(int) {
  if (FILE* file = std::fopen("failed_input", "wb")) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in failed_input\n");
  }
}

void run(std::string input) {
  current_input = std::move(input);
  // A copy of its own, so that a sanitizer sees reads behind the end.
  const std::vector<std::uint8_t> bytes(current_input.begin(), current_input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

  std::string next() {
    std::string input = seeds_[below(seeds_.size())];
    for (std::size_t step = 1 + below(4); step > 0; --step) mutate(input);
    input.resize(std::min(input.size(), input_bytes_max));
    return input;
  }

 private:
  // Not a standard distribution: those differ between libraries.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  void mutate(std::string& input) {
    const std::size_t place = below(input.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(input.size() - place, 32) + 1);
    switch (below(7)) {
      case 0:
        if (place < input.size()) input[place] ^= static_cast<char>(1 << below(8));
        break;
      case 1:
        input.erase(place, length);
        break;
      case 2:
        input.insert(place, words[below(words.size())]);
        break;
      case 3:
        input.replace(place, length, words[below(words.size())]);
        break;
      case 4:
        input.insert(below(input.size() + 1), input.substr(place, length));
        break;
      case 5:
        input.resize(place);
        break;
      case 6: {
        const std::string& other = seeds_[below(seeds_.size())];
        input = input.substr(0, place) + other.substr(below(other.size() + 1));
        break;
      }
    }
  }

  const std::vector<std::string> seeds_;
  std::mt19937_64 random_{20};
};

std::vector<std::string> sorted_seeds(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const std::filesystem::path& path : paths) seeds.push_back(content(path));
  return seeds;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    std::fprintf(stderr, "usage: %s SEED_FOLDER [COUNT [SECONDS]] | FILE\n", arguments[0]);
    return 2;
  }
  if (!std::filesystem::is_directory(arguments[1])) {
    run(content(arguments[1]));
    return 0;
  }
  signal(SIGABRT, keep_input);
  const long count = argument_count > 2 ? std::atol(arguments[2]) : 500'000;
  const std::chrono::seconds seconds(argument_count > 3 ? std::atol(arguments[3]) : 5);
  const std::vector<std::string> seeds = sorted_seeds(arguments[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds in %s\n", arguments[1]);
    return 2;
  }
  for (const std::string& seed : seeds) run(seed);
  Mutator mutator(seeds);
  const auto end = std::chrono::steady_clock::now() + seconds;
  long done = 0;
  for (; done < count && std::chrono::steady_clock::now() < end; ++done) run(mutator.next());
  std::printf("%zu seeds and %ld mutations\n", seeds.size(), done);
}
