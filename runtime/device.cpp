#include "runtime/device.h"

namespace alphasparse {

const char* time_kind_name(TimeKind kind) {
  return kind == TimeKind::measured ? "measured" : "modelled";
}

const char* regime_name(CacheRegime regime) {
  return regime == CacheRegime::warm ? "warm" : "cold";
}

}  // namespace alphasparse
