#include "runtime/cuda/cusparse_library.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "runtime/device/baseline_library.h"
#include "runtime/system/machine/toolkit_paths.h"

namespace alphasparse {
namespace {

using CusparseVersion = std::array<int, 3>;

std::vector<std::string> cusparse_paths() {
  return toolkit_paths("ALPHASPARSE_LIBCUSPARSE",
                       {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"});
}

/// Zeros where the library does not say.
CusparseVersion read_version(const CusparseApi& api) {
  CusparseVersion version{};
  for (const int part : {cusparse_major, cusparse_minor, cusparse_patch}) {
    if (api.get_property == nullptr || api.get_property(part, &version[part]) != cusparse_success)
      return {};
  }
  return version;
}

/// False where the library lacks one of them.
bool load_api(const DynamicLibrary& library, CusparseApi& api) {
  library.load(api.create_bsr, "cusparseCreateBsr");
  library.load(api.get_property, "cusparseGetProperty");
  library.load(api.preprocess, "cusparseSpMV_preprocess");
  return library.load(api.error_string, "cusparseGetErrorString") &&
         library.load(api.create, "cusparseCreate") &&
         library.load(api.destroy, "cusparseDestroy") &&
         library.load(api.set_stream, "cusparseSetStream") &&
         library.load(api.create_csr, "cusparseCreateCsr") &&
         library.load(api.create_coo, "cusparseCreateCoo") &&
         library.load(api.create_sell, "cusparseCreateSlicedEll") &&
         library.load(api.destroy_matrix, "cusparseDestroySpMat") &&
         library.load(api.create_vector, "cusparseCreateDnVec") &&
         library.load(api.destroy_vector, "cusparseDestroyDnVec") &&
         library.load(api.set_values, "cusparseDnVecSetValues") &&
         library.load(api.create_dense, "cusparseCreateDnMat") &&
         library.load(api.destroy_dense, "cusparseDestroyDnMat") &&
         library.load(api.many_buffer_size, "cusparseSpMM_bufferSize") &&
         library.load(api.preprocess_many, "cusparseSpMM_preprocess") &&
         library.load(api.spmm, "cusparseSpMM") &&
         library.load(api.buffer_size, "cusparseSpMV_bufferSize") &&
         library.load(api.spmv, "cusparseSpMV");
}

/// NVIDIA calls the interface of SpMVOp experimental: before 12.8.1 it is another one, and after
/// 12.9 it may be.
bool load_operation(const DynamicLibrary& library, CusparseApi& api) {
  const CusparseVersion version = read_version(api);
  return version >= CusparseVersion{12, 8, 1} && version < CusparseVersion{12, 10, 0} &&
         library.load(api.operation_buffer_size, "cusparseSpMVOp_bufferSize") &&
         library.load(api.create_operation, "cusparseSpMVOp_createDescr") &&
         library.load(api.destroy_operation, "cusparseSpMVOp_destroyDescr") &&
         library.load(api.create_plan, "cusparseSpMVOp_createPlan") &&
         library.load(api.destroy_plan, "cusparseSpMVOp_destroyPlan") &&
         library.load(api.run_plan, "cusparseSpMVOp");
}

/// Why it does not work; empty where it does. Only with a context does the driver tell.
std::string probe(const DynamicLibrary& library, CusparseApi& api, bool has_context) {
  if (!load_api(library, api)) return library.name() + " lacks functions of CUDA 12.1 or later";
  if (!load_operation(library, api)) api.run_plan = nullptr;
  if (!has_context) return "";
  CusparseHandle handle = nullptr;
  const int code = api.create(&handle);
  if (code != cusparse_success) {
    return fmt::format("{}: cusparseCreate: {}", library.file(), api.error_string(code));
  }
  api.destroy(handle);
  return "";
}

}  // namespace

Result<Cusparse> Cusparse::open(bool has_context) {
  const std::vector<std::string> names = cusparse_paths();
  std::string troubles;
  for (const std::string& name : names) {
    Result<DynamicLibrary> library = DynamicLibrary::open({&name, 1});
    if (!library && library.failure().status == Status::pruned) continue;
    CusparseApi api;
    const std::string trouble = library ? probe(*library, api, has_context) : library.reason();
    if (trouble.empty()) return Cusparse(std::move(*library), api);
    troubles += (troubles.empty() ? "" : "; ") + trouble;
  }
  if (!troubles.empty()) return Failure{Status::launch_error, troubles};
  return library_missing("cuSPARSE", fmt::format("looked for {}", fmt::join(names, ", ")));
}

const Result<Cusparse>& Cusparse::instance() {
  static const Result<Cusparse> instance = open(true);
  return instance;
}

std::string Cusparse::version() const {
  const CusparseVersion version = read_version(api_);
  return version[0] == 0 ? "" : fmt::format("{}", fmt::join(version, "."));
}

}  // namespace alphasparse
