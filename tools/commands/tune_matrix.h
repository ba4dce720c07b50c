// tune_matrix: one matrix from its file to the fastest verified design, its files and its rows in
// the database; `tune` does so for one, or for each of many.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "search/trial/trial_loop.h"
#include "search/trial/tune_options.h"
#include "tools/commands/options.h"

namespace alphasparse {

/// A search that was broken off before anything was verified: no fault of the matrix.
class Interrupted : public Error {
 public:
  using Error::Error;
};

struct TunedMatrix {
  std::string report;           ///< as text or, where the command says so, as JSON
  std::string note;             ///< how the answer came about, as a line; empty: as usual
  std::optional<Error> broken;  ///< the error that ended the search before its time
};

/// The options of a command for each matrix, before its name is known.
TuneOptions make_options(const TuneCommand& command);

/// One matrix of many.
struct OfMany {
  std::optional<double> seconds_enough;  ///< as in TuneOptions
};

/// Tunes `matrix`, on the one device of the command, for the seconds of its effort, or until an
/// interrupt. Throws the error that keeps it from an answer. The device is checked first, except
/// for one of many: their call has checked it once for all.
TunedMatrix tune_matrix(const TuneCommand& command, const std::string& matrix,
                        const std::optional<OfMany>& of_many,
                        const std::function<void(const Progress&, TimeKind)>& show);

/// Many matrices, each in a process of its own.
void run_tune_many(const TuneCommand& command);

}  // namespace alphasparse
