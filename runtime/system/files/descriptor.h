// descriptor: a file descriptor, closed with its owner.
#pragma once
#include <unistd.h>

namespace alphasparse {

/// Below 0 where there is none.
struct Descriptor {
  explicit Descriptor(int of) : number(of) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

}  // namespace alphasparse
