#include "tests/fakes/fake_product.h"

#include <chrono>
#include <complex>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/fakes/fake_gpu_state.h"

using namespace alphasparse;

namespace {

using Format = FakeMatrix::Format;

int matrices = 0;

/// The entries of a row: from `first` until `end`, each `step` behind the one before.
struct RowEntries {
  std::int64_t first, end, step;
};

RowEntries entries_of(const FakeMatrix& a, std::int64_t row) {
  if (a.format == Format::csr) return {a.row[row], a.row[row + 1], 1};
  if (a.format == Format::ell) return {row, a.stored, a.rows};
  const std::int64_t slice = row / a.slice_rows;
  return {a.row[slice] + row % a.slice_rows, a.row[slice + 1], a.slice_rows};
}

/// One column of X and Y, of which so many stand side by side.
template <class Value>
void multiply(const FakeMatrix& a, Value alpha, const Value* x, Value beta, Value* y,
              std::int64_t columns) {
  const auto* const value = static_cast<const Value*>(a.value);
  std::vector<Value> sums(static_cast<std::size_t>(a.rows), 0);
  if (a.format == Format::coo) {
    for (std::int64_t i = 0; i < a.stored; ++i)
      sums[a.row[i]] += value[i] * x[a.column[i] * columns];
  }
  for (std::int64_t row = 0; row < a.rows && a.format == Format::bsr; ++row) {
    for (std::int64_t block = a.row[row / a.side]; block < a.row[row / a.side + 1]; ++block) {
      for (std::int64_t k = 0; k < a.side; ++k) {
        const std::int64_t at = (block * a.side + row % a.side) * a.side + k;
        sums[row] += value[at] * x[(a.column[block] * a.side + k) * columns];
      }
    }
  }
  const bool by_rows = a.format != Format::coo && a.format != Format::bsr;
  for (std::int64_t row = 0; row < a.rows && by_rows; ++row) {
    const RowEntries entries = entries_of(a, row);
    for (std::int64_t i = entries.first; i < entries.end; i += entries.step) {
      if (a.column[i] >= 0) sums[row] += value[i] * x[a.column[i] * columns];
    }
  }
  for (std::int64_t row = 0; row < a.rows; ++row) {
    Value& to = y[row * columns];
    to = alpha * sums[row] + (beta == Value(0) ? Value(0) : beta * to);
  }
}

double crowded_us() {
  const char* const us = std::getenv("FAKE_VENDOR_CROWDED_US");
  return us && matrices > 1 ? std::atof(us) : 0;
}

template <class Value>
void queue(const FakeMatrix& a, const void* alpha, const void* x, const void* beta, void* y,
           std::int64_t columns) {
  const Value scale = *static_cast<const Value*>(alpha), old = *static_cast<const Value*>(beta);
  fake_gpu()->enqueue([=] {
    for (std::int64_t k = 0; k < columns; ++k)
      multiply(a, scale, static_cast<const Value*>(x) + k, old, static_cast<Value*>(y) + k,
               columns);
    // A large matrix takes longer than it takes here: else it would be timed by many calls.
    fake_gpu()->clock_us += 50 + a.stored / 100'000 * 1000 + crowded_us();
  });
}

}  // namespace

bool fake_is_there(const void* address, std::int64_t count, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  return count >= 0 && bytes > 0 && first % bytes == 0 &&
         (count == 0 || fake_gpu()->is_allocated(first, static_cast<std::size_t>(count) * bytes));
}

bool FakeMatrix::is_there() const {
  const std::int64_t blocks = stored / (side * side);
  const std::int64_t offsets = format == Format::coo    ? stored
                               : format == Format::ell  ? 0
                               : format == Format::sell ? (rows + slice_rows - 1) / slice_rows + 1
                                                        : rows / side + 1;
  return rows >= 0 && cols >= 0 && fake_is_there(row, offsets, sizeof(int)) &&
         fake_is_there(column, blocks, sizeof(int)) && fake_is_there(value, stored, value_bytes());
}

void fake_multiply(const char* call, const FakeMatrix& a, const void* alpha, const void* x,
                   const void* beta, void* y, std::int64_t columns) {
  fake_gpu()->calls.emplace_back(call);
  switch (a.dtype) {
    case Dtype::f32:
      return queue<float>(a, alpha, x, beta, y, columns);
    case Dtype::f64:
      return queue<double>(a, alpha, x, beta, y, columns);
    case Dtype::c64:
      return queue<std::complex<float>>(a, alpha, x, beta, y, columns);
    case Dtype::c128:
      return queue<std::complex<double>>(a, alpha, x, beta, y, columns);
  }
}

void fake_count_matrices(int more) { matrices += more; }

int fake_vendor_code(const char* call) {
  const auto found = fake_gpu()->failures.find(call);
  return found == fake_gpu()->failures.end() ? 0 : found->second;
}

void fake_vendor_prepares() {
  if (const char* const seconds = std::getenv("FAKE_VENDOR_SECONDS"))
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
}
