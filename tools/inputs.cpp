#include "tools/inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "generator/result.h"
#include "runtime/cuda_device.h"
#include "runtime/matrix_market.h"

namespace alphasparse {

namespace {

void check_values_fit(const Matrix& matrix, const std::string& path) {
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      if (std::isfinite(static_cast<float>(matrix.value[nz]))) continue;
      throw Error(
          fmt::format("{}: the value {} of row {}, column {} is beyond float32; use --dtype f64",
                      path, matrix.value[nz], row + 1, matrix.col[nz] + 1));
    }
  }
}

}  // namespace

std::string matrix_stem(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  for (const char* extension : {".gz", ".mtx"}) {
    if (name.extension() == extension && name.stem() != name) name = name.stem();
  }
  return name.empty() ? "matrix" : name.string();
}

InputMatrix read_input(const std::string& path, Dtype dtype) {
  InputMatrix input{read_matrix_market(path), path, matrix_stem(path)};
  if (dtype == Dtype::f32) check_values_fit(input.matrix, path);
  return input;
}

std::string device_note(const std::string& asked, const DeviceInfo& device) {
  if (asked != "auto" || device.kind == TimeKind::measured) return "";
  return fmt::format(
      "alphasparse: no CUDA GPU here ({}): kernels run on {}, results are checked in full, times "
      "are "
      "modelled\n",
      list_cuda_devices().front().text, device.name);
}

}  // namespace alphasparse
