#include "generator/text/host_parts.h"

namespace alphasparse {

HostParts host_parts(Target target) {
  HostParts parts;
  parts.interface = {"host/alphasparse_kernel.h", "host/any_handle.h"};
  parts.declarations = {"host/facts.h", "host/message.h"};
  parts.loading = {"host/safetensors.h",   "host/status.h", "host/digest.h", "host/format_reader.h",
                   "host/loaded_format.h", "host/mirror.h", "host/loader.h", "host/values.h"};
  const auto add = [](HostParts::Paths& list, const HostParts::Paths& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  if (target == Target::cpu) {
    add(parts.declarations, {"host/memory_format.h"});
    add(parts.loading, {"host/forked.h", "host/arrays_in_memory.h"});
    parts.kernel = {"lanes/team.h", "host/calls.h", "host/handle.h"};
    parts.functions = {"host/interface.h"};
    parts.report = {"host/vectors.h", "host/product.h", "host/check.h", "host/samples.h",
                    "host/report.h"};
  } else {
    add(parts.declarations, {"host/device_format.cuh"});
    add(parts.loading, {"host/cuda_error.cuh", "host/arrays_on_device.cuh"});
    parts.place_values = {"host/place_values.cuh"};
    parts.kernel = {"host/calls.h", "host/handle.cuh"};
    parts.functions = {"host/interface.cuh"};
    parts.report = {"host/vectors.h", "host/product.cuh", "host/check.h",
                    "host/samples.h", "host/timing.cuh",  "host/report.cuh"};
  }
  return parts;
}

}  // namespace alphasparse
