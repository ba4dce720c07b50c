// outputs: the files that a design leaves behind.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"
#include "tools/console/inputs.h"

namespace alphasparse {

struct OutputFiles {
  std::string source;         ///< FOLDER/NAME.cu, NAME.hip; of a CPU's kernel NAME.cpu.cpp
  std::string header;         ///< FOLDER/NAME.h; NAME.cpu.h
  std::string format;         ///< FOLDER/NAME.safetensors; NAME.cpu.safetensors
  std::string kernels;        ///< FOLDER/NAME.kernel.cu; of CUDA's alone
  std::string kernel_header;  ///< FOLDER/alphasparse_kernel.h, the same for every kernel
  std::string prefix = {};    ///< of the C functions, once they are written
  std::string runtime = {};   ///< FOLDER/alphasparse_runtime.h; empty of a standalone source
};

/// The options of commands that write files.
struct OutputChoice {
  std::string folder;
  std::string prefix = {};      ///< of the C functions; empty: that of the matrix' name
  bool shared_runtime = false;  ///< the source includes alphasparse_runtime.h
};

/// Makes the folder where it is missing. Throws output_error() where it cannot be written into, so
/// that a search does not end without its result.
void prepare_folder(const std::string& folder);

/// Where write_outputs writes. Throws Error (exit 2) where a folder or no file of ours stands
/// there, where NAME.h would be a header that all kernels share, where it would be a file of
/// another kernel too, as that of NAME.cu and of NAME.hip, or where other kernels of the folder
/// need another version of the shared header.
OutputFiles output_files(const std::string& name, const OutputChoice& choice,
                         Target target = Target::gpu, Dialect dialect = Dialect::cuda);

/// Throws Error (exit 2) where an output is the very file that the matrix is read from: the matrix
/// would be lost.
void reject_own_input(const std::string& output, const std::string& matrix);

/// Names the files by `name`, or by the matrix where it is empty; those of a transpose NAME_T.
void name_outputs(InputMatrix& input, const std::string& name);

/// Writes all files, each whole or not at all. `prints` are the matrix'. Throws output_error()
/// (atomic_file.h).
OutputFiles write_outputs(const Kernel& kernel, const InputMatrix& input,
                          const Fingerprints& prints, const DeviceInfo& device,
                          const OutputChoice& choice);

}  // namespace alphasparse
