#include "runtime/gpu/state.h"

#include <fmt/format.h>

namespace alphasparse {

namespace {

struct Reason {
  unsigned long long bit;
  const char* text;
};

// nvmlClocksEventReason*, ThrottleReason before R535: idle (1), clocks set (2, 0x100) and sync
// boost (0x10) are left out.
constexpr Reason reported_reasons[] = {
    {0x04, "power cap"},       {0x08, "hardware slowdown"}, {0x20, "heat"},
    {0x40, "heat (hardware)"}, {0x80, "power brake"},
};

}  // namespace

std::string slowed_text(unsigned long long reasons, bool shared) {
  std::string text = shared ? "another process on the GPU" : "";
  for (const Reason& reason : reported_reasons) {
    if ((reasons & reason.bit) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", reason.text);
  }
  return text;
}

}  // namespace alphasparse
