#include "runtime/gpu/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace alphasparse {
namespace {

/// The meaning of a code here; codes that are not in the table are launch errors.
struct Meaning {
  int code;
  Status status;
  bool context_lost;
};

constexpr Meaning meanings[] = {
    {gpu_error_out_of_memory, Status::out_of_memory, false},
    {gpu_error_stub_library, Status::launch_error, false},
    {gpu_error_device_unavailable, Status::launch_error, false},
    {gpu_error_invalid_image, Status::launch_error, false},
    {gpu_error_no_binary_for_gpu, Status::launch_error, false},
    {gpu_error_unsupported_ptx_version, Status::launch_error, false},
    {gpu_error_system_not_ready, Status::launch_error, false},
    {gpu_error_system_driver_mismatch, Status::launch_error, false},
    {gpu_error_ecc_uncorrectable, Status::crash, true},
    {gpu_error_contained, Status::crash, true},
    {gpu_error_illegal_address, Status::crash, true},
    {gpu_error_launch_timeout, Status::timeout, true},
    {gpu_error_context_is_destroyed, Status::crash, true},
    {gpu_error_assert, Status::crash, true},
    {gpu_error_hardware_stack_error, Status::crash, true},
    {gpu_error_illegal_instruction, Status::crash, true},
    {gpu_error_misaligned_address, Status::crash, true},
    {gpu_error_invalid_address_space, Status::crash, true},
    {gpu_error_invalid_pc, Status::crash, true},
    {gpu_error_launch_failed, Status::crash, true},
    {gpu_error_tensor_memory_leak, Status::crash, true},
    {gpu_error_mps_client_terminated, Status::crash, true},
    {gpu_error_unknown, Status::crash, true},
};

/// Of a code in the table; else null.
const Meaning* find_meaning(int code) {
  const auto* const found = std::find_if(std::begin(meanings), std::end(meanings),
                                         [&](const Meaning& one) { return one.code == code; });
  return found == std::end(meanings) ? nullptr : found;
}

}  // namespace

bool context_is_lost(int code) {
  const Meaning* const known = find_meaning(code);
  return known != nullptr && known->context_lost;
}

bool may_be_sticky(int code) {
  return code != gpu_error_invalid_value && find_meaning(code) == nullptr;
}

bool may_be_here(const GpuDriverKind& kind) {
  return std::getenv(kind.variable) != nullptr ||
         std::any_of(kind.nodes.begin(), kind.nodes.end(),
                     [](const char* node) { return access(node, F_OK) == 0; });
}

std::vector<std::string> driver_libraries(const char* variable, std::vector<std::string> names) {
  const char* const path = std::getenv(variable);
  return path != nullptr && *path != '\0' ? std::vector<std::string>{path} : std::move(names);
}

Result<GpuDriver> GpuDriver::open(const GpuDriverKind& kind,
                                  const std::vector<std::string>& libraries, LoadApi load_api) {
  Result<DynamicLibrary> library = DynamicLibrary::open(libraries);
  if (!library) {
    return Failure{Status::launch_error,
                   fmt::format("no {} driver: {}; {}", kind.name, library.reason(), kind.hint)};
  }
  GpuApi api;
  if (const char* const missing = load_api(*library, api)) {
    return Failure{Status::launch_error,
                   fmt::format("{} lacks {}: {}", library->name(), missing, kind.too_old)};
  }
  GpuDriver driver(std::move(*library), std::move(api), kind);
  const auto explained = [&](std::string reason) {
    const std::string cause = kind.no_gpu_reason ? kind.no_gpu_reason() : "";
    return Failure{Status::launch_error, cause.empty() ? reason : reason + "; " + cause};
  };
  const auto start = [&](const auto& call, const std::string& doing,
                         auto... parameters) -> std::optional<Failure> {
    const int code = call(parameters...);
    if (code == gpu_success) return std::nullopt;
    return explained(driver.failure(code, call.name, doing).reason);
  };
  if (auto failure = start(driver.api_.init, fmt::format("starting the {} driver", kind.name), 0u))
    return *failure;
  if (auto failure = start(driver.api_.device_count, "counting the GPUs", &driver.device_count_))
    return *failure;
  if (driver.device_count_ < 1)
    return explained(fmt::format("the {} driver sees no GPU", kind.name));
  return driver;
}

std::string GpuDriver::version() const {
  int version = 0;
  if (api_.driver_version(&version) != gpu_success) return "unknown";
  return fmt::format("{}.{}", version / kind_->major_unit,
                     version % kind_->major_unit / kind_->minor_unit);
}

int GpuDriver::major() const {
  int version = 0;
  return api_.driver_version(&version) == gpu_success ? version / kind_->major_unit : 0;
}

std::string GpuDriver::device_name(int ordinal) const {
  return fmt::format("{}:{}", kind_->device, ordinal);
}

Failure GpuDriver::failure(int code, const char* call, const std::string& doing) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api_.error_name(code, &name) != gpu_success || name == nullptr) name = "unknown code";
  if (api_.error_string(code, &text) != gpu_success || text == nullptr) text = "no explanation";
  const Meaning* const known = find_meaning(code);
  std::string reason = fmt::format("{}: {} ({} {}, {})", doing, text, call, name, code);
  for (const GpuAdvice& advice : kind_->advice)
    if (advice.code == code) reason += fmt::format("; {}", advice.text);
  if (context_is_lost(code))
    reason += fmt::format("; this process has lost its {} context", kind_->name);
  return {known ? known->status : Status::launch_error, reason};
}

}  // namespace alphasparse
