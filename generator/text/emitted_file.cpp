#include "generator/text/emitted_file.h"

#include <fmt/format.h>

#include "base/result.h"
#include "base/wrapped.h"
#include "generator/text/facts_text.h"
#include "generator/text/kernel_order.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

/// The place behind the comment that opens a kernel's source: its design, which a file's head has.
std::size_t skip_design(const Kernel& kernel) {
  const std::string opening = wrapped(0, "// " + kernel.design) + "\n";
  return kernel.source.starts_with(opening) ? opening.size() : 0;
}

/// The kernel's source with nothing in it that another file sees. Its kernels are static outside of
/// the unnamed namespace, because nvcc makes kernels inside one global.
std::string static_kernels(const Kernel& kernel, Includes& includes) {
  CHECK(!kernel.starts.empty());
  includes.emplace("#include <cuda_runtime.h>\n");
  std::string text = "namespace {\n\n";
  std::size_t done = skip_design(kernel);
  const auto copy_to = [&](std::size_t end) {
    text.append(kernel.source, done, end - done);
    done = end;
  };
  copy_to(kernel.starts.front().comment);
  text += "}  // namespace\n\n";
  for (const Kernel::Start& start : kernel.starts) {
    copy_to(start.declaration);
    text += "static";
    done += kernel_linkage.size();
  }
  copy_to(end_of_kernels(kernel.source));
  if (done < kernel.source.size()) return text + "\n" + unnamed(kernel.source.substr(done + 1));
  return text + (text.ends_with('\n') ? "\n" : "\n\n");
}

std::string unnamed_kernel(const Kernel& kernel, Includes& includes) {
  const std::string text =
      without_includes(std::string_view(kernel.source).substr(skip_design(kernel)), includes);
  return unnamed(text.substr(text.find_first_not_of('\n')));
}

const EmittedFile& cuda() {
  static const EmittedFile file = {
      .ending = ".cu",
      .kernels_ending = ".kernel.cu",
      .kernels_build = "nvcc -std=c++17 -arch={} -cubin {}",
      .kernels_library = "NVRTC with --std=c++17",
      .kernels_prelude = "",
      .remake_device = "",
      .same_results = "are the same bits in every run",
      .c_header = "host/named_kernel.h",
      .runtime_header = "alphasparse_runtime.h",
      .runtime_define = "#define ALPHASPARSE_RUNTIME_CUDA\n",
      .hide = "#pragma GCC visibility push(hidden)  // nvcc gives an unnamed namespace a name\n\n",
      .show = "#pragma GCC visibility pop\n\n",
      .program_facts = "",
      .replacements = {},
      .kernel = static_kernels,
      .launches = launches_text,
  };
  return file;
}

/// HIP's names are CUDA's with another beginning, but for these in front. A status keeps its name:
/// all kernels share it.
const EmittedFile& hip() {
  static const std::string prelude =
      "\n" +
      resolved(template_text("hip/cuda_names.cuh"),
               {{"ALPHASPARSE_HIP", true}, {"HIP_VERSION_MAJOR", true}}) +
      "\n";
  static const std::string kernels_prelude =
      "#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n" + prelude;
  static const EmittedFile file = [] {
    EmittedFile row = cuda();
    row.ending = ".hip";
    row.kernels_ending = ".kernel.hip";
    row.kernels_build = "hipcc --genco -std=c++17 -O3 -munsafe-fp-atomics --offload-arch={} {}";
    row.kernels_library = "hiprtc with the same options";
    row.kernels_prelude = kernels_prelude;
    row.runtime_header = "alphasparse_hip_runtime.h";
    row.runtime_define =
        "#define ALPHASPARSE_RUNTIME_HIP\n"
        "#pragma clang diagnostic ignored \"-Wunused-result\"  // of calls that clean up\n";
    row.hide = prelude;
    row.show = "";
    row.replacements = {
        {"alphasparse_cuda_error", "alphasparse_cuda_error"},
        {"#include \"alphasparse_kernel.h\"\n",
         "#include \"alphasparse_kernel.h\"\n\nstruct ihipStream_t; /* a hipStream_t points at one "
         "*/\n"},
        {"cuda_runtime.h", "hip/hip_runtime.h"},
        {"cudaDeviceProp ", "hipDeviceProp_t "},
        {"cudaFuncGetAttributes(&attributes, ", "hipFuncGetAttributes(&attributes, (const void*)"},
        {"cudaLaunchKernel(", "hipLaunchKernel((const void*)"},
        {"CUstream_st", "ihipStream_t"},
        {"cuda", "hip"},
        {"CUDA", "HIP"},
        {"The CMake function alphasparse_add_kernel does all of this.",
         "CMake's function alphasparse_add_kernel takes files for CUDA and CPUs alone."},
        {"alphasparse_runtime.h", row.runtime_header},
        {"NAME.cu", "NAME.hip"},
        {".cu file", ".hip file"},
        {"  // nvcc gives an unnamed namespace a name", ""},
        {"-arch=sm_90", "--offload-arch=gfx90a"},
        {"nvcc", "hipcc"}};
    row.kernel = [](const Kernel& kernel, Includes& includes) {
      const std::string text = static_kernels(kernel, includes);
      includes = {"#include <hip/hip_runtime.h>\n"};
      return text;
    };
    row.launches = [](const Kernel& kernel) {
      return with_names(launches_text(kernel), hip().replacements);
    };
    return row;
  }();
  return file;
}

const EmittedFile& cpu() {
  static const EmittedFile file = {
      .ending = ".cpp",
      .kernels_ending = "",
      .kernels_build = "",
      .kernels_library = "",
      .kernels_prelude = "",
      .remake_device = " --device cpu:{}",
      .same_results = "are the same bits in every run by as many threads",
      .c_header = "host/named_cpu_kernel.h",
      .runtime_header = "alphasparse_runtime.h",
      .runtime_define = "",
      .hide = "",
      .show = "",
      .program_facts =
          "// Where it was verified and, by tune, timed.\n"
          "constexpr const char* tuned_on = {};\nconstexpr int tuned_threads = {};\n",
      .replacements = {},
      .kernel = unnamed_kernel,
      .launches = [](const Kernel&) { return std::string(); },
  };
  return file;
}

}  // namespace

const EmittedFile& emitted_file(Target target, Dialect dialect) {
  if (target == Target::cpu) return cpu();
  return dialect == Dialect::hip ? hip() : cuda();
}

std::string wrap_in_host(const std::string& text) {
  return "namespace alphasparse::host {\n\n" + text + "}  // namespace alphasparse::host\n\n";
}

std::string own_sections(const Kernel& kernel, const StandaloneInfo& info) {
  std::string types;
  if (info.shared && number_type(kernel.dtype).is_complex()) {
    for (const auto& [name, type] : number_names(kernel))
      types += fmt::format("using {} = {};\n", name, type);
    types += "\n";
  }
  return types + wrap_in_host((kernel.vectors > 1 && info.shared ? "using Value = Real;\n\n" : "") +
                              emitted_file(kernel).launches(kernel) + facts_text(kernel, info) +
                              order_text(kernel) + "#ifdef ALPHASPARSE_MAIN\n" +
                              program_facts_text(kernel, info) + "#endif\n\n");
}

}  // namespace alphasparse
