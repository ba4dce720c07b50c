#include "tools/console/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "runtime/matrices/containers/companions.h"
#include "runtime/matrices/matrix_file.h"
#include "runtime/system/machine/memory.h"
#include "tools/console/note.h"

namespace alphasparse {

void require_fitting_values(const Matrix& matrix, const std::string& path, Dtype dtype) {
  const NumberType& type = number_type(dtype);
  if (matrix.is_complex() && !type.is_complex())
    throw Error(
        fmt::format("{}: its values are complex, and {} is a real type; use --dtype c64 or "
                    "c128",
                    path, type.name));
  if (type.is_widest()) return;
  const auto check = [&](const std::vector<double>& parts, std::int32_t row, std::int32_t nz) {
    if (std::isfinite(static_cast<float>(parts[nz]))) return;
    throw Error(fmt::format("{}: the value {} of row {}, column {} is beyond {}; use --dtype {}",
                            path, parts[nz], row + 1, matrix.col[nz] + 1, type.other_names[0],
                            dtype_name(type.wider)));
  };
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      check(matrix.value, row, nz);
      if (matrix.is_complex()) check(matrix.imag, row, nz);
    }
  }
}

std::string Underflow::text() const {
  if (zeros + denormals == 0) return "";
  return fmt::format("{} values are too small for {}: {} become 0, {} denormal; use --dtype {}",
                     zeros + denormals, number_type(dtype).other_names[0], zeros, denormals,
                     dtype_name(number_type(dtype).wider));
}

Underflow count_underflow(const Matrix& matrix, Dtype dtype) {
  Underflow underflow;
  underflow.dtype = dtype;
  if (number_type(dtype).is_widest()) return underflow;
  for (const std::vector<double>* const parts : {&matrix.value, &matrix.imag}) {
    for (const double value : *parts) {
      const float nearest = std::abs(static_cast<float>(value));
      if (value == 0 || nearest >= std::numeric_limits<float>::min()) continue;
      ++(nearest == 0 ? underflow.zeros : underflow.denormals);
    }
  }
  return underflow;
}

namespace {

namespace fs = std::filesystem;

/// The content of a folder: its matrices, without their companions, and other folders. Throws where
/// it cannot be read.
struct Folder {
  std::vector<std::string> files;
  std::vector<std::string> folders;

  explicit Folder(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      std::error_code unknown;
      const std::string path = entry->path().string();
      const fs::file_status target = entry->status(unknown);
      if (is_hidden(entry->path().filename().string())) continue;
      if (fs::is_directory(entry->symlink_status(unknown)))
        folders.push_back(path);
      else if (has_matrix_ending(path) && fs::exists(target) && !fs::is_regular_file(target))
        note(fmt::format("alphasparse: {} is no file and is left out\n", printable(path)));
      else if (has_matrix_ending(path))
        files.push_back(path);
    }
    if (error) throw Error(fmt::format("{}: cannot be read: {}", folder, error.message()));
    leave_out_companions(folder);
  }

 private:
  void leave_out_companions(const std::string& folder) {
    std::sort(files.begin(), files.end());
    const std::vector<std::string> companions = find_companions(files);
    if (companions.empty()) return;
    std::vector<std::string> names;
    for (const std::string& path : companions) names.push_back(fs::path(path).filename().string());
    note(fmt::format("alphasparse: {}: {}\n", printable(folder), left_out_text(names)));
    std::erase_if(files, [&](const std::string& path) {
      return std::find(companions.begin(), companions.end(), path) != companions.end();
    });
  }
};

void add_below(const Folder& folder, std::vector<std::string>& files) {
  files.insert(files.end(), folder.files.begin(), folder.files.end());
  for (const std::string& inner : folder.folders) {
    try {
      add_below(Folder(inner), files);
    } catch (const Error&) {
      files.push_back(inner);
    }
  }
}

std::vector<std::string> sorted_files(const std::string& path, bool below) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  const Folder folder(path);
  std::vector<std::string> files;
  if (below)
    add_below(folder, files);
  else
    files = folder.files;
  if (files.empty())
    throw Error(fmt::format("{}: no matrix is in it: no {}", path, matrix_endings()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> matrix_files(const std::string& path) { return sorted_files(path, false); }

std::vector<std::string> matrix_files_below(const std::string& path) {
  return sorted_files(path, true);
}

InputMatrix read_input(const std::string& path, const DtypeChoice& dtype, bool transpose,
                       const Deadline& deadline) {
  const auto report = [](const std::string& line) { note("alphasparse: " + line + "\n"); };
  return checked_input({read_matrix(path, deadline, report), path, matrix_stem(path)}, dtype,
                       transpose);
}

void check_vectors(const InputMatrix& input, int vectors) {
  if (number_type(input.dtype).is_complex() && vectors > 1)
    throw Error(
        fmt::format("{}: kernels for several vectors have real numbers, not {}; leave out "
                    "--vectors",
                    input.path, dtype_name(input.dtype)));
}

InputMatrix checked_input(InputMatrix input, const DtypeChoice& requested, bool transpose) {
  const Dtype dtype = input.dtype = requested.of(input.matrix);
  require_fitting_values(input.matrix, input.path, dtype);
  input.underflow = count_underflow(input.matrix, dtype);
  if (!transpose || find_mirror(input.matrix) == Mirror::same) return input;
  input.matrix = transposed(input.matrix);
  input.name += "_T";
  input.transposed = true;
  return input;
}

Kernel build_design(const InputMatrix& input, const std::string& design, const Operands& operands,
                    Target target) {
  BuildLimits limits;
  limits.csr_bytes_ratio_max = static_cast<double>(available_memory_bytes()) / 4 /
                               static_cast<double>(csr_bytes(input.matrix, operands.dtype));
  Result<Kernel> kernel =
      Designer(input.matrix).build(resolve_design(design, target), operands, limits);
  if (!kernel) throw Error(fmt::format("design refused: {}", kernel.reason()));
  return std::move(*kernel);
}

std::string device_note(const DeviceInfo& device) {
  if (!device.fit.empty())
    return fmt::format("alphasparse: the modelled times of {} are {}\n", device.name,
                       device.fit == "unfitted"
                           ? "unfitted: no time of such a GPU was held against them"
                           : device.fit);
  if (device.no_gpu_reason.empty()) return "";
  return fmt::format("alphasparse: no GPU is used ({}): kernels run on {}, {}\n",
                     device.no_gpu_reason, device.name,
                     device.kind == TimeKind::measured
                         ? "this CPU; --device emulated models a GPU"
                         : "results are checked in full, times are modelled");
}

std::string load_note(const DeviceInfo& device, double others_per_core) {
  if (device.target != Target::cpu || others_per_core <= 2) return "";
  return fmt::format(
      "alphasparse: {:.1f} threads of other programs want each core: times will be "
      "noisy, and a search tries fewer designs\n",
      others_per_core);
}

}  // namespace alphasparse
