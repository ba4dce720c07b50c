#include "tools/console/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/result.h"
#include "generator/text/emitted_file.h"
#include "generator/text/runtime_header.h"
#include "generator/text/standalone.h"
#include "runtime/formats/format_file.h"
#include "runtime/formats/kernel_metadata.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/files/own_files.h"
#include "tools/console/runtime_file.h"

namespace alphasparse {

void prepare_folder(const std::string& folder) {
  if (const std::error_code error = make_folders(folder)) {
    throw output_error(
        error.value(),
        fmt::format("cannot make folder {} ({}); name another with -o", folder, error.message()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    const int reason = errno;
    throw output_error(reason, fmt::format("folder {} cannot be written into ({}); name another "
                                           "with -o",
                                           folder, std::strerror(reason)));
  }
}

namespace {

/// The files, unless one of them must not be written over.
OutputFiles checked(OutputFiles files) {
  for (const std::string& file : {files.source, files.header, files.format, files.kernels,
                                  files.kernel_header, files.runtime}) {
    if (!file.empty()) reject_foreign(file);
  }
  return files;
}

/// Throws where the files of a kernel for GPUs would be those of another kernel: NAME.cpu.h is the
/// header of NAME's kernel for CPUs, and NAME.kernel.cu holds the kernels of NAME.cu. NAME.hip and
/// NAME.cu would share a header and a format.
void check_file_name(const std::string& name, const std::string& base, Dialect dialect) {
  const std::string source = base + std::string(emitted_file(Target::gpu, dialect).ending);
  for (const Dialect other : {Dialect::cuda, Dialect::hip}) {
    const std::string file = base + std::string(emitted_file(Target::gpu, other).ending);
    if (other != dialect && std::filesystem::exists(file))
      throw Error(
          fmt::format("{} is there, whose header {} would replace; name another by --name, "
                      "or another folder with -o",
                      file, source));
  }
  for (const char* const ending : {".cpu", ".kernel"}) {
    if (!name.ends_with(ending)) continue;
    throw Error(
        fmt::format("{} would be a file of the kernel {} too; give it a name without {} by --name",
                    source, name.substr(0, name.size() - std::strlen(ending)), ending));
  }
}

}  // namespace

OutputFiles output_files(const std::string& name, const OutputChoice& choice, Target target,
                         Dialect dialect) {
  const std::filesystem::path folder(choice.folder);
  const std::string base = (folder / name).string();
  const std::string shared = (folder / "alphasparse_kernel.h").string();
  // Not replace_extension: a name may hold full stops of its own.
  const EmittedFile& file = emitted_file(target, dialect);
  const std::string runtime = (folder / file.runtime_header).string();
  const std::string own = base + (target == Target::cpu ? ".cpu" : "");
  OutputFiles files{own + std::string(file.ending), own + ".h", own + ".safetensors", "", shared};
  if (!file.kernels_ending.empty()) files.kernels = own + std::string(file.kernels_ending);
  if (target == Target::gpu) check_file_name(name, base, dialect);
  if (choice.shared_runtime) {
    files.runtime = runtime;
    check_runtime(files.runtime, files.source);
  }
  if (files.header == files.kernel_header || files.header == runtime) {
    throw Error(files.header +
                " is the header that all kernels share; give the matrix' file another name");
  }
  return checked(files);
}

void reject_own_input(const std::string& output, const std::string& matrix) {
  std::error_code no_file;
  if (output.empty() || !std::filesystem::equivalent(output, matrix, no_file)) return;
  throw Error(output +
              " is the file of a matrix that is read, and is not overwritten; name another");
}

void name_outputs(InputMatrix& input, const std::string& name) {
  if (!name.empty()) input.name = name + (input.transposed ? "_T" : "");
}

OutputFiles write_outputs(const Kernel& kernel, const InputMatrix& input,
                          const Fingerprints& prints, const DeviceInfo& device,
                          const OutputChoice& choice) {
  StandaloneInfo info;
  info.name = input.name + (kernel.target == Target::cpu ? ".cpu" : "");
  std::error_code unknown;
  const bool is_input =  // or a pipe, whose path may be gone
      input.path == standard_input || std::filesystem::is_other(input.path, unknown);
  info.matrix = is_input ? "-" : input.path;
  info.fingerprints = prints;
  info.structure = structure_digest(kernel, input.matrix);
  info.prefix = choice.prefix;
  info.shared = choice.shared_runtime;
  if (!device.arch.empty()) info.arch = device.arch;
  (device.kind == TimeKind::measured ? info.compiled_by : info.checked_by) = device.compiler;
  info.processor = device.gpu;
  info.time_kind = time_kind_name(device.kind);
  info.threads = std::max(1, device.threads);
  info.device = device.name;
  info.transposed = input.transposed;
  const std::string ending = input.transposed ? "_T" : "";
  if (input.name != matrix_stem(is_input ? standard_input : input.path) + ending) {
    info.requested_name = input.name.substr(0, input.name.size() - ending.size());
  }
  OutputFiles files = output_files(input.name, choice, kernel.target, kernel.dialect);
  files.prefix = info.c_names_prefix();
  if (info.shared) write_file(files.runtime, runtime_header(generator_version, kernel.dialect));
  write_file(files.source,
             info.shared ? shared_source(kernel, info) : standalone_source(kernel, info));
  write_file(files.header, standalone_header(kernel, info));
  if (!files.kernels.empty()) {
    const Metadata metadata = kernel_metadata(kernel, prints, info.structure,
                                              info.generator_version, info.c_names_prefix());
    write_file(files.kernels, kernels_source(kernel, info) + metadata_comment(metadata));
  }
  write_file(files.kernel_header, std::string(kernel_header()));
  write_format_file(files.format, kernel, input.matrix, prints, info.generator_version,
                    info.c_names_prefix(), info.structure);
  return files;
}

}  // namespace alphasparse
