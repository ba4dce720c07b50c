// inputs: the matrix and the design of a command, checked before any work begins.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "generator/arrays/operands.h"
#include "runtime/device/device.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

/// Values other than 0 that the dtype has no normal number for: they become 0, or a denormal number
/// of few digits, which programs for fast arithmetic read as 0.
struct Underflow {
  std::int64_t zeros = 0, denormals = 0;
  Dtype dtype = default_dtype;

  std::string text() const;  ///< empty where there are none
};

/// The type that --dtype asks for; else the least one that the values of a matrix take.
struct DtypeChoice {
  DtypeChoice() = default;
  DtypeChoice(Dtype dtype) : requested(dtype) {}

  Dtype of(const Matrix& matrix) const {
    return requested.value_or(matrix.is_complex() ? default_complex_dtype : default_dtype);
  }
  Dtype or_default() const { return requested.value_or(default_dtype); }  ///< of no matrix yet

  std::optional<Dtype> requested;
};

/// A matrix and its name: the stem of its file, "m" for "dir/m.mtx.gz"; its transpose "m_T".
struct InputMatrix {
  Matrix matrix;
  std::string path;
  std::string name;
  bool transposed = false;  ///< the matrix is the transpose of the file's
  Underflow underflow = {};
  Dtype dtype = default_dtype;  ///< of its kernels
};

/// The file itself, or the matrices of a folder by name (has_matrix_ending), hidden ones passed
/// over; pipes, devices, sockets and links to folders are left out, and a note says so. Throws
/// Error (exit 2) where the folder holds none or cannot be read.
std::vector<std::string> matrix_files(const std::string& path);

/// The file itself, or those of a folder and of all folders in it, links to folders left out, in
/// the order of their paths. A folder in it that cannot be read stands for itself, as a file that
/// cannot be read does. Throws as matrix_files does.
std::vector<std::string> matrix_files_below(const std::string& path);

/// Throws Error (exit 2) naming the first value that is beyond float32, where that is the dtype.
void require_fitting_values(const Matrix& matrix, const std::string& path, Dtype dtype);

/// How many values are too small for the dtype.
Underflow count_underflow(const Matrix& matrix, Dtype dtype);

/// Reads the file; with `transpose` its transpose is the matrix, but for a matrix that is its own.
/// Throws Error (exit 2), also where a value does not fit the dtype; exit 3 where no time is
/// left for reading it.
InputMatrix read_input(const std::string& path, const DtypeChoice& dtype, bool transpose = false,
                       const Deadline& deadline = {});

/// Throws Error (exit 2) where kernels for so many vectors have no numbers of the input's type.
void check_vectors(const InputMatrix& input, int vectors);

/// The input that read_input makes of a matrix that is read. Throws Error (exit 2) as it does.
InputMatrix checked_input(InputMatrix input, const DtypeChoice& dtype, bool transpose);

/// The kernel of a design that a person asks for, text or name: it may be as large as memory holds.
/// Throws Error (exit 2) with the reason where it is rejected.
Kernel build_design(const InputMatrix& input, const std::string& design, const Operands& operands,
                    Target target = Target::gpu);

/// One line for standard error where "auto" found no GPU; else empty.
std::string device_note(const DeviceInfo& device);

/// One line for standard error where more than two threads of others want each core, and kernels
/// are timed on cores; else empty.
std::string load_note(const DeviceInfo& device, double others_per_core);

}  // namespace alphasparse
