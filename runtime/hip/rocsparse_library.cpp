#include "runtime/hip/rocsparse_library.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "runtime/device/baseline_library.h"
#include "runtime/system/machine/toolkit_paths.h"

namespace alphasparse {
namespace {

/// The first function that the library lacks; null where it has all that every version has.
const char* load_api(const DynamicLibrary& library, RocsparseApi& api) {
  const char* lacking = nullptr;
  const auto load = [&](auto*& function, const char* symbol) {
    if (!library.load(function, symbol) && lacking == nullptr) lacking = symbol;
  };
  load(api.create, "rocsparse_create_handle");
  load(api.destroy, "rocsparse_destroy_handle");
  load(api.get_version, "rocsparse_get_version");
  load(api.set_stream, "rocsparse_set_stream");
  load(api.create_csr, "rocsparse_create_csr_descr");
  load(api.create_coo, "rocsparse_create_coo_descr");
  load(api.create_ell, "rocsparse_create_ell_descr");
  load(api.create_bsr, "rocsparse_create_bsr_descr");
  load(api.destroy_matrix, "rocsparse_destroy_spmat_descr");
  load(api.create_vector, "rocsparse_create_dnvec_descr");
  load(api.destroy_vector, "rocsparse_destroy_dnvec_descr");
  load(api.set_values, "rocsparse_dnvec_set_values");
  load(api.spmv_without_stages, "rocsparse_spmv");  // in any form
  return lacking;
}

/// The product's form is that of the version.
void load_product(const DynamicLibrary& library, int version, RocsparseApi& api) {
  const bool is_staged = version >= rocsparse_with_stages;
  library.load(api.spmv, is_staged ? "rocsparse_spmv" : "rocsparse_spmv_ex");
  if (is_staged) api.spmv_without_stages = nullptr;
}

void load_sell(const DynamicLibrary& library, RocsparseApi& api) {
  const bool is_whole = library.load(api.create_product, "rocsparse_create_spmv_descr") &&
                        library.load(api.destroy_product, "rocsparse_destroy_spmv_descr") &&
                        library.load(api.set_input, "rocsparse_spmv_set_input") &&
                        library.load(api.v2_buffer_size, "rocsparse_v2_spmv_buffer_size") &&
                        library.load(api.v2_spmv, "rocsparse_v2_spmv");
  if (is_whole) library.load(api.create_sell, "rocsparse_create_sell_descr");
}

/// Two of them know nothing of each other's streams and memory.
bool calls_other_hip(const DynamicLibrary& library, const GpuApi& driver) {
  int (*theirs)(unsigned) = nullptr;  // of the HIP that it is linked to
  const auto* const ours = driver.init.function.target<int (*)(unsigned)>();
  return library.load(theirs, "hipInit") && ours != nullptr && *ours != theirs;
}

}  // namespace

std::string Rocsparse::start(const GpuApi* driver) {
  if (const char* const lacking = load_api(library_, api_)) {
    return fmt::format("{} lacks {}, which ROCm 5.3 and later have", library_.name(), lacking);
  }
  if (driver == nullptr) return "";
  if (calls_other_hip(library_, *driver)) {
    return fmt::format(
        "{} calls another HIP than the driver's; name the rocSPARSE of the same ROCm "
        "in ALPHASPARSE_LIBROCSPARSE",
        library_.file());
  }
  const auto trouble = [&](const char* call, int status) {
    return fmt::format("{}: {}: {}", library_.file(), call, rocsparse_status_name(status));
  };
  RocsparseHandle handle = nullptr;
  if (const int status = api_.create(&handle); status != rocsparse_success)
    return trouble("rocsparse_create_handle", status);
  const int status = api_.get_version(handle, &version_number_);
  api_.destroy(handle);
  if (status != rocsparse_success) return trouble("rocsparse_get_version", status);
  load_product(library_, version_number_, api_);
  load_sell(library_, api_);
  return "";
}

Result<Rocsparse> Rocsparse::open(const GpuApi* driver) {
  const std::vector<std::string> names = rocm_paths(
      "ALPHASPARSE_LIBROCSPARSE", {"librocsparse.so.1", "librocsparse.so.0", "librocsparse.so"});
  std::string troubles;
  for (const std::string& name : names) {
    Result<DynamicLibrary> library = DynamicLibrary::open({&name, 1});
    if (!library && library.failure().status == Status::pruned) continue;
    std::string trouble = library ? "" : library.reason();
    if (library) {
      Rocsparse rocsparse(std::move(*library));
      trouble = rocsparse.start(driver);
      if (trouble.empty()) return rocsparse;
    }
    troubles += (troubles.empty() ? "" : "; ") + trouble;
  }
  if (!troubles.empty()) return Failure{Status::launch_error, troubles};
  return library_missing("rocSPARSE", fmt::format("looked for {}", fmt::join(names, ", ")));
}

const Result<Rocsparse>& Rocsparse::instance(const GpuApi& driver) {
  static const Result<Rocsparse> instance = open(&driver);
  return instance;
}

std::string Rocsparse::version() const {
  const int number = version_number_;
  return number == 0 ? ""
                     : fmt::format("{}.{}.{}", number / 100000, number / 100 % 1000, number % 100);
}

const char* rocsparse_status_name(int status) {
  static constexpr const char* names[] = {"success",
                                          "invalid_handle",
                                          "not_implemented",
                                          "invalid_pointer",
                                          "invalid_size",
                                          "memory_error",
                                          "internal_error",
                                          "invalid_value",
                                          "arch_mismatch",
                                          "zero_pivot",
                                          "not_initialized",
                                          "type_mismatch",
                                          "requires_sorted_storage",
                                          "thrown_exception",
                                          "continue"};
  return status >= 0 && status < static_cast<int>(std::size(names)) ? names[status]
                                                                    : "an unknown status";
}

}  // namespace alphasparse
