// format_driver: runs a target of format files over mutated ones, the same every time.
//
//   NAME_fuzz_short [COUNT [SECONDS]]
//   NAME_fuzz_short FILE                one input, to repeat a failure
//
// It stops after COUNT mutations (default 500,000) or SECONDS (default 5), whichever comes first.
// Most mutated files are whole as far as length, offsets and checksum go; less than half is a
// failure. A target that fails aborts; the input is left in failed_input in the current folder.
#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/fuzz/format_fuzz.h"
#include "tests/fuzz/format_mutator.h"

using namespace alphasparse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string current_input;

/// On abort the input is worth more than anything else; the process is lost in any case.
void keep_input(int) {
  if (FILE* file = std::fopen("failed_input", "wb")) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
  }
}

void run(std::string input) {
  current_input = std::move(input);
  const std::vector<std::uint8_t> bytes(current_input.begin(), current_input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 2 && std::atol(arguments[1]) == 0) {
    std::ifstream file(arguments[1], std::ios::binary);
    run({std::istreambuf_iterator<char>(file), {}});
    return 0;
  }
  signal(SIGABRT, keep_input);
  const long count = argument_count > 1 ? std::atol(arguments[1]) : 500'000;
  const std::chrono::seconds seconds(argument_count > 2 ? std::atol(arguments[2]) : 5);
  const std::vector<std::string> seeds = format_seeds();
  for (const std::string& seed : seeds) run(seed);
  const FormatFuzzCounts& counts = format_fuzz_counts();
  if (counts.taken != static_cast<long>(seeds.size())) {
    std::fprintf(stderr, "only %ld of %zu seeds are taken\n", counts.taken, seeds.size());
    return 1;
  }
  const FormatFuzzCounts before = counts;
  std::vector<FormatParts> parts;
  for (const std::string& seed : seeds) parts.emplace_back(seed);
  FormatMutator mutator(20);
  const auto end = std::chrono::steady_clock::now() + seconds;
  long done = 0;
  for (; done < count && std::chrono::steady_clock::now() < end; ++done) {
    run(mutator.mutated(parts[mutator.below(parts.size())]));
  }
  const long whole = counts.whole - before.whole;
  std::printf("%zu seeds and %ld mutations: %.1f%% past header and checksum, %.1f%% taken\n",
              seeds.size(), done, 100.0 * whole / done,
              100.0 * (counts.taken - before.taken) / done);
  return 2 * whole >= done ? 0 : 1;
}
