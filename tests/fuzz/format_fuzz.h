// format_fuzz: what the target that loads format files tells the driver that mutates them.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

/// How far the inputs so far have come.
struct FormatFuzzCounts {
  long whole = 0;  ///< past the header, the offsets and the checksum
  long taken = 0;
};
FormatFuzzCounts& format_fuzz_counts();

/// Two bytes that choose a kernel, then the file that was written with it.
std::vector<std::string> format_seeds();

}  // namespace alphasparse
