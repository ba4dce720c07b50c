#include "runtime/device/device.h"

namespace alphasparse {

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
