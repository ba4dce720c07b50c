// reader_fuzz: for any bytes of a file, parse_matrix gives a canonical matrix or one line of
// reason, and takes no more memory than its limits allow.
//
//   reader_fuzz_short READER [COUNT [SECONDS]]    a reader of reader_seeds.h
//   reader_fuzz_short FILE                        one input, to repeat a failure
//
// It reads each seed, then COUNT mutations of them (default 10,000), for SECONDS at most (default
// no limit). Where ALPHASPARSE_LONG is set and ALPHASPARSE_FUZZ_LONG too, that is the COUNT. Two of
// three mutations damage the packed content and pack it again, the third the bytes of the file. A
// failure aborts, and the input is left in failed_input in the current folder.
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/matrices/matrix_file.h"
#include "tests/fuzz/byte_mutator.h"
#include "tests/fuzz/failed_input.h"
#include "tests/fuzz/fuzz_budget.h"
#include "tests/fuzz/reader_seeds.h"

namespace alphasparse {

namespace {

constexpr std::int64_t memory_bytes = 1 << 20;  // so that claims of much cost nothing
constexpr long peak_kilobytes_most = 1'000'000;

/// Whether it was read; else it was refused as it should be.
bool run(std::string input) {
  input_in_work() = std::move(input);
  const std::string name = "fuzz.any";
  try {
    const Matrix matrix = parse_matrix(input_in_work(), name, "", {index_limit, memory_bytes});
    CHECK(check_canonical(matrix).empty());
    return true;
  } catch (const Error& error) {
    constexpr std::size_t reason_most = 1200;
    const std::string_view message = error.what();
    CHECK(error.code() == ExitCode::bad_input);
    CHECK(message.starts_with(name));
    CHECK(message.find('\n') == message.npos);
    CHECK(message.size() < reason_most);
    return false;
  }
}

std::string mutation(const std::vector<ReaderSeed>& seeds, ByteMutator& mutator) {
  const ReaderSeed& seed = seeds[mutator.below(seeds.size())];
  std::vector<std::string> parts = seed.parts;
  const bool inside = mutator.below(3) > 0;
  if (inside) mutator.change(parts[mutator.below(parts.size())]);
  std::string input = seed.pack(parts);
  if (!inside) mutator.change(input);
  return input;
}

int fuzz(const std::string& reader, const FuzzBudget& budget) {
  const std::vector<ReaderSeed> seeds = reader_seeds(reader);
  std::vector<std::string> whole;
  for (const ReaderSeed& seed : seeds) {
    whole.push_back(seed.pack(seed.parts));
    if (run(whole.back())) continue;
    std::fprintf(stderr, "seed %zu is refused\n", whole.size());
    return 1;
  }
  ByteMutator mutator(whole, 20);
  long done = 0, read = 0;
  for (; !budget.is_over(done); ++done) read += run(mutation(seeds, mutator));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%s: %zu seeds and %ld mutations: %ld read, %ld refused; peak %ld MB\n",
              reader.c_str(), seeds.size(), done, read, done - read, usage.ru_maxrss / 1000);
  return usage.ru_maxrss < peak_kilobytes_most ? 0 : 1;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    std::fprintf(stderr, "usage: %s READER [COUNT [SECONDS]] | FILE\n", arguments[0]);
    return 2;
  }
  alphasparse::keep_input_on_abort();
  if (std::filesystem::is_regular_file(arguments[1])) {
    std::ifstream file(arguments[1], std::ios::binary);
    alphasparse::run({std::istreambuf_iterator<char>(file), {}});
    return 0;
  }
  return alphasparse::fuzz(arguments[1],
                           alphasparse::fuzz_budget(argument_count, arguments, 2, 10'000, 0));
}
