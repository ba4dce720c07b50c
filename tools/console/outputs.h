// outputs: the files that a design leaves behind.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"
#include "tools/console/inputs.h"

namespace alphasparse {

struct OutputFiles {
  std::string source;         ///< FOLDER/NAME.cu; of a CPU's kernel NAME.cpu.cpp
  std::string header;         ///< FOLDER/NAME.h; NAME.cpu.h
  std::string format;         ///< FOLDER/NAME.safetensors; NAME.cpu.safetensors
  std::string kernels;        ///< FOLDER/NAME.kernel.cu; empty of a CPU's kernel
  std::string kernel_header;  ///< FOLDER/alphasparse_kernel.h, the same for every kernel
  std::string prefix = {};    ///< of the C functions, once they are written
};

/// Makes the folder where it is missing. Throws output_error() where it cannot be written into, so
/// that a search does not end without its result.
void prepare_folder(const std::string& folder);

/// Where write_outputs writes. Throws Error (exit 2) where a database or a folder stands there, or
/// where NAME.h would be the header that all kernels share.
OutputFiles output_files(const std::string& name, const std::string& folder,
                         Target target = Target::cuda);

/// Names the files by `name`, or by the matrix where it is empty; those of a transpose NAME_T.
void name_outputs(InputMatrix& input, const std::string& name);

/// Writes all files, each whole or not at all. `prints` are the matrix'. `prefix` is that of the C
/// functions; empty: that of the matrix' name. Throws output_error() (atomic_file.h).
OutputFiles write_outputs(const Kernel& kernel, const InputMatrix& input,
                          const Fingerprints& prints, const DeviceInfo& device,
                          const std::string& folder, const std::string& prefix);

}  // namespace alphasparse
