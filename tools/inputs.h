// inputs: the matrix of a command, checked before any work begins.
#pragma once
#include <string>

#include "generator/matrix.h"
#include "runtime/device.h"

namespace alphasparse {

/// A matrix and what it is called: the stem of its file, "m" for "dir/m.mtx.gz".
struct InputMatrix {
  Matrix matrix;
  std::string path;
  std::string name;
};

std::string matrix_stem(const std::string& path);

/// Reads the file. Throws Error (exit 2), also where a value does not fit the dtype.
InputMatrix read_input(const std::string& path, Dtype dtype);

/// One line for standard error where "auto" found no GPU; else empty.
std::string device_note(const std::string& asked, const DeviceInfo& device);

}  // namespace alphasparse
