// carry_body: the kernel body of the launch that adds up carries (carries.h).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/format_struct.h"
#include "generator/facts/carries.h"

namespace alphasparse {

/// The body of the launch that adds them up, one group of lanes a row.
struct CarryBody {
  Code text;
  std::int64_t blocks = 0;
  std::vector<std::string_view> fragments;
};

/// The rows of the carries are those of y [y_rows]; `take` gets each row's sum.
CarryBody carry_body(const Carries& carries, std::string_view epilogue, int threads,
                     FormatStruct& format);

}  // namespace alphasparse
