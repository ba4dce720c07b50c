// bench: the named designs side by side on one or more matrices.
#include "search/trial/bench.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/result.h"
#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/files/regular_file.h"
#include "runtime/system/machine/cores.h"
#include "search/trial/kept_roofline.h"
#include "tools/commands/commands.h"
#include "tools/console/inputs.h"
#include "tools/console/interrupt.h"
#include "tools/console/note.h"
#include "tools/console/outputs.h"
#include "tools/console/print.h"
#include "tools/console/progress.h"
#include "tools/console/twin_inputs.h"
#include "tools/pages/report_pages.h"
#include "tools/picture/picture.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

NamedDesign vendor_design(const Baseline& vendor) {
  return {vendor.name, vendor.name, vendor.library, ""};
}

NamedDesign named_design(std::string_view name, const DeviceInfo& device) {
  if (const Baseline* vendor = find_baseline(name)) {
    if (runs_on(*vendor, device)) return vendor_design(*vendor);
    throw Error(fmt::format("--designs: {} runs on {} alone", name,
                            library_named(vendor->library).machines));
  }
  if (name == "all") throw Error("--designs: all stands alone; leave out the names beside it");
  std::vector<std::string> names = {"all"};
  for (const NamedDesign& design : named_designs()) {
    if (design.name == name) return design;
    names.emplace_back(design.name);
  }
  throw Error("--designs: " + unknown_name("design", name, names));
}

/// The designs of a list, a name or a text a line. Lines that begin with # are comments. They live
/// as long as the program.
std::vector<NamedDesign> listed_designs(const std::string& path, Target target) {
  const Result<RegularFile> file = RegularFile::open(path);
  if (!file) throw Error(fmt::format("--designs: {} {}", path, file.reason()));
  const Result<std::string> text = file->read(static_cast<std::size_t>(file->size()));
  if (!text) throw Error(fmt::format("--designs: {} {}", path, text.reason()));
  static std::deque<std::string> lines;
  std::vector<NamedDesign> designs;
  std::istringstream stream(*text);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::string& name = lines.emplace_back(std::move(line));
    designs.push_back({name, lines.emplace_back(resolve_design(name, target)), "", ""});
  }
  if (designs.empty()) throw Error(fmt::format("--designs: {} lists no design", path));
  return designs;
}

/// "all", names between commas or @ before the name of a list; each once. Where times are measured,
/// all are those of its vendor too, on a CPU its peers.
std::vector<NamedDesign> chosen_designs(const std::string& text, const DeviceInfo& device,
                                        int vectors) {
  if (text == "all") {
    std::vector<NamedDesign> all = named_designs(device.target);
    if (device.kind == TimeKind::modelled) return all;
    for (const Baseline& vendor : baselines(device, vectors)) {
      all.push_back(vendor_design(vendor));
    }
    return all;
  }
  if (text.starts_with('@')) return listed_designs(text.substr(1), device.target);
  std::vector<NamedDesign> designs;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    designs.push_back(named_design(std::string_view(text).substr(first, end - first), device));
    for (std::size_t i = 0; i + 1 < designs.size(); ++i) {
      if (designs[i].name == designs.back().name)
        throw Error(fmt::format("--designs: {} is there twice", designs[i].name));
    }
    if (!find_baseline(designs.back().name)) {
      (void)resolve_design(std::string(designs.back().name), device.target);  // or it says why not
      designs.back().line = designs.back().target_line(device.target);
    }
    first = end + 1;
  }
  return designs;
}

/// So that a mistyped name does not end the work of hours: every file is read once before any work
/// begins, where there are several. Twins are not made for that.
void check_inputs(const BenchCommand& command) {
  std::error_code unknown;
  if (std::count(command.matrices.begin(), command.matrices.end(), standard_input) > 1)
    throw Error("- is given twice, but standard input is one matrix; name it once");
  for (const std::string& input : command.matrices) {
    if (is_twin_input(input))
      parse_twin_input(input);
    else if (command.matrices.size() > 1 && !std::filesystem::is_other(input, unknown))
      read_input(input, command.dtype, command.transpose);
  }
}

void check_outputs(const BenchCommand& command) {
  for (const std::string& file : {command.report, command.json_file}) {
    for (const std::string& matrix : command.matrices) reject_own_input(file, matrix);
    if (!file.empty()) require_writable(file);
  }
}

BenchedMatrix make_facts(const InputMatrix& input, const Operands& operands) {
  BenchedMatrix benched;
  benched.path = input.path;
  benched.name = input.name;
  benched.rows = input.matrix.rows;
  benched.cols = input.matrix.cols;
  benched.nnz = input.matrix.nnz();
  benched.csr_bytes = csr_bytes(input.matrix, operands.dtype);
  benched.operands = operands;
  benched.underflow = input.underflow;
  benched.fingerprints = fingerprints(input.matrix);
  return benched;
}

/// Nothing, and a warning, where the GPU does not give it.
std::optional<Roofline> find_roofline(Device& device, bool anew) {
  std::optional<Database> database = roofline_database(device.info());
  Result<Roofline> roofline = kept_roofline(device, database, anew);
  if (roofline) return *roofline;
  spdlog::warn("memory was not measured: {}", roofline.reason());
  return std::nullopt;
}

bool any_verified(const BenchReport& report) {
  for (const BenchSummary& summary : report.summaries()) {
    if (summary.verified > 0) return true;
  }
  return false;
}

/// A table as soon as it is known.
void print_newest(const BenchReport& report) {
  if (report.matrices.size() == 1) print_report(false, bench_head_text(report));
  print_report(false, bench_matrix_text(report, report.matrices.back()));
  std::fflush(stdout);
}

/// So that any end of the work leaves the results that are known by then.
void keep_json(const BenchCommand& command, const BenchReport& report,
               std::optional<Error>& unwritten) {
  if (command.json_file.empty()) return;
  try {
    write_file(command.json_file, bench_json(report));
    unwritten.reset();
  } catch (const Error& error) {
    unwritten = error;
  }
}

}  // namespace

void run_bench(const BenchCommand& command) {
  if (command.designs != "all") {  // before anything is opened
    DeviceInfo requested;
    requested.target = target_of_device(command.device);
    requested.dialect = dialect_of_device(command.device);
    chosen_designs(command.designs, requested, command.vectors);
  }
  const std::unique_ptr<Device> device = open_device(command.device);
  const std::vector<NamedDesign> designs =
      chosen_designs(command.designs, device->info(), command.vectors);
  std::vector<NamedDesign> ours = designs;
  std::erase_if(ours, [](const NamedDesign& design) { return find_baseline(design.name); });
  check_inputs(command);
  check_outputs(command);
  BenchReport report{
      device->info(), {command.dtype.or_default(), command.vectors}, command.regime, {}, false, {}};
  if (device->info().kind == TimeKind::measured)
    report.roofline = find_roofline(*device, command.fresh);

  std::vector<std::string> pictures;  // of the page
  std::optional<Error> unwritten;     // reported behind the tables
  bool is_partial = false;

  const std::atomic<bool>& stop = watch_interrupts();
  ProgressLine line(command.quiet);
  for (std::size_t index = 0; index < command.matrices.size() && !stop; ++index) {
    const InputMatrix input = read_or_make_input(command.matrices[index], command.dtype,
                                                 command.transpose, device->info());
    if (index == 0 && !command.quiet)
      note(device_note(device->info()) + load_note(device->info(), others_per_core()));
    check_vectors(input, command.vectors);
    const Operands operands(input.dtype, command.vectors);
    if (index == 0) report.operands = operands;
    if (report.operands.dtype != operands.dtype)
      throw Error(fmt::format("{}: a table has complex matrices, or real ones; add --dtype c64",
                              input.path));
    BenchedMatrix benched = make_facts(input, operands);
    const auto show = [&](std::size_t current) {
      line.update([=, name = input.name, count = command.matrices.size(), all = designs.size(),
                   design = designs[current].name](double seconds) {
        return fmt::format("matrix {}/{} {} | design {}/{} {} | {:.0f} s", index + 1, count, name,
                           current + 1, all, design, seconds);
      });
    };
    benched.entries =
        bench(input.matrix, *device, designs,
              {input.dtype, command.vectors, command.regime, command.own_order}, show, stop);
    is_partial = is_partial || benched.entries.size() < designs.size();
    if (command.vectors > 1 && !stop) {
      const double us = best_time_us(
          bench(input.matrix, *device, ours, {input.dtype, 1, command.regime}, show, stop));
      if (us > 0) benched.one_vector_us = us;
    }
    report.matrices.push_back(std::move(benched));
    report.interrupted = is_partial || report.matrices.size() < command.matrices.size();
    keep_json(command, report, unwritten);
    if (!command.report.empty()) pictures.push_back(png_picture(input.matrix));
    line.clear();
    if (!command.json) print_newest(report);
  }
  report.interrupted = is_partial || report.matrices.size() < command.matrices.size();
  print_report(command.json, command.json ? bench_json(report) : bench_summary_text(report));
  if (!command.report.empty()) write_file(command.report, bench_page(report, pictures));
  if (report.interrupted && !command.quiet)
    note("alphasparse: interrupted: these are the results so far\n");
  if (unwritten) throw *unwritten;
  if (!any_verified(report)) {
    throw Error(
        ExitCode::nothing_verified,
        fmt::format("no design was verified on {}; the reasons stand above", device->info().name));
  }
}

}  // namespace alphasparse
