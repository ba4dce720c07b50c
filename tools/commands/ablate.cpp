// ablate: a design with each of its compression passes removed.
#include <fmt/format.h>

#include <utility>

#include "base/result.h"
#include "operators/named_designs.h"
#include "runtime/device/roofline.h"
#include "tools/commands/commands.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/note.h"
#include "tools/console/print.h"
#include "tools/reports/measured.h"
#include "tools/reports/report.h"

namespace alphasparse {

void run_ablate(const AblateCommand& command) {
  const std::unique_ptr<Device> device = open_device(command.device);
  const InputMatrix input = read_input(command.matrix, command.dtype, command.transpose);
  note(device_note(device->info()));
  const std::atomic<bool>& stop = watch_interrupts();
  Result<std::vector<Ablated>> rows =
      ablate(input.matrix, *device, resolve_design(command.design, device->info().target),
             {input.dtype, command.vectors, command.regime, command.own_order}, stop);
  if (!rows) throw Error(fmt::format("design refused: {}", rows.reason()));
  device->set_deadline({{}, &stop});  // the trials' deadline may have passed
  const Result<double> empty_us = measure_empty(*device, command.regime);
  const AblateReport report{input,
                            device->info(),
                            csr_bytes(input.matrix, input.dtype),
                            std::move(*rows),
                            fingerprints(input.matrix),
                            known(empty_us)};
  print_report(command.json, command.json ? ablate_json(report) : ablate_text(report));
  if (report.rows.empty() || !report.rows.front().outcome.verified) {
    throw Error(ExitCode::nothing_verified,
                fmt::format("the design was not verified on {}; the reason stands above",
                            device->info().name));
  }
}

}  // namespace alphasparse
