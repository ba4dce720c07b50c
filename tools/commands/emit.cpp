// emit: builds, verifies and writes one design, without a search.
#include <fmt/format.h>

#include "base/result.h"
#include "runtime/device/columns.h"
#include "runtime/device/verify.h"
#include "tools/commands/commands.h"
#include "tools/console/equal_prefixes.h"
#include "tools/console/inputs.h"
#include "tools/console/note.h"
#include "tools/console/outputs.h"
#include "tools/console/print.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

/// Verifies it on the device, or throws; gives its time.
Result<Timing> verify_and_time(const Kernel& kernel, Device& device, const Matrix& matrix) {
  const auto reject = [](const Failure& failure) {
    throw Error(ExitCode::nothing_verified,
                fmt::format("the kernel did not pass, nothing is written: {} ({})", failure.reason,
                            status_name(failure.status)));
  };
  Result<std::unique_ptr<LoadedKernel>> loaded = device.load(kernel);
  if (!loaded) reject(loaded.failure());
  const auto verified = verify(kernel, **loaded, matrix);
  if (!verified) reject(verified.failure());
  return (*loaded)->time(with_columns(kernel, rounded_case(kernel, 1)), CacheRegime::warm);
}

}  // namespace

void run_emit(const EmitCommand& command) {
  const std::unique_ptr<Device> device = open_device(command.device);
  InputMatrix input = read_input(command.matrix, command.dtype, command.transpose);
  check_vectors(input, command.vectors);
  name_outputs(input, command.name);
  prepare_folder(command.folder);
  const Kernel kernel =
      build_design(input, command.design, {input.dtype, command.vectors, device->info().dialect},
                   device->info().target);
  if (command.nonfinite_exact && kernel.nonfinite() != NonFinite::exact) {
    throw Error(fmt::format("design {}: {}; name another one, or leave --nonfinite exact out",
                            kernel.design, nonfinite_doc(kernel.nonfinite())));
  }
  if (kernel.own_order && !command.own_order) {
    throw Error(
        fmt::format("design {}: its x and y have an order of their own; name another one, "
                    "or add --vectors-order own",
                    kernel.design));
  }
  note(device_note(device->info()));
  if (kernel.value_error > 0) {
    note(fmt::format("alphasparse: values are rounded to float, largest relative error {:.2g}\n",
                     kernel.value_error));
  }
  const Result<Timing> timing = verify_and_time(kernel, *device, input.matrix);
  const Fingerprints prints = fingerprints(input.matrix);
  const OutputFiles files = write_outputs(kernel, input, prints, device->info(),
                                          {command.folder, command.prefix, command.shared_runtime});
  note(equal_prefixes_text({files.header}));
  const EmitReport report{input, kernel, device->info(), timing, prints, files};
  print_report(command.json, command.json ? emit_json(report) : emit_text(report));
}

}  // namespace alphasparse
