// public_designs: the designs that come nearest to the kernels of public measurements, and the GPU
// models of their GPUs.
#pragma once
#include <compare>
#include <optional>
#include <string>

#include "generator/arrays/matrix.h"
#include "runtime/emulated/gpu_models.h"

namespace alphasparse {

/// Where a public kernel is known to be compiled or launched otherwise than ours.
struct OtherKernel {
  int terms_in_flight = 0;   ///< whose loads are in flight together; 0: as ours
  bool values_wait = false;  ///< Launch::values_wait
  int launches = 0;          ///< at least
  int searches = 0;          ///< loads from L2, one after the other, before it knows its entries

  auto operator<=>(const OtherKernel&) const = default;
};

/// A design, and how the public kernel differs.
struct NearestDesign {
  std::string design;
  OtherKernel kernel;

  auto operator<=>(const NearestDesign&) const = default;
};

/// The design that a source's format is, on this matrix; nothing where none is near enough.
std::optional<NearestDesign> nearest_design(const std::string& source, const std::string& format,
                                            const Matrix& matrix);

/// Whether any matrix has one.
bool has_design(const std::string& source, const std::string& format);

/// The model whose name is among a GPU's words, or in two that follow each other, the longest such
/// name; null where there is none. "NVIDIA A100-SXM4-80GB" is an a100, "NVIDIA GeForce RTX 4090" an
/// rtx4090, "A100 40GB" an a100_40.
const GpuModel* model_called(const std::string& gpu);

/// Likewise of a GPU as a source calls it, which may say less than it knows.
const GpuModel* model_of_source(const std::string& source, const std::string& gpu);

}  // namespace alphasparse
