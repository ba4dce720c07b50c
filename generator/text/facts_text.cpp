#include "generator/text/facts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/wrapped.h"
#include "generator/arrays/operands.h"
#include "generator/text/emitted_file.h"
#include "generator/text/host_text.h"
#include "generator/text/provenance.h"

namespace alphasparse {

namespace {

/// The members of ArrayFacts for value arrays alone, as far as they are not the defaults.
const char* value_flags(const Array& array) {
  if (array.rounded) return ", false, true";
  return array.is_dictionary() ? ", true" : "";
}

/// A row of a table, and its comment.
DocumentedLine make_row(const std::string& row, const std::string& description) {
  return {fmt::format("{{{}}},", row), "// " + comment_text(description)};
}

std::string array_table(const Kernel& kernel) {
  std::vector<DocumentedLine> rows;
  for (const Array& array : kernel.arrays) {
    rows.push_back(
        make_row(fmt::format("{}, \"{}\", {}{}", write_literal(array.name),
                             element_tensor_name(array.type), array.count, value_flags(array)),
                 array.doc));
  }
  return "/// The format file's arrays: name, type, entries.\n"
         "constexpr ArrayFacts arrays[] = {\n" +
         documented(2, rows) + "};\n\n";
}

std::string workspace_table(const Kernel& kernel) {
  std::vector<DocumentedLine> rows;
  for (const Workspace& scratch : kernel.workspaces)
    rows.push_back(make_row(fmt::format("{}, {}", scratch.bytes(), scratch.pointer),
                            scratch.name + ": " + scratch.doc));
  return "constexpr WorkspaceFacts workspaces[] = {\n    // bytes, place among the pointers\n" +
         documented(2, rows) + "};\n\n";
}

/// The members of the facts behind the arrays, up to the last that is there.
std::string later_facts(const Kernel& kernel) {
  if (kernel.workspaces.empty()) return "";
  return fmt::format(", workspaces, {}, {}", kernel.workspaces.size(), workspace_bytes(kernel));
}

}  // namespace

std::int64_t row_alignment(const Kernel& kernel) {
  constexpr std::int64_t widest_load = 16;
  return std::min(widest_load, std::int64_t{number_type(kernel.dtype).bytes} * kernel.pass_columns);
}

const char* stored_c_name(const Kernel& kernel) {
  const NumberType& type = number_type(kernel.dtype);
  return kernel.value_parts() < type.parts ? type.real_name() : type.c_name;
}

std::vector<Replacement> number_names(const Kernel& kernel) {
  const NumberType& type = number_type(kernel.dtype);
  if (!type.is_complex())
    return {{"MatrixValue", "Value"}, {"ValuePart", "Value"}, {"CValue", "Value"}};
  return {{"MatrixValue", kernel.value_parts() == 1 ? "Real" : "Value"},
          {"ValuePart", "Real"},
          {"CNumber", type.c_name},
          {"CValue", stored_c_name(kernel)}};
}

const char* product_formula(const Kernel& kernel) {
  return Operands(kernel.dtype, kernel.vectors).product_formula();
}

std::int64_t workspace_bytes(const Kernel& kernel) {
  constexpr std::int64_t alignment = 256;  // templates/host/device_format.cuh
  std::int64_t bytes = 0;
  for (const Workspace& scratch : kernel.workspaces)
    bytes += (scratch.bytes() + alignment - 1) / alignment * alignment;
  return bytes;
}

void check_arrays(const Kernel& kernel) {
  CHECK(!kernel.launches.empty());
  for (const Array& array : kernel.arrays) {
    CHECK(array.count * element_bytes(array.type) == static_cast<std::int64_t>(array.bytes.size()));
    if (!array.is_value()) continue;
    CHECK(static_cast<std::int64_t>(array.value_source.size()) == array.count);
    CHECK(array.type == array.find_number(kernel.dtype).element || array.is_single(kernel.dtype));
  }
}

std::string facts_text(const Kernel& kernel, const StandaloneInfo& info) {
  const std::vector<DocumentedLine> members = {
      {write_literal(kernel.design) + ",", ""},
      {fmt::format("\"{}\", {}, {}, {}, Mirror::{},", dtype_name(kernel.dtype), kernel.rows,
                   kernel.cols, kernel.nnz, mirror_kind(kernel.mirror).name),
       "// dtype, rows, cols, nnz, mirror"},
      {fmt::format("\"{}\",", info.structure), "// structure"},
      {fmt::format("\"{}\", \"{}\",", info.fingerprints.values, info.c_names_prefix()),
       "// values, prefix"},
      {fmt::format("arrays, {}{}}};", kernel.arrays.size(), later_facts(kernel)), ""}};
  return array_table(kernel) + (kernel.workspaces.empty() ? "" : workspace_table(kernel)) +
         "constexpr FormatFacts facts = {\n" + documented(2, members) + "\n";
}

namespace {

/// Calls of CUDA one behind the other, the later ones if all before have succeeded: the end of a
/// function that gives their status.
std::string write_status(const std::vector<std::string>& calls) {
  if (calls.size() == 1) return "  return " + calls.front() + ";\n";
  std::string text;
  for (const std::string& call : calls)
    text += (text.empty() ? "  cudaError_t status = " : "  if (status == cudaSuccess) status = ") +
            call + ";\n";
  return text + "  return status;\n";
}

}  // namespace

std::string launches_text(const Kernel& kernel) {
  std::vector<std::string> launches, loads;
  std::set<std::string> loaded;
  for (const Launch& launch : kernel.launches) {
    if (launch.first_column > 0) break;  // later passes launch the same
    launches.push_back(fmt::format("cudaLaunchKernel({}, {}, {}, arguments, 0, stream)",
                                   launch.kernel, launch.blocks, launch.threads));
    if (loaded.insert(launch.kernel).second)
      loads.push_back(fmt::format("cudaFuncGetAttributes(&attributes, {})", launch.kernel));
  }
  const bool has_rows = kernel.vectors > 1;
  std::string pointers;
  for (const FormatPointer& pointer : kernel.pointers())
    pointers += fmt::format("&format.{}, ", pointer.member());
  return fmt::format(
      "/// Launches the kernels of one {}, each after the one before has ended. Gives the status "
      "of\n"
      "/// these launches alone: CUDA's last error stays as it was.\n"
      "inline cudaError_t launch_all(Format format, const Value* x, {}Output out, "
      "cudaStream_t stream) {{\n"
      "  Value* y = out.y;\n{}{}}}\n\n"
      "/// Loads the kernels ahead of their first launch. CUDA loads a kernel to tell its "
      "attributes.\n"
      "inline cudaError_t load_kernels() {{\n  cudaFuncAttributes attributes;\n"
      "{}}}\n\n",
      has_rows ? "pass over A" : "SpMV", has_rows ? "long long ldx, " : "",
      wrapped(1, fmt::format("void* arguments[] = {{{}&x, {}&y, {}&out.alpha, &out.beta}};",
                             pointers, has_rows ? "&ldx, " : "", has_rows ? "&out.ld, " : "")),
      write_status(launches), write_status(loads));
}

std::string order_text(const Kernel& kernel) {
  if (!kernel.own_order) return "";
  constexpr const char* function =
      "/// The caller's {0} of each element of {1}.\n"
      "inline const std::int32_t* own_{0}s(const Format& f) {{\n"
      "  return reinterpret_cast<const std::int32_t*>(f.{2}_);\n}}\n\n";
  const bool is_one = kernel.own_order->rows == kernel.own_order->columns;
  return fmt::format(function, "row", "y", own_rows_array) +
         fmt::format(function, "column", "x", is_one ? own_rows_array : own_columns_array);
}

std::string program_facts_text(const Kernel& kernel, const StandaloneInfo& info) {
  return fmt::format("constexpr const char* format_file = {};\n{}",
                     write_literal(info.name + ".safetensors"),
                     fmt::format(fmt::runtime(emitted_file(kernel).program_facts),
                                 write_literal(info.processor), info.threads));
}

}  // namespace alphasparse
