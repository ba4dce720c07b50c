// show: prints the result of one stage on the way from a design to machine code; no kernel runs.
#include "tools/reports/show.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/result.h"
#include "generator/text/kernel_builder.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/hip_clang.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/emulated/gpu_models.h"
#include "tools/commands/commands.h"
#include "tools/console/inputs.h"
#include "tools/console/print.h"
#include "tools/reports/body_text.h"

namespace alphasparse {

namespace {

template <class T>
T accepted(Result<T> result) {
  if (!result) throw Error(fmt::format("design refused: {}", result.reason()));
  return std::move(*result);
}

Design read_design(const ShowCommand& command, Target target) {
  return accepted(canonical_design(accepted(parse_design(resolve_design(command.design, target)))));
}

/// The tree of each branch's body after each pass.
void show_body(const ShowCommand& command, const InputMatrix& input, Target target) {
  const Design design = read_design(command, target);
  std::vector<Store> branches = accepted(Designer(input.matrix).branches(design));
  BodyText text;
  accepted(build_kernel(input.matrix, branches, print_design(design),
                        {input.dtype, command.vectors},
                        [&](const PassResult& pass) { text.add(pass); }));
  const std::string trees = text.take();
  print_report(false, trees.empty() ? "no body: no branch has rows or entries to add up\n" : trees);
}

void show_store(const ShowCommand& command, const InputMatrix& input, Target target) {
  const Design design = read_design(command, target);
  const std::vector<Store> branches = accepted(Designer(input.matrix).branches(design));
  const std::string text = print_design(design);
  print_report(command.json,
               command.json ? stores_json(branches, text) : stores_text(branches, text));
}

/// The architecture that a device name stands for. The emulator need not be there for it.
std::string find_arch(const std::string& device) {
  if (device == "emulated") return gpu_models().front().arch;
  if (device.starts_with("emulated:")) {
    if (const GpuModel* const model = find_gpu_model(device.substr(9))) return model->arch;
  }
  return open_device(device)->info().arch;  // or names the possible values
}

std::string make_ptx(const Kernel& kernel, const std::string& arch) {
  const Result<Nvrtc>& compiler = nvrtc();
  if (!compiler)
    throw Error(ExitCode::no_device, fmt::format("PTX needs NVRTC: {}", compiler.reason()));
  if (compiler->lacks(arch)) {
    throw Error(ExitCode::no_device,
                fmt::format("NVRTC {} ({}) does not know {}; name another GPU by --device",
                            compiler->version(), compiler->library(), arch));
  }
  const Result<std::string> ptx = compiler->compile_ptx(kernel.source, arch);
  if (!ptx) throw Error(ExitCode::nothing_verified, ptx.reason());
  return *ptx;
}

std::string write_code(ShowStage stage, const Kernel& kernel, const std::string& arch) {
  const bool is_cpu = kernel.target == Target::cpu, is_hip = kernel.dialect == Dialect::hip;
  if (stage == ShowStage::source) return kernel.source;
  if (stage == ShowStage::ptx) {
    if (is_cpu)
      throw Error("PTX is of GPUs; name one by --device, or use --stage asm for this CPU");
    if (is_hip) throw Error("PTX is of GPUs of NVIDIA; use --stage asm for this one of AMD");
    return make_ptx(kernel, arch);
  }
  if (!is_cpu && !is_hip)
    throw Error("--stage asm is of CPUs and GPUs of AMD; add --device cpu, or use --stage ptx");
  if (is_hip && !hip_clang()) throw Error(ExitCode::no_device, hip_clang().reason());
  const Result<std::string> assembly =
      is_hip ? compile_hip_assembly(kernel.source, arch) : compile_cpu_assembly(kernel);
  if (!assembly) throw Error(ExitCode::nothing_verified, assembly.reason());
  return *assembly;
}

}  // namespace

void run_show(const ShowCommand& command) {
  const bool is_code = command.stage != ShowStage::store && command.stage != ShowStage::format;
  if (command.json && is_code)
    throw Error(
        "--json is for the stages store and format: body, source, ptx and asm are text as they "
        "are");
  const Target target = target_of_device(command.device);
  const Dialect dialect = dialect_of_device(command.device);
  const bool is_compiled =
      target != Target::cpu && (command.stage == ShowStage::ptx || dialect == Dialect::hip);
  const std::string arch = is_compiled ? find_arch(command.device) : "";
  const InputMatrix input = read_input(command.matrix, command.dtype, command.transpose);
  if (command.stage == ShowStage::store) return show_store(command, input, target);
  if (command.stage == ShowStage::body) return show_body(command, input, target);

  const Kernel kernel =
      build_design(input, command.design, {input.dtype, command.vectors, dialect}, target);
  if (command.stage == ShowStage::format) {
    const std::int64_t csr = csr_bytes(input.matrix, input.dtype);
    print_report(command.json, command.json ? format_json(kernel, csr) : format_text(kernel, csr));
  } else {
    print_report(false, write_code(command.stage, kernel, arch));
  }
}

}  // namespace alphasparse
