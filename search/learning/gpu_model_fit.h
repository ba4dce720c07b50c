// gpu_model_fit: the model's constants (runtime/emulated/model_constants.h) that make its times
// agree with measured ones, and how far such constants hold on matrices that they were not fitted
// to.
//
// Least squares of log(modelled / measured) over designs and matrices. Constants that no time
// depends on stay as assumed: moving one through its whole range costs as much as 1 % of error in
// every time, too little to bend a constant that times do depend on. The share of L1 changes the
// counts themselves, so that it is one of a few shares that were counted with; more misses at a
// faster L2 cost the same, so that few or noisy times hardly tell it from l2_efficiency.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/modelled_time.h"

namespace alphasparse {

/// A design on a matrix, with its time on a GPU and its counts by the emulator.
struct ComparedDesign {
  std::size_t matrix = 0;  ///< its index in Comparison::matrices
  std::string name;
  double measured_us = 0;  ///< > 0
  /// The launches' work: works[i] counted with Comparison::l1_shares[i].
  std::vector<std::vector<LaunchWork>> works;
  std::string design = {};  ///< its text; empty where only the name is known
};

/// What is compared.
struct Comparison {
  GpuModel gpu;
  std::vector<double> l1_shares;  ///< in (0, 1], the assumed one among them
  std::vector<std::string> matrices;
  std::vector<ComparedDesign> designs;
};

/// A constant that may be fitted and what it can be.
struct ConstantRange {
  const char* name;
  double ModelConstants::*member;
  double low, high;  ///< the assumed value lies in between
  bool by_factors;   ///< equal steps are equal factors
  const char* about;
};

/// All but l1_share, which is chosen from Comparison::l1_shares.
const std::vector<ConstantRange>& constant_ranges();

/// Modelled times of all designs in us. The constants' l1_share is one of Comparison::l1_shares.
std::vector<double> modelled_times_us(const Comparison& comparison,
                                      const ModelConstants& constants);

/// The constants of this share of L1 with the least `squares`, a mean squared error, and pulled to
/// the assumed ones as told above.
ModelConstants least_constants(const std::function<double(const ModelConstants&)>& squares,
                               double l1_share);

/// The constants with the least squares over all designs, or over all but those of one matrix.
/// There is at least one design left.
ModelConstants fit_constants(const Comparison& comparison,
                             std::optional<std::size_t> matrix_left_out = {});

/// Of each design the time that constants give which were fitted to the other matrices alone, in
/// us. At least two matrices have designs.
std::vector<double> held_out_times_us(const Comparison& comparison);

/// How many designs' times change by more than 1 % where one constant alone moves by a tenth of its
/// range (to any share counted with, if `range` is null): whether the data speak of it at all.
std::int64_t times_moved(const Comparison& comparison, const ModelConstants& constants,
                         const ConstantRange* range);

}  // namespace alphasparse
