// run: a launch, block by block, warp by warp, lane by lane.
#pragma once
#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/report.h"

namespace alphasparse::emulator {

/// Runs one launch of the case that the machine is set to: every block, or the job's sample.
void run_launch(const Job& job, const JobLaunch& launch);

/// The counts of the launch that has run. Mode count only.
LaunchCounts counts_of_launch(const Job& job);

}  // namespace alphasparse::emulator
