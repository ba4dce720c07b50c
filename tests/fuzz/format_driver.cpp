// format_driver: runs a target of format files over mutated ones, the same every time.
//
//   NAME_fuzz_short [COUNT [SECONDS [SEED]]]
//   NAME_fuzz_short FILE                one input, to repeat a failure
//
// It stops after COUNT mutations (default 500,000) or SECONDS (default 5), whichever comes first.
// Where ALPHASPARSE_LONG is set and ALPHASPARSE_FUZZ_LONG too, that is the COUNT, without a limit
// of time. Most mutated files are whole as far as length, offsets and checksum go; less than half
// is a failure. The target runs in a process of its own: however that ends, and if it hangs, the
// input is left in failed_input in the current folder.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "base/result.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/fuzz/format_mutator.h"
#include "tests/fuzz/fuzz_budget.h"

using namespace alphasparse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr unsigned seconds_most = 60;         // of one input, on a machine with other work
constexpr unsigned seconds_most_first = 900;  // for which a target may have to compile its kernels

/// The input that is being run, where the parent sees it.
struct CurrentInput {
  std::size_t size;
  std::uint8_t bytes[1 << 22];
};

CurrentInput& current_input() {
  static void* const memory = mmap(nullptr, sizeof(CurrentInput), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  return *static_cast<CurrentInput*>(memory);
}

void run(const std::string& input) {
  CurrentInput& current = current_input();
  CHECK(input.size() <= sizeof current.bytes);
  current.size = input.size();
  std::memcpy(current.bytes, input.data(), input.size());
  // A copy of its own, so that a sanitizer sees reads behind the end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  static bool is_first = true;
  alarm(std::exchange(is_first, false) ? seconds_most_first : seconds_most);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  alarm(0);
}

/// How many of the inputs of each kernel were mutated, and how many were taken.
void print_subjects(const FormatFuzzCounts& counts) {
  std::map<std::string, FormatFuzzCounts::OfSubject> by_name;
  for (const auto& [number, own] : counts.of) {
    FormatFuzzCounts::OfSubject& all = by_name[format_subjects()[number].name];
    all.inputs += own.inputs;
    all.taken += own.taken;
  }
  for (const auto& [name, own] : by_name) {
    std::printf("  %-24s %8ld inputs, %8ld taken and run\n", name.c_str(), own.inputs, own.taken);
  }
}

int fuzz(int argument_count, char** arguments) {
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
  FormatMutator mutator(argument_count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 20);
  const FuzzBudget budget = fuzz_budget(argument_count, arguments, 1, 500'000, 5);
  long done = 0;
  for (; !budget.is_over(done); ++done) {
    run(mutator.mutated(parts[mutator.below(parts.size())]));
  }
  const long whole = counts.whole - before.whole;
  std::printf("%zu seeds and %ld mutations: %.1f%% past header and checksum, %.1f%% taken\n",
              seeds.size(), done, 100.0 * whole / done,
              100.0 * (counts.taken - before.taken) / done);
  print_subjects(counts);
  return 2 * whole >= done ? 0 : 1;
}

int report(int status) {
  if (status == 0) return 0;
  if (WIFSIGNALED(status)) std::fprintf(stderr, "ended by %s\n", strsignal(WTERMSIG(status)));
  const CurrentInput& input = current_input();
  std::ofstream("failed_input", std::ios::binary)
      .write(reinterpret_cast<const char*>(input.bytes), static_cast<std::streamsize>(input.size));
  std::fprintf(stderr, "the last input is in failed_input\n");
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 2 && std::atol(arguments[1]) == 0) {
    std::ifstream file(arguments[1], std::ios::binary);
    run({std::istreambuf_iterator<char>(file), {}});
    return 0;
  }
  current_input();
  const pid_t child = fork();
  if (child == 0) return fuzz(argument_count, arguments);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  return report(status);
}
