// toolkit_paths: the paths where a library of the CUDA toolkit or of ROCm, or one that pip
// installs, may lie.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

/// The paths of `files`, in the order in which they are tried: those that `variable` names between
/// colons and no others, where it is set. Else first come their names alone, as
/// the loader searches. Then come CUDA_HOME, CUDA_PATH and CONDA_PREFIX, each with lib64 and lib,
/// /usr/local/cuda, and the toolkit beside the nvcc of PATH. Last come the packages nvidia/*/lib
/// that pip installed for the python3 of PATH, and the folder of this program. The folders that no
/// nvcc and no python3 names do not have to exist.
///
/// Example: {"libnvrtc.so.13"} of ALPHASPARSE_LIBNVRTC gives "libnvrtc.so.13",
/// "/usr/local/cuda/lib64/libnvrtc.so.13", ...
std::vector<std::string> toolkit_paths(const char* variable, const std::vector<std::string>& files);

/// The same of a library of ROCm: after the names alone come ROCM_PATH and HIP_PATH, each with lib,
/// and /opt/rocm/lib.
std::vector<std::string> rocm_paths(const char* variable, const std::vector<std::string>& files);

/// `files` by their names alone, then those that exist in the lib/ of the python3 of PATH, which is
/// that of an active virtual environment: pip installs Intel's MKL there.
std::vector<std::string> python_library_paths(const std::vector<std::string>& files);

}  // namespace alphasparse
