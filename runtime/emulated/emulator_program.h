// emulator_program: finds alphasparse-emulator and runs a job with it.
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "runtime/emulated/emulator/job.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

/// The one that ALPHASPARSE_EMULATOR names, else the one beside the running program, else in
/// ../libexec/alphasparse of it, else of the build. Throws Error (exit 4) where none is there.
std::filesystem::path find_emulator();

/// The output of a job, without its last line. A kernel's fault or a time limit is a Failure; its
/// reason does not name the case: `failed_case` is its index, or -1.
struct JobEnd {
  Result<std::string> report;
  int failed_case = -1;
};

/// The run ends as a timeout after `seconds_max` of processor time, after four times that of
/// wall-clock time, or when the deadline has passed. Throws environment_error where no kernel is to
/// blame: an emulator that is killed, has no memory, cannot load the compiled kernel, or gets no
/// processor.
JobEnd run_job(const std::filesystem::path& emulator, const std::filesystem::path& job_file,
               const emulator::Job& job, double seconds_max, const Deadline& deadline);

}  // namespace alphasparse
