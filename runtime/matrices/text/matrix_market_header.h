// matrix_market_header: the first line of a Matrix Market file.
#pragma once
#include "runtime/matrices/assemble.h"
#include "runtime/matrices/text/line_scanner.h"

namespace alphasparse {

enum class MarketLayout { coordinate, array };
enum class MarketField { real, integer, unsigned_integer, pattern, complex };

struct MarketHeader {
  MarketLayout layout;
  MarketField field;
  Mirror mirror;
};

/// Reads the line, and goes behind it. Throws Error where it names anything that cannot be read.
MarketHeader parse_market_header(LineScanner& scanner);

}  // namespace alphasparse
