#include "tests/fuzz/failed_input.h"

#include <csignal>
#include <cstdio>

namespace alphasparse {

namespace {

void keep_input(int) {
  const std::string& input = input_in_work();
  if (FILE* file = std::fopen("failed_input", "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in failed_input\n");
  }
}

}  // namespace

std::string& input_in_work() {
  static std::string input;
  return input;
}

void keep_input_on_abort() {
  input_in_work();
  std::signal(SIGABRT, keep_input);
}

}  // namespace alphasparse
