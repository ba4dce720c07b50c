#include "runtime/device.h"

namespace alphasparse {

const char* time_kind_name(TimeKind kind) {
  return kind == TimeKind::measured ? "measured" : "modelled";
}

}  // namespace alphasparse
