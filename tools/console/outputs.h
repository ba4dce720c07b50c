// outputs: the files that a design leaves behind.
#pragma once
#include <string>

#include "generator/kernel.h"
#include "tools/console/inputs.h"

namespace alphasparse {

struct OutputFiles {
  std::string cuda;    ///< FOLDER/NAME.cu
  std::string format;  ///< FOLDER/NAME.safetensors
};

/// Makes the folder where it is missing. Throws Error (exit 2) where it cannot be written into, so
/// that a search does not end without its result.
void prepare_folder(const std::string& folder);

/// Where write_outputs writes. Throws Error (exit 2) where a database or a folder stands there.
OutputFiles output_files(const std::string& name, const std::string& folder);

/// Writes both files, each whole or not at all. Throws Error (exit 2).
OutputFiles write_outputs(const Kernel& kernel, const InputMatrix& input, const DeviceInfo& device,
                          const std::string& folder);

}  // namespace alphasparse
