// fake_product: the matrices of the fakes of the vendors' libraries, and their products on the
// host.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generator/arrays/number_type.h"

struct FakeMatrix {
  enum class Format { csr, coo, ell, sell, bsr } format;
  std::int64_t rows, cols;
  std::int64_t stored;  // entries, those of pads and blocks too
  const int* row;       // of ELL null
  const int* column;    // -1 of a pad
  const void* value;
  alphasparse::Dtype dtype;
  std::int64_t slice_rows = 0;  // of sliced ELL
  std::int64_t side = 1;        // of a block

  std::size_t value_bytes() const {
    return static_cast<std::size_t>(alphasparse::number_type(dtype).bytes);
  }

  /// Whether its arrays lie in the memory of the GPU, aligned.
  bool is_there() const;
};

/// Whether `count` elements of so many bytes lie there, aligned.
bool fake_is_there(const void* address, std::int64_t count, std::size_t bytes);

/// Queues Y = alpha * A * X + beta * Y, of so many columns side by side. `call` names it in
/// FakeGpuState::calls. The scalars are read at once.
void fake_multiply(const char* call, const FakeMatrix& a, const void* alpha, const void* x,
                   const void* beta, void* y, std::int64_t columns = 1);

/// Counts the matrices that a library has: FAKE_VENDOR_CROWDED_US.
void fake_count_matrices(int more);

/// The code that the test wants of a call, 0 where it wants none.
int fake_vendor_code(const char* call);

/// The time that FAKE_VENDOR_SECONDS wants of a preparation.
void fake_vendor_prepares();
