#include "tools/console/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "generator/result.h"
#include "generator/standalone.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/atomic_file.h"

namespace alphasparse {

void prepare_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(
        fmt::format("cannot make folder {} ({}); name another with -o", folder, error.message()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(fmt::format("folder {} cannot be written into; name another with -o", folder));
  }
}

OutputFiles output_files(const std::string& name, const std::string& folder, Target target) {
  const std::filesystem::path place(folder);
  const std::string base = (place / name).string();
  // Not replace_extension: a name may hold full stops of its own.
  if (target == Target::cpu) {
    OutputFiles files{base + ".cpu.cpp", "", base + ".cpu.safetensors", ""};
    for (const std::string& file : {files.source, files.format}) refuse_target(file);
    return files;
  }
  OutputFiles files{base + ".cu", base + ".h", base + ".safetensors",
                    (place / "alphasparse_kernel.h").string()};
  if (files.header == files.kernel_header) {
    throw Error(files.header +
                " is the header that all kernels share; give the matrix' file another name");
  }
  for (const std::string& file : {files.source, files.header, files.format, files.kernel_header}) {
    refuse_target(file);
  }
  return files;
}

OutputFiles write_outputs(const Kernel& kernel, const InputMatrix& input, const DeviceInfo& device,
                          const std::string& folder, const std::string& prefix) {
  const Fingerprints prints = fingerprints(input.matrix);
  StandaloneInfo info;
  info.name = input.name;
  info.matrix = input.path;
  info.fingerprints = prints;
  info.prefix = prefix;
  if (!device.arch.empty()) info.arch = device.arch;
  (device.kind == TimeKind::measured ? info.compiled_by : info.checked_by) = device.compiler;
  OutputFiles files = output_files(input.name, folder, kernel.target);
  if (kernel.target == Target::cpu) {
    write_file(files.source, cpu_program(kernel));
    write_format_file(files.format, kernel, input.matrix, prints, info.generator_version,
                      info.c_names_prefix());
    return files;
  }
  write_file(files.source, standalone_source(kernel, info));
  write_file(files.header, standalone_header(kernel, info));
  write_file(files.kernel_header, std::string(kernel_header()));
  write_format_file(files.format, kernel, input.matrix, prints, info.generator_version,
                    info.c_names_prefix());
  return files;
}

}  // namespace alphasparse
