#include "runtime/device/device.h"

#include "generator/arrays/stored_values.h"

namespace alphasparse {

std::vector<std::byte> make_values(const Array& array, std::span<const std::byte> integers) {
  std::vector<std::byte> bytes;
  bytes.reserve(array.value_source.size() * element_bytes(array.type));
  for_bytes_of_integers(array, integers, [&](std::span<const std::byte> part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  });
  return bytes;
}

void give_up_entries(Kernel& kernel, const LoadedKernel& loaded) {
  const StillRead still = loaded.still_reads();
  if (still == StillRead::all) return;
  for (Array& array : kernel.arrays) {
    if (array.is_value() && still == StillRead::values) continue;
    std::vector<std::byte>().swap(array.bytes);
    if (array.is_value() && still == StillRead::sources) continue;
    array.made_from = {};
    // The expected result depends on which values are rounded.
    if (!array.rounded) std::vector<std::int32_t>().swap(array.value_source);
  }
}

std::optional<Failure> written_for_another(const Kernel& kernel, Target target) {
  if (kernel.target == target) return std::nullopt;
  return Failure{Status::pruned, target == Target::cpu
                                     ? "its launch is a GPU's; a CPU takes launch tasks=bytes, and "
                                       "--device emulated this one"
                                     : "its launch is a CPU's; a GPU takes launch threads=128"};
}

const char* time_kind_name(TimeKind kind) {
  return kind == TimeKind::measured ? "measured" : "modelled";
}

const char* regime_name(CacheRegime regime) {
  return regime == CacheRegime::warm ? "warm" : "cold";
}

void add_note(Timing& timing, const std::string& text) {
  if (text.empty()) return;
  if (!timing.note.empty()) timing.note += "; ";
  timing.note += text;
}

Result<std::vector<double>> LoadedKernel::sample(int) {
  return Failure{Status::launch_error, "its times are modelled: there are no samples"};
}

}  // namespace alphasparse
