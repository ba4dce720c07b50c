// matrix_market_line: the line of an entry in a Matrix Market file.
#pragma once
#include <cstdint>
#include <type_traits>

#include "runtime/matrices/text/line_scanner.h"
#include "runtime/matrices/text/matrix_market_header.h"

namespace alphasparse {

/// Calls read(field) with the field as a constant, so that the loop over its lines is its own.
/// Integers without a sign are read as integers are.
template <class Read>
auto with_field(MarketField field, const Read& read) {
  switch (field) {
    case MarketField::real:
      return read(std::integral_constant<MarketField, MarketField::real>());
    case MarketField::pattern:
      return read(std::integral_constant<MarketField, MarketField::pattern>());
    case MarketField::complex:
      return read(std::integral_constant<MarketField, MarketField::complex>());
    default:
      return read(std::integral_constant<MarketField, MarketField::integer>());
  }
}

/// Reads the value of an entry, or its real part; `named` is the field of the header.
template <MarketField field>
double read_value(LineScanner& scanner, MarketField named) {
  if constexpr (field == MarketField::pattern) return 1;
  if constexpr (field == MarketField::real) return scanner.real();
  if constexpr (field == MarketField::complex) return scanner.real("real part");
  return named == MarketField::integer ? scanner.integer() : scanner.unsigned_integer();
}

/// Reads the imaginary part behind it.
template <MarketField field>
double read_imag(LineScanner& scanner) {
  return field == MarketField::complex ? scanner.real("imaginary part") : 0;
}

struct MarketPosition {
  std::int32_t row = 0, col = 0;  ///< from 0
};

/// Reads the row and the column of an entry. Fails where the matrix does not have them.
inline MarketPosition read_position(LineScanner& scanner, std::int32_t rows, std::int32_t cols) {
  const std::int64_t row = scanner.index("row index", 1, rows);
  const std::int64_t col = scanner.index("column index", 1, cols);
  return {static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(col - 1)};
}

}  // namespace alphasparse
