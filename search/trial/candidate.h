// candidate: a subject in progress: built, compared with those before it, tried. A part of trial.h.
#pragma once
#include <optional>
#include <string>

#include "search/trial/trial.h"

namespace alphasparse {

struct Trial::Candidate {
  Subject subject;
  Measurement outcome = {};
  std::optional<Kernel> kernel = {};  ///< where there is something to try
  std::string content = {};           ///< equal where two kernels do the same
  bool takes_any_values = false;
  std::optional<WholeSizes> whole = {};  ///< where the matrix is a sample of it
  bool is_begun = false;                 ///< its turn has come, and nothing spoke against it
  bool is_done = false;                  ///< nothing is left to try
  std::string error = {};                ///< of the environment, that it met; empty: none
  bool lacked_memory = false;            ///< it was a memory that the host did not give

  /// Whether the environment may have made its outcome, although nothing says so. A library
  /// that is missing is told by its algorithms.
  bool is_doubtful() const {
    const Status status = outcome.status;
    if (status == Status::crash) return true;
    return subject.design() && (status == Status::compile_error || status == Status::launch_error ||
                                status == Status::timeout);
  }
};

}  // namespace alphasparse
