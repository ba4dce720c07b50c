// command_line: all commands with their options, as CLI11 reads them.
#pragma once
#include <CLI/CLI.hpp>

#include "tools/commands/options.h"

namespace alphasparse {

struct CommandLine {
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// The command that parsing has filled in.
  Command chosen() const;

  CLI::App app;
  TuneCommand tune;
  EmitCommand emit;
  RunCommand run;
  BenchCommand bench;
  AblateCommand ablate;
  InspectCommand inspect;
  GenerateCommand generate;
  ShowCommand show;
  SimulateCommand simulate;
  OperatorsCommand operators;
  DesignsCommand designs;
  DevicesCommand devices;
  DbCommand db;
  DoctorCommand doctor;
  CacheCommand cache;
  CompletionCommand completion;
  ManualCommand manual;
};

}  // namespace alphasparse
