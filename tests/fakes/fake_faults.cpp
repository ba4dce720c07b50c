#include "tests/fakes/fake_faults.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

struct Word {
  std::string_view text;
  FakeFault fault;
};

constexpr Word words[] = {
    {"compile_error", FakeFault::compile_error},
    {"out_of_memory", FakeFault::out_of_memory},
    {"crowded", FakeFault::crowded},
    {"crash", FakeFault::crash},
    {"illegal_address", FakeFault::illegal_address},
    {"short_memory", FakeFault::short_memory},
    {"pending_error", FakeFault::pending_error},
    {"hang", FakeFault::hang},
    {"wrong", FakeFault::wrong},
    {"wrong_later", FakeFault::wrong_later},
};

/// The fault of one entry, none where its words are not in the design.
FakeFault fault_of(std::string_view entry, std::string_view design) {
  const std::size_t colon = entry.find(':');
  for (const Word& word : words) {
    if (colon == std::string_view::npos || entry.substr(0, colon) != word.text) continue;
    const bool meant = design.find(entry.substr(colon + 1)) != std::string_view::npos;
    return meant ? word.fault : FakeFault::none;
  }
  std::fprintf(stderr, "FAKE_GPU_FAULTS: what is \"%.*s\"?\n", static_cast<int>(entry.size()),
               entry.data());
  std::abort();
}

}  // namespace

bool hangs_now() {
  const char* const file = std::getenv("FAKE_GPU_HANGS_WHILE");
  return file == nullptr || access(file, F_OK) == 0;
}

FakeFault scripted_fault(std::string_view design) {
  const char* const script = std::getenv("FAKE_GPU_FAULTS");
  std::string_view left = script == nullptr ? "" : script;
  FakeFault found = FakeFault::none;
  while (!left.empty()) {
    const std::string_view entry = left.substr(0, left.find(';'));
    const FakeFault fault = fault_of(entry, design);
    if (found == FakeFault::none) found = fault;
    left.remove_prefix(entry.size() == left.size() ? left.size() : entry.size() + 1);
  }
  return found;
}
