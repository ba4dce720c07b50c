// twin_inputs: twins in the place of files - "twin:NAME", a matrix with the statistics of a known
// one, or "twin:NAME:NNZ", the same in so many non-zeros at most.
//
// Example: twin:audikw_1 on a GPU with 50 MiB of L2 has about 41 million non-zeros: so many that
// their values alone, in floats, are beyond three times L2.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/device/device.h"
#include "tools/console/inputs.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

/// A format must exceed L2 this many times, so that L2 gives but little of it.
inline constexpr std::int64_t l2_multiple_least = 3;

inline constexpr std::string_view twin_prefix = "twin:";

bool is_twin_input(std::string_view input);

/// Throws Error (exit 2) that names all twins where there is none of the name.
const Twin& twin_named(std::string_view name);

struct TwinInput {
  const Twin* twin;
  double nnz_max;  ///< 0: as default_twin_nnz says
};

/// The parts of an input that is_twin_input. Throws Error (exit 2).
TwinInput parse_twin_input(std::string_view input);

/// The most non-zeros of a twin, by default. Their values alone, in floats, are beyond L2, with
/// some more because a made matrix has only about that number. Without a GPU 12 million.
double default_twin_nnz(const DeviceInfo& device);

/// How many non-zeros the twin has about, of so many at most.
double twin_nnz(const Twin& twin, double nnz_max);

/// Throws Error (exit 2) where memory does not hold it.
Matrix make_twin(const Twin& twin, double nnz_max);

/// read_input, or the twin in its place.
InputMatrix read_or_make_input(const std::string& input, const DtypeChoice& dtype, bool transpose,
                               const DeviceInfo& device);

}  // namespace alphasparse
