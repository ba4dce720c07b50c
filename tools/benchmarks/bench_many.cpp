// bench_many: the cost of a tuning database as it grows.
//
//   bench_many [--problems N,...] [--program FILE] [--repeats N]
//
// Makes a database of N problems with random features and times, and a matrix that none of them
// has. Then `alphasparse` works on it, a process a command:
//
//   trials     of `tune --time 1s`, each repetition on a fresh copy of the database
//   at once    `tune --time 0`
//   learning   finding the designs that were fast on the nearest matrices, in this process
//   ...        `db show`, `db best` and `db prune --matrix` for one matrix
//   export     time and peak memory of `db export`, and of `db import` into an empty database
//   file       bytes of the database, and bytes that a search of 1 s adds to it
//
// Prints a table in Markdown with the smallest time of the repetitions, and the least and most
// trials. Times are seconds of a processor, which other work on the machine changes least; trials
// are fewer where it does other work.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/forked_task.h"
#include "search/strategies/warm_start.h"
#include "tools/benchmarks/parts.h"
#include "tools/console/tool_main.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr const char* device_name = "cpu:1";
constexpr std::size_t designs_each = 12;
constexpr std::int32_t matrix_rows = 2000;

struct Options {
  std::vector<std::int64_t> problems = {10, 1000, 20000};
  std::string program;
  int repeats = 3;
};

/// Numbers that a matrix of a size and kind may have; which ones does not matter here.
Features random_features(std::mt19937_64& random) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  Features features;
  features.rows = features.cols = static_cast<std::int64_t>(std::exp2(between(8, 20)));
  const double mean = std::exp2(between(0, 6));
  features.nnz = static_cast<std::int64_t>(mean * static_cast<double>(features.rows));
  for (Distribution* const lengths : {&features.row_lengths, &features.col_counts}) {
    lengths->mean = mean;
    lengths->max = static_cast<std::int64_t>(mean * std::exp2(between(0, 8)));
    lengths->variance = mean * between(0, 100);
    lengths->skew = between(0, 10);
    for (std::int64_t& quantile : lengths->quantiles) quantile = static_cast<std::int64_t>(mean);
  }
  features.pattern_symmetry = features.value_symmetry = between(0, 1);
  features.band_below = features.band_above = features.rows / 2;
  features.locality = {between(0, 1), between(0, 2), between(0, 1)};
  features.row_similarity = between(0, 1);
  for (BlockFeatures& blocks : features.blocks) blocks.fill = between(0, 1);
  features.diagonals = features.rows;
  features.fullest_diagonals = between(0, 1);
  features.distinct_values = features.nnz;
  return features;
}

Problem problem_number(std::int64_t number, const DeviceInfo& device, const Features& features) {
  Problem problem;
  problem.matrix = {fmt::format("{:032x}", number), fmt::format("{:032x}", number)};
  problem.rows = features.rows;
  problem.cols = features.cols;
  problem.nnz = features.nnz;
  problem.matrix_name = fmt::format("matrix{}", number);
  problem.device = device;
  problem.options = "values=fixed";
  problem.generator_version = generator_version;
  return problem;
}

void fill(const std::string& path, std::int64_t problems, const DeviceInfo& device) {
  Database database = Database::open(path);
  std::vector<std::string> designs = named_lines(device.target);
  std::mt19937_64 random(static_cast<std::uint64_t>(problems));
  for (std::int64_t number = 0; number < problems; ++number) {
    const Features features = random_features(random);
    const Problem problem = problem_number(number, device, features);
    const std::string run = database.begin_run(problem, {1, 0, 0});
    std::shuffle(designs.begin(), designs.end(), random);
    for (std::size_t i = 0; i < std::min(designs_each, designs.size()); ++i) {
      Measurement measurement;
      measurement.design = designs[i];
      measurement.verified = true;
      measurement.format_bytes = 12 * features.nnz;
      measurement.timing.emplace();
      measurement.timing->time_us = std::uniform_real_distribution(100.0, 200.0)(random);
      measurement.timing->time_us_p20 = measurement.timing->time_us_p80 =
          measurement.timing->time_us;
      measurement.timing->samples = 10;
      database.record(run, measurement);
    }
    database.keep_features(problem.matrix, stored_features(features));
    database.finish(run, RunState::complete, 1, static_cast<std::int64_t>(designs_each));
  }
}

/// Rows of three to nine entries.
std::string random_matrix() {
  std::mt19937_64 random(1);
  std::string entries;
  std::int64_t count = 0;
  for (std::int32_t row = 1; row <= matrix_rows; ++row) {
    const int length = std::uniform_int_distribution(3, 9)(random);
    const int first = std::uniform_int_distribution(1, matrix_rows - 40)(random);
    for (int i = 0; i < length; ++i, ++count)
      entries += fmt::format("{} {} {}\n", row, first + 4 * i, 1 + count % 7);
  }
  return fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n{}", matrix_rows,
                     matrix_rows, count, entries);
}

struct Cost {
  double seconds = 0;    ///< of a processor
  double megabytes = 0;  ///< at its highest
  std::string output;
};

/// In a fork, as its only child: the peak of one command is not another's.
Cost measure_cost(const std::vector<std::string>& command) {
  ForkedTask task([&](const ForkedTask::Report& report) {
    ChildOptions options;
    options.seconds_max = 3600;
    options.output_bytes_max = 64 << 20;
    const ChildResult result = run_child(command, options);
    if (!result.succeeded()) return report("e" + result.how_it_ended() + ": " + result.errors);
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    report(fmt::format("{} {} ", result.cpu_seconds, usage.ru_maxrss));
    report(result.output);
  });
  std::vector<std::string> reported;
  while (task.hear(reported)) {
  }
  task.how_it_ended();
  if (reported.empty() || reported.front().front() == 'e')
    throw Error(reported.empty() ? "a command told nothing" : reported.front().substr(1));
  const std::size_t blank = reported.front().find(' ');
  return {std::stod(reported.front()), std::stod(reported.front().substr(blank)) / 1024,
          reported.size() > 1 ? reported[1] : ""};
}

std::int64_t count_bytes(const std::string& database) {
  std::int64_t bytes = 0;
  for (const char* const ending : {"", "-wal"}) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(database + ending, missing);
    if (!missing) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

/// The cells of one column of the table, by the names of its rows.
using Column = std::vector<std::pair<std::string, std::string>>;

class Bench {
 public:
  Bench(const Options& options, const fs::path& folder, std::int64_t problems,
        const DeviceInfo& device)
      : options_(options), folder_(folder), device_(device) {
    fill(at("made.db"), problems, device);
    name_ = fmt::format("matrix{}", problems / 2);
  }

  Column run() {
    tune();
    learn();
    repeat("`db show NAME`, s", {"db", "show", name_});
    repeat("`db best NAME`, s", {"db", "best", name_});
    repeat("`db prune --matrix NAME`, s", {"db", "prune", "--matrix", name_});
    exchange();
    column_.emplace_back("database, bytes", fmt::format("{}", count_bytes(at("made.db"))));
    return column_;
  }

 private:
  std::string at(const char* name) const { return (folder_ / name).string(); }

  /// Works on a copy, so that every repetition finds the same rows.
  Cost run_copy(std::vector<std::string> command) {
    for (const char* const ending : {"", "-wal", "-shm"})
      fs::remove(at("copy.db") + std::string(ending));
    fs::copy_file(at("made.db"), at("copy.db"));
    command.insert(command.begin(), options_.program);
    command.insert(command.end(), {"--db", at("copy.db"), "--json"});
    return measure_cost(command);
  }

  void repeat(const char* row, const std::vector<std::string>& command) {
    double least = INFINITY;
    for (int i = 0; i < options_.repeats; ++i) least = std::min(least, run_copy(command).seconds);
    column_.emplace_back(row, fmt::format("{:.3f}", least));
  }

  std::vector<std::string> tune_command(const char* time) const {
    return {"tune",    at("new.mtx"), "--device", device_name, "-o",
            at("out"), "--time",      time,       "--quiet"};
  }

  void tune() {
    std::vector<std::int64_t> trials, bytes;
    for (int i = 0; i < options_.repeats; ++i) {
      const Cost cost = run_copy(tune_command("1s"));
      trials.push_back(nlohmann::json::parse(cost.output).at("trials_now"));
      bytes.push_back(count_bytes(at("copy.db")) - count_bytes(at("made.db")));
    }
    const auto [least, most] = std::minmax_element(trials.begin(), trials.end());
    column_.emplace_back("`tune --time 1s`, trials", *least == *most
                                                         ? fmt::format("{}", *least)
                                                         : fmt::format("{} to {}", *least, *most));
    repeat("`tune --time 0`, s", tune_command("0"));
    column_.emplace_back("bytes that a search of 1 s adds",
                         fmt::format("{}", *std::min_element(bytes.begin(), bytes.end())));
  }

  /// In this process: the work of a search before its first trial.
  void learn() {
    std::mt19937_64 random(0);
    const Features features = random_features(random);
    const Problem problem = problem_number(-1, device_, features);
    const double least = best_seconds(options_.repeats, [&] {
      Database database = Database::open_to_read(at("made.db"));
      const WarmStart warm = warm_start(database, problem, features);
      if (warm.designs.empty()) throw Error("nothing was learned from the database");
    });
    column_.emplace_back("learning from the nearest, s", fmt::format("{:.4f}", least));
  }

  void exchange() {
    const Cost out = run_copy({"db", "export", at("all.json")});
    fs::remove(at("made-again.db"));
    const Cost in = measure_cost(
        {options_.program, "db", "import", at("all.json"), "--db", at("made-again.db"), "--json"});
    for (const auto& [row, cost] : {std::pair("export", &out), {"import", &in}}) {
      column_.emplace_back(fmt::format("`db {}`, s", row), fmt::format("{:.2f}", cost->seconds));
      column_.emplace_back(fmt::format("`db {}`, peak MB", row),
                           fmt::format("{:.0f}", cost->megabytes));
    }
  }

  const Options& options_;
  const fs::path folder_;
  const DeviceInfo device_;
  std::string name_;
  Column column_;
};

Options parse(int argument_count, char** arguments) {
  Options options;
  options.program = fs::canonical("/proc/self/exe").parent_path().parent_path() / "alphasparse";
  CLI::App app("What a tuning database costs as it grows", "bench_many");
  app.add_option("--problems", options.problems, "Sizes of the databases")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--program", options.program, "The alphasparse to measure")->capture_default_str();
  app.add_option("--repeats", options.repeats, "Of each command")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see bench_many --help", error.what()));
  }
  return options;
}

int run(int argument_count, char** arguments) {
  const Options options = parse(argument_count, arguments);
  const DeviceInfo device = open_device(device_name)->info();
  std::vector<Column> columns;
  std::string head = "| problems |", line = "|---|";
  for (const std::int64_t problems : options.problems) {
    const TemporaryFolder folder;
    folder.write("new.mtx", random_matrix());
    columns.push_back(Bench(options, folder.path(), problems, device).run());
    head += fmt::format(" {} |", problems);
    line += "---|";
  }
  fmt::print("{}\n{}\n", head, line);
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    fmt::print("| {} |", columns.front()[row].first);
    for (const Column& column : columns) fmt::print(" {} |", column[row].second);
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_many",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
