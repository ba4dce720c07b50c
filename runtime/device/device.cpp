#include "runtime/device/device.h"

#include <cstring>

namespace alphasparse {

namespace {

template <class T>
std::vector<std::byte> permuted(std::span<const std::byte> integers,
                                const std::vector<std::int32_t>& source) {
  std::vector<std::byte> bytes(source.size() * sizeof(T));
  std::byte* to = bytes.data();
  for (const std::int32_t from : source) {
    const T number = from < 0 ? T(0) : static_cast<T>(std::to_integer<int>(integers[from]));
    std::memcpy(to, &number, sizeof number);
    to += sizeof number;
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> values_of(const Array& array, std::span<const std::byte> integers) {
  return array.type == ElementType::f32 ? permuted<float>(integers, array.value_source)
                                        : permuted<double>(integers, array.value_source);
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
