// mutation_driver: runs a libFuzzer target without libFuzzer - every seed, then seeded mutations of
// them - the same inputs every time.
//
//   NAME_fuzz_short SEED_FOLDER [COUNT [SECONDS]]
//   NAME_fuzz_short FILE                              one input, to repeat a failure
//
// It stops after COUNT mutations (default 500,000) or SECONDS (default 5), whichever comes first. A
// target that fails aborts; the input is left in failed_input in the current folder.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/byte_mutator.h"
#include "tests/fuzz/failed_input.h"
#include "tests/fuzz/fuzz_budget.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(std::string input) {
  alphasparse::input_in_work() = std::move(input);
  // A copy of its own, so that a sanitizer sees reads behind the end.
  const std::vector<std::uint8_t> bytes(alphasparse::input_in_work().begin(),
                                        alphasparse::input_in_work().end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  alphasparse::keep_input_on_abort();
  const std::vector<std::string> seeds = sorted_seeds(arguments[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds in %s\n", arguments[1]);
    return 2;
  }
  for (const std::string& seed : seeds) run(seed);
  alphasparse::ByteMutator mutator(seeds, 20);
  const auto budget = alphasparse::fuzz_budget(argument_count, arguments, 2, 500'000, 5);
  long done = 0;
  for (; !budget.is_over(done); ++done) run(mutator.next());
  std::printf("%zu seeds and %ld mutations\n", seeds.size(), done);
}
