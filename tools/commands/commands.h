// commands: one function a subcommand. Each prints its results to standard output and returns. A
// fault that a person must mend is thrown as Error.
#pragma once
#include "tools/commands/options.h"

namespace alphasparse {

void run_tune(const TuneCommand& command);
void run_emit(const EmitCommand& command);
void run_run(const RunCommand& command);
void run_bench(const BenchCommand& command);
void run_ablate(const AblateCommand& command);
void run_inspect(const InspectCommand& command);
void run_generate(const GenerateCommand& command);
void run_show(const ShowCommand& command);
void run_simulate(const SimulateCommand& command);
void run_operators(const OperatorsCommand& command);
void run_designs(const DesignsCommand& command);
void run_devices(const DevicesCommand& command);
void run_db(const DbCommand& command);
void run_doctor(const DoctorCommand& command);
void run_cache(const CacheCommand& command);
void run_completion(const CompletionCommand& command);
void run_manual(const ManualCommand& command);

}  // namespace alphasparse
