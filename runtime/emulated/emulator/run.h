// run: a launch, block by block, warp by warp, lane by lane.
#pragma once
#include "runtime/emulated/emulator/job.h"

namespace alphasparse::emulator {

/// Runs one launch of the case that the machine is set to: every block, or the job's sample.
void run_launch(const Job& job, const JobLaunch& launch);

}  // namespace alphasparse::emulator
