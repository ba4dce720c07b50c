#include "tools/console/twin_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/nearest.h"
#include "base/result.h"
#include "runtime/system/machine/memory.h"

namespace alphasparse {

namespace {

constexpr double nnz_least = 1e3, nnz_most = 2e9;

double find_scale(const Twin& twin, double nnz_max) {
  return std::min(1.0, nnz_max / static_cast<double>(twin.nnz));
}

void check_memory(const Twin& twin, const SyntheticOptions& options) {
  constexpr double entry_bytes = 12, row_bytes = 12;
  const double bytes = static_cast<double>(options.rows) * (options.mean * entry_bytes + row_bytes);
  if (bytes <= static_cast<double>(available_memory_bytes())) return;
  throw Error(fmt::format(
      "twin:{}: it needs {:.3g} GB, more than the memory available; twin:{}:NNZ is smaller",
      twin.name, bytes / 1e9, twin.name));
}

}  // namespace

bool is_twin_input(std::string_view input) { return input.starts_with(twin_prefix); }

const Twin& twin_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Twin& twin : twins()) {
    if (twin.name == name) return twin;
    names.emplace_back(twin.name);
  }
  throw Error(unknown_name("twin", name, names));
}

TwinInput parse_twin_input(std::string_view input) {
  const std::string_view name_and_nnz = input.substr(twin_prefix.size());
  const std::size_t colon = name_and_nnz.find(':');
  const Twin& twin = twin_named(name_and_nnz.substr(0, colon));
  if (colon == std::string_view::npos) return {&twin, 0};
  const std::string_view text = name_and_nnz.substr(colon + 1);
  double nnz = 0;
  const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), nnz);
  const bool is_number = code == std::errc() && rest == text.data() + text.size();
  if (!is_number || !(nnz >= nnz_least && nnz <= nnz_most)) {
    throw Error(
        fmt::format("{}: behind the twin's name stand its non-zeros at most, {} to {}, not '{}'",
                    input, nnz_least, nnz_most, text));
  }
  return {&twin, nnz};
}

double default_twin_nnz(const DeviceInfo& device) {
  if (device.kind != TimeKind::measured || device.l2_bytes <= 0) return 12e6;
  return 1.05 * static_cast<double>(l2_multiple_least * device.l2_bytes) / sizeof(float);
}

double twin_nnz(const Twin& twin, double nnz_max) {
  return find_scale(twin, nnz_max) * static_cast<double>(twin.nnz);
}

Matrix make_twin(const Twin& twin, double nnz_max) {
  const SyntheticOptions options = twin_options(twin, find_scale(twin, nnz_max));
  check_memory(twin, options);
  Result<Matrix> matrix = synthetic_matrix(options);
  if (!matrix) throw Error(fmt::format("twin:{}: {}", twin.name, matrix.reason()));
  return std::move(*matrix);
}

InputMatrix read_or_make_input(const std::string& input, const DtypeChoice& dtype, bool transpose,
                               const DeviceInfo& device) {
  if (!is_twin_input(input)) return read_input(input, dtype, transpose);
  const auto [twin, nnz] = parse_twin_input(input);
  const double nnz_max = nnz > 0 ? nnz : default_twin_nnz(device);
  InputMatrix made{make_twin(*twin, nnz_max), input, fmt::format("{}{}", twin_prefix, twin->name)};
  return checked_input(std::move(made), dtype, transpose);
}

}  // namespace alphasparse
