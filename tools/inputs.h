// inputs: the matrix and the device of a command, checked before any work begins.
#pragma once
#include <memory>
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

/// Opens the device; where "auto" found no GPU, says on standard error what that means unless
/// quiet.
std::unique_ptr<Device> open_input_device(const std::string& name, bool quiet);

}  // namespace alphasparse
