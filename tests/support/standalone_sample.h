// standalone_sample: standalone files of small kernels, compiled and run.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "tests/support/files.h"

namespace alphasparse {

/// 2 rows, 3 columns, 3 non-zeros.
Matrix small();

/// Writes a.safetensors into the folder and gives the text of a.cu.
std::string write_sample(const TestFolder& folder, const Matrix& matrix, const Kernel& kernel);
std::string sample(const TestFolder& folder, const Matrix& matrix, Dtype dtype);

/// The outcome of g++ for `text` as a.cpp in the folder; the program is a. A kernel has its three
/// parameters whether it uses them or not.
CommandOutcome compile(const TestFolder& folder, const std::string& text,
                       const std::string& options);

/// The source of a program that calls a kernel, of tests/standalone.
std::string driver(const std::string& name);

CommandOutcome run_sample(const TestFolder& folder, const std::string& arguments);

}  // namespace alphasparse
