// kernel_facts: answers the scripts of the laboratory - the counts that modelled times are made
// from, and the machine code of kernels. Reads a JSON object a line and prints one a line:
//
//   {"ask": "models"}                    the GPU models, their constants, the names of designs
//   {"ask": "matrix", "path", "dtype"}   reads the matrix that later questions are about; or
//                                        {"twin", "rows", "cols", "nnz"} makes one
//   {"ask": "count", "design", ...}      runs a design on an emulated GPU: its launches' work, a
//                                        list for each share of L1
//   {"ask": "keep", "works"}             keeps such lists, one a design, and numbers them
//   {"ask": "times", "kept", ...}        the modelled times of those designs by any constants
//   {"ask": "compile", "design", ...}    compiles a design by NVRTC: registers, spills, cubin
//
// A design that is refused has "refused", with the reason. Where the question itself cannot be
// answered the line has "error" and "code", the exit code of a program that ends by it.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/kernel.h"
#include "runtime/emulated/modelled_time.h"
#include "tools/console/inputs.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

// A count that is missing is that of a launch without work.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Waits, l1, l2, dram)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LaunchWork, sectors, dram_sectors, l2_whole,
                                                l2_scattered, lsu_cycles, basic_blocks,
                                                atomic_passes, atomic_hottest, longest,
                                                longest_basic_blocks, longest_begins, each,
                                                each_basic_blocks, turns, blocks, busy, imbalance,
                                                is_near)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ModelConstants, launch_scale, dram_efficiency,
                                                l2_efficiency, instructions_scale, issue_efficiency,
                                                instruction_cycles, atomic_pass_ns, atomic_line_ns,
                                                longest_scale, queued_scale, tail, limits_order,
                                                l1_share)

namespace {

using Json = nlohmann::json;

Json rejected(const Failure& failure) { return {{"refused", failure.reason}}; }

Dtype read_dtype(const Json& question) {
  return dtype_named(question.at("dtype").get<std::string>()).value_or(default_dtype);
}

// --- models

Json make_table(const GpuModel& gpu) {
  return {{"multiprocessors", gpu.multiprocessors},
          {"clock_ghz", gpu.clock_ghz},
          {"sector_bytes", gpu.sector_bytes},
          {"dram_gb_per_s", gpu.dram_gb_per_s},
          {"l2_gb_per_s", gpu.l2_gb_per_s},
          {"l2_bytes", gpu.l2_bytes},
          {"l2_scattered_gb_per_s", gpu.l2_scattered_gb_per_s},
          {"launch_us", gpu.launch_us},
          {"block_ns", gpu.block_ns},
          {"instructions_a_block", instructions_a_block(gpu)},
          {"l1_ns", gpu.l1_ns},
          {"l2_ns", gpu.l2_ns},
          {"dram_ns", gpu.dram_ns}};
}

Json models_json() {
  Json json = {{"version", gpu_models_version},
               {"models", Json::array()},
               {"designs", Json::array()},
               {"libraries", Json::array()}};
  for (const GpuModel& gpu : gpu_models()) {
    json["models"].push_back({{"name", gpu.name},
                              {"full_name", gpu.full_name},
                              {"arch", gpu.arch},
                              {"fit", gpu.fit},
                              {"constants", gpu.constants},
                              {"table", make_table(gpu)}});
  }
  for (const NamedDesign& design : named_designs(Target::gpu))
    json["designs"].push_back(design.name);
  for (const auto& [target, dialect] : {std::pair{Target::gpu, Dialect::cuda},
                                        {Target::gpu, Dialect::hip},
                                        {Target::cpu, Dialect::cuda}}) {
    for (const Baseline& algorithm : baselines(target, 1, dialect))
      json["libraries"].push_back(algorithm.name);
  }
  return json;
}

// --- counts

const GpuModel& model_called(const std::string& gpu) {
  if (const GpuModel* const model = find_gpu_model(gpu)) return *model;
  throw Error(fmt::format("no GPU is modelled as '{}'", gpu));
}

/// The devices that are asked for, opened once each.
class Toolchains {
 public:
  const EmulatorToolchain& of(const std::string& gpu) {
    std::unique_ptr<EmulatorToolchain>& tools = made_[gpu];
    if (tools) return *tools;
    tools = std::make_unique<EmulatorToolchain>(model_called(gpu), find_host_compiler(),
                                                find_emulator());
    if (tools->counts_verdict().empty()) return *tools;
    throw Error(ExitCode::no_device,
                fmt::format("the counts of g++ {} cannot be trusted ({})",
                            tools->compiler().version, tools->counts_verdict()));
  }

 private:
  std::map<std::string, std::unique_ptr<EmulatorToolchain>> made_;
};

/// The counts that EmulatedKernel::time asks for: a list a share of L1, of the launches' work. A
/// kernel of others may also wait for so many "searches" in L2, and have more "launches".
Json counts_json(const EmulatorToolchain& tools, const Kernel& kernel, const Json& question) {
  EmulatedKernel loaded(tools, kernel);
  if (const auto failure = loaded.build()) return rejected(*failure);
  const CacheRegime regime = question.at("cache") == "cold" ? CacheRegime::cold : CacheRegime::warm;
  const SpmvCase input = rounded_case(kernel, 1);
  Json works = Json::array();
  for (const double share : question.at("l1_shares")) {
    const auto counts = loaded.count(input, regime, share);
    if (!counts) return rejected(counts.failure());
    std::vector<LaunchWork> launches = launch_works(tools.gpu(), kernel, *counts);
    if (!launches.empty()) {
      launches.front().longest.l2 += question.value("searches", 0);
      launches.front().each.l2 += question.value("searches", 0);
    }
    launches.resize(std::max(launches.size(), question.value("launches", std::size_t{0})));
    works.push_back(launches);
  }
  return {{"works", works}};
}

// --- times

/// The launches of each of many designs.
using Works = std::vector<std::vector<LaunchWork>>;

/// In us, by the question's "constants"; where it is "single", of kernels launched one by one.
Json times_json(const Works& works, const Json& question) {
  GpuModel gpu = model_called(question.at("gpu"));
  if (question.at("single")) gpu.launch_us = gpu.launch_single_us;
  const ModelConstants constants = question.at("constants");
  std::vector<double> times;
  for (const std::vector<LaunchWork>& launches : works) {
    times.push_back(0);
    for (const LaunchWork& work : launches) times.back() += launch_time_us(gpu, work, constants);
  }
  return {{"times_us", times}};
}

// --- machine code

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<int>(byte));
  return text;
}

Json compiled_json(const Kernel& kernel, const std::string& arch) {
  const Result<CompiledKernel> compiled = compile_cached(kernel.source, arch);
  if (!compiled) return rejected(compiled.failure());
  Json launches = Json::array();
  for (const Launch& launch : kernel.launches) {
    const KernelFacts* const found = compiled->find(launch.kernel);
    const KernelFacts facts = found ? *found : KernelFacts();
    launches.push_back({{"kernel", launch.kernel},
                        {"registers", facts.registers},
                        {"spill_bytes", std::max(facts.spill_store_bytes, 0) +
                                            std::max(facts.spill_load_bytes, 0)}});
  }
  return {{"launches", launches}, {"cubin", hexadecimal(compiled->cubin)}};
}

// --- questions

/// A matrix of the twin's statistics with so many non-zeros.
Result<Matrix> make_twin(const Json& question) {
  const std::int64_t rows = question.at("rows"), nnz = question.at("nnz");
  for (const Twin& twin : twins()) {
    if (question.at("twin") != twin.name) continue;
    SyntheticOptions options = twin_options(twin, 1);
    if (options.rows != rows || options.cols != question.at("cols"))
      return Failure{Status::pruned, "has another size than its twin"};
    options.mean = static_cast<double>(nnz) / static_cast<double>(rows);
    return synthetic_matrix(options);
  }
  return Failure{Status::pruned, "has no twin"};
}

class Answers {
 public:
  Json to(const Json& question) {
    const std::string ask = question.at("ask");
    if (ask == "models") return models_json();
    if (ask == "matrix") return matrix(question);
    if (ask == "count" || ask == "compile") return answer_design(ask, question);
    if (ask == "keep") return {{"kept", keep(question)}};
    if (ask == "times") return times_json(kept_.at(question.at("kept")), question);
    throw Error(fmt::format("\"{}\" is no question", ask));
  }

 private:
  Json matrix(const Json& question) {
    designer_.reset();  // it refers to the matrix
    if (question.contains("twin")) {
      Result<Matrix> twin = make_twin(question);
      if (!twin) return rejected(twin.failure());
      matrix_ = std::move(*twin);
    } else {
      matrix_ = read_input(question.at("path"), read_dtype(question)).matrix;
    }
    designer_.emplace(matrix_);
    std::vector<std::int32_t> lengths;
    for (std::int32_t row = 0; row < matrix_.rows; ++row)
      lengths.push_back(matrix_.row_first[row + 1] - matrix_.row_first[row]);
    std::sort(lengths.begin(), lengths.end());
    const Fingerprints prints = fingerprints(matrix_);
    return {{"rows", matrix_.rows},
            {"cols", matrix_.cols},
            {"nnz", matrix_.nnz()},
            {"longest_row", lengths.empty() ? 0 : lengths.back()},
            {"third_row", lengths.empty() ? 0 : lengths[lengths.size() / 3]},
            {"fingerprints", {{"pattern", prints.pattern}, {"values", prints.values}}}};
  }

  std::size_t keep(const Json& question) {
    kept_.push_back(question.at("works"));
    return kept_.size() - 1;
  }

  Json answer_design(const std::string& ask, const Json& question) {
    if (!designer_) throw Error("no matrix was asked for before this design");
    try {
      const Dialect dialect =
          find_dialect(question.contains("gpu") ? model_called(question.at("gpu")).arch
                                                : question.at("arch").get<std::string>());
      Result<Kernel> kernel = designer_->build(resolve_design(question.at("design")),
                                               {read_dtype(question), 1, dialect});
      if (!kernel) return rejected(kernel.failure());
      if (ask == "compile") return compiled_json(*kernel, question.at("arch"));
      return count(*kernel, question);
    } catch (const std::bad_alloc&) {
      return {{"refused", "this machine's memory does not hold it"}};
    }
  }

  /// "format_bytes" of the question: a kernel of another size is not counted.
  Json count(Kernel& kernel, const Json& question) {
    Json answer = {{"format_bytes", kernel.format_bytes()}};
    if (question.value("format_bytes", kernel.format_bytes()) != kernel.format_bytes())
      return answer;
    for (Launch& launch : kernel.launches) {
      if (const int terms = question.value("terms_in_flight", 0); terms > 0)
        launch.in_flight = {terms};
      launch.values_wait = question.value("values_wait", false);
    }
    answer.update(counts_json(tools_.of(question.at("gpu")), kernel, question));
    return answer;
  }

  Toolchains tools_;
  Matrix matrix_;
  std::optional<Designer> designer_;
  std::vector<Works> kept_;
};

Json error_json(const char* what, ExitCode code) {
  return {{"error", printable(what)}, {"code", static_cast<int>(code)}};
}

Json answer_line(const std::string& line, Answers& answers) {
  try {
    return answers.to(Json::parse(line));
  } catch (const Error& error) {
    return error_json(error.what(), error.code());
  } catch (const std::exception& error) {
    return error_json(error.what(), ExitCode::bad_input);
  }
}

}  // namespace
}  // namespace alphasparse

int main() {
  using namespace alphasparse;
  Answers answers;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer_line(line, answers).dump(-1, ' ', false, Json::error_handler_t::replace)
              << std::endl;
  }
}
