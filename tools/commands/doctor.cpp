// doctor: the parts that are there, in one screen, and the use of each missing part.
//
// A device counts as there when a kernel was built, run and verified on it.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "operators/named_designs.h"
#include "runtime/compilers/cache_folder.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/eigen.h"
#include "runtime/compilers/hiprtc.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/cpu/machine.h"
#include "runtime/cpu/mkl_spmv.h"
#include "runtime/cuda/cusparse_library.h"
#include "runtime/database/database.h"
#include "runtime/hip/rocsparse_library.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/child_process.h"
#include "search/trial/bench.h"
#include "tools/commands/commands.h"
#include "tools/console/print.h"
#include "tools/reports/report.h"
#include "tools/reports/table.h"

namespace alphasparse {

namespace {

struct Finding {
  std::string part;  ///< "g++"
  bool is_there = false;
  std::string text;  ///< its description, or the missing part and the remedy
  std::string adds;  ///< its use
};

/// A limit, to stand behind the limited value; empty where there is none.
std::string limit_text(const std::string& limit) {
  return limit.empty() ? "" : fmt::format(" (the limit is {})", limit);
}

Finding machine_finding() {
  const CpuMachine machine = this_machine();
  const AvailableMemory memory = available_memory();
  return {
      "machine", true,
      fmt::format("{}, {}, {} core{} for us{}, {} of memory free{}",
                  machine.name.empty() ? "a processor that does not say its name" : machine.name,
                  machine.isa, machine.threads, machine.threads == 1 ? "" : "s",
                  limit_text(machine.threads_limit), byte_count_text(memory.bytes),
                  limit_text(memory.limit)),
      ""};
}

Finding compiler_finding() {
  const std::string adds = "kernels for this CPU, and the emulator";
  try {
    const HostCompiler compiler = find_host_compiler(CompilerUse::cpu);
    return {"g++", true, fmt::format("{} {}", compiler.text(), compiler.version), adds};
  } catch (const std::exception& error) {
    return {"g++", false, error.what(), adds};
  }
}

/// A matrix that has a row without and a row with several entries.
Matrix tried_matrix() { return {3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}}; }

/// Builds, runs and verifies a kernel there.
Finding device_finding(const std::string& name, const std::string& adds) {
  try {
    const std::unique_ptr<Device> device = open_device(name);
    const Matrix matrix = tried_matrix();
    const std::atomic<bool> never = false;
    const DeviceInfo& info = device->info();
    const std::string line = resolve_design("csr-scalar", info.target);
    const NamedDesign design{"csr-scalar", line, "", ""};
    const std::vector<BenchEntry> tried = bench(
        matrix, *device, {design}, {}, [](std::size_t) {}, never);
    const Measurement& outcome = tried.front().outcome;
    if (!outcome.verified) return {name, false, "csr-scalar does not run: " + outcome.reason, adds};
    return {info.name, true,
            fmt::format("{}: a kernel was built, run and verified; times are {}", info.gpu,
                        time_kind_name(info.kind)),
            adds};
  } catch (const std::exception& error) {
    return {name, false, error.what(), adds};
  }
}

std::vector<Finding> gpu_findings() {
  const std::string adds = "times that are measured on a GPU";
  std::vector<Finding> findings;
  for (const DeviceListing& device : list_devices()) {
    if (device.name.starts_with("cpu") || device.name.starts_with("emulated")) continue;
    if (device.available)
      findings.push_back(device_finding(device.name, adds));
    else
      findings.push_back({device.name, false, device.text, adds});
  }
  return findings;
}

template <class Found, class Say>
Finding library_finding(const std::string& name, const Result<Found>& found, const Say& say,
                        const std::string& adds) {
  return found ? Finding{name, true, say(*found), adds}
               : Finding{name, false, found.reason(), adds};
}

/// An NVRTC counts as there when it has compiled an empty kernel for an architecture that both
/// CUDA 12 and 13 know.
Finding nvrtc_finding() {
  const std::string adds = "kernels compiled for GPUs, registers, PTX (show --stage ptx)";
  const Result<Nvrtc>& found = nvrtc();
  if (!found) return {"NVRTC", false, found.reason(), adds};
  const std::string text = fmt::format("{} ({})", found->version(), found->file());
  const Result<CompiledKernel> tried = found->compile_nothing("sm_80");
  if (!tried) return {"NVRTC", false, fmt::format("{}: {}", text, tried.reason()), adds};
  return {"NVRTC", true, text, adds};
}

/// As nvrtc_finding; the driver is asked for nothing, so that workers can start after it.
Finding hiprtc_finding() {
  const auto compiles = []() -> Result<std::string> {
    if (!hiprtc()) return hiprtc().failure();
    try {
      const auto tried = compile_anew_by_hiprtc(nothing_kernel, "gfx90a");
      if (!tried) return tried.failure();
    } catch (const Error& error) {
      return Failure{Status::compile_error, error.what()};
    }
    return fmt::format("{} ({})", hiprtc()->version(), hiprtc()->library());
  };
  return library_finding(
      "hiprtc", compiles(), [](const std::string& text) { return text; },
      "kernels compiled for GPUs of AMD");
}

/// Why nothing can be written there; empty where something can.
std::string unwritable_reason(const std::filesystem::path& path) {
  return access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
}

/// The facts of a database that tune can write. Throws Error where it cannot.
std::string database_text(const std::string& path) {
  std::error_code unknown;
  const bool is_there = std::filesystem::exists(path, unknown);
  const std::filesystem::path file = std::filesystem::absolute(path);
  const std::string reason = unwritable_reason(is_there ? file : file.parent_path());
  if (!reason.empty()) {
    throw Error(fmt::format("{}: cannot be written ({}); set ALPHASPARSE_DB to a file that can",
                            path, reason));
  }
  if (!is_there) return path + ": not there yet; the first tune makes it";
  Database database = Database::open_to_read(path);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, unknown));
  return fmt::format("{}: {}, {}", path, counted(database.problem_count(), "problem"),
                     byte_count_text(bytes));
}

Finding database_finding() {
  const std::string adds = "answers at once, and searches that go on";
  try {
    return {"database", true, database_text(database_path("")), adds};
  } catch (const std::exception& error) {
    return {"database", false, error.what(), adds};
  }
}

Finding cache_finding() {
  const auto folder = cache_directory();
  const std::string adds = "kernels that are compiled once";
  if (!folder)
    return {"cache", false, "no folder, HOME is not set; set ALPHASPARSE_CACHE to one", adds};
  std::string reason;
  if (const std::error_code error = make_own_folder(*folder)) reason = error.message();
  if (reason.empty()) reason = unwritable_reason(*folder);
  if (reason.empty()) {
    const Result<std::int64_t> limit = cache_bytes_max();
    if (!limit) return {"cache", false, limit.reason(), adds};
    std::int64_t bytes = 0;
    for (const CacheEntry& entry : cache_entries(*folder)) bytes += entry.bytes;
    return {"cache", true,
            fmt::format("{}: {} (the limit is {}); alphasparse cache says of what",
                        folder->string(), byte_count_text(bytes), byte_count_text(*limit)),
            adds};
  }
  return {"cache", false,
          fmt::format("{}: cannot be written ({}); set ALPHASPARSE_CACHE to a folder that can",
                      folder->string(), reason),
          adds};
}

Finding temporary_finding() {
  const std::string adds = "room for compilers, which all devices need";
  try {
    const TemporaryFolder folder;
    return {"TMPDIR", true, folder.path().parent_path().parent_path().string(), adds};
  } catch (const std::exception& error) {
    return {"TMPDIR", false, error.what(), adds};
  }
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      machine_finding(), compiler_finding(),
      device_finding("cpu:1", "kernels for this CPU, measured"),
      device_finding("emulated:h200", "kernels for GPUs without one, modelled")};
  for (Finding& gpu : gpu_findings()) all.push_back(std::move(gpu));
  all.push_back(nvrtc_finding());
  all.push_back(hiprtc_finding());
  all.push_back(library_finding(
      "cuSPARSE", Cusparse::open(false), [](const Cusparse& library) { return library.file(); },
      "NVIDIA's algorithms beside ours on a GPU"));
  all.push_back(library_finding(
      "rocSPARSE", Rocsparse::open(nullptr),
      [](const Rocsparse& library) { return library.file(); },
      "AMD's algorithms beside ours on a GPU"));
  all.push_back(library_finding(
      "MKL", mkl_facts(), [](const LibraryFacts& facts) { return facts.version; },
      "Intel's algorithms beside ours on this CPU"));
  all.push_back(library_finding(
      "Eigen", eigen_headers(),
      [](const EigenHeaders& eigen) { return eigen.version + " in " + eigen.folder; },
      "Eigen's product beside ours on this CPU"));
  const std::string sbatch = find_program("sbatch").value_or("");
  all.push_back({"Slurm", !sbatch.empty(), sbatch.empty() ? "no sbatch in PATH" : sbatch,
                 "folders of matrices tuned on a cluster (slurm_tune)"});
  all.push_back(database_finding());
  all.push_back(cache_finding());
  all.push_back(temporary_finding());
  return all;
}

std::string findings_json(const std::vector<Finding>& all) {
  nlohmann::ordered_json json = {{"schema", json_schema_version},
                                 {"version", ALPHASPARSE_VERSION},
                                 {"parts", nlohmann::ordered_json::array()}};
  for (const Finding& one : all) {
    json["parts"].push_back(
        {{"name", one.part}, {"available", one.is_there}, {"text", one.text}, {"adds", one.adds}});
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string findings_text(const std::vector<Finding>& all) {
  std::string text = fmt::format("alphasparse {}\n", ALPHASPARSE_VERSION);
  for (const Finding& one : all) {
    text +=
        fmt::format("{} {:<14} {}\n", one.is_there ? "yes" : "no ", one.part, printable(one.text));
    if (!one.is_there) text += fmt::format("{:<19}would add: {}\n", "", one.adds);
  }
  return text;
}

}  // namespace

void run_doctor(const DoctorCommand& command) {
  const std::vector<Finding> all = findings();
  print_report(command.json, command.json ? findings_json(all) : findings_text(all));
}

}  // namespace alphasparse
