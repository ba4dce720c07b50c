// ctest label: emulator
// cli_cpu_files: the files of a kernel for CPUs. They are a program that checks itself, and C
// functions that link with those of other kernels, of either target.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* strict = "-std=c++17 -fopenmp -Wall -Wextra -Wpedantic -Werror";

struct CliCpuFiles : ::testing::Test {
  CliCpuFiles() {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    set_contents(folder / "first.mtx", head + "3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 4\n");
    std::string second = head + "70 70 70\n";
    for (int row = 1; row <= 70; row += 2) second += fmt::format("{0} {0} 4\n{0} 70 3\n", row);
    set_contents(folder / "second.mtx", second);
  }

  json emit(const std::string& arguments) {
    const CliOutcome outcome = run_cli(folder, "emit -o out --json " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? json::parse(outcome.out) : json();
  }

  CommandOutcome run_in_folder(const std::string& command) {
    return run_command(fmt::format("cd {}/out && {}", folder.path().string(), command));
  }

  TestFolder folder;
};

TEST_F(CliCpuFiles, AProgramChecksAndTimesItself) {
  const json result = emit("first.mtx --device cpu:2 --design csr5 --dtype f64");
  EXPECT_EQ(result["files"]["source"], "out/first.cpu.cpp");
  EXPECT_EQ(result["files"]["header"], "out/first.cpu.h");
  EXPECT_FALSE(result["files"].contains("kernels"));
  const CommandOutcome built = run_in_folder(
      fmt::format("g++ {} -O2 -DALPHASPARSE_MAIN first.cpu.cpp -o first.cpu", strict));
  ASSERT_EQ(built.status, 0) << built.output;
  const CommandOutcome outcome = run_in_folder("env -u OMP_NUM_THREADS ./first.cpu --repeat 3");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  for (const std::string said :
       {"y = 2 A x - y: right", "other values: right", "2 threads", "3 batches", "time "}) {
    EXPECT_NE(outcome.output.find(said), std::string::npos) << said << "\n" << outcome.output;
  }
  EXPECT_EQ(outcome.output.find("note"), std::string::npos) << outcome.output;
  const CommandOutcome one = run_in_folder("OMP_NUM_THREADS=1 ./first.cpu --repeat 1");
  EXPECT_NE(one.output.find("1 thread\n"), std::string::npos) << one.output;
  std::string text = contents(folder / "out/first.cpu.cpp");
  const std::string tuned = "constexpr const char* tuned_on = \"";
  ASSERT_NE(text.find(tuned), std::string::npos);
  text.insert(text.find(tuned) + tuned.size(), "Other ");
  text.replace(text.find("out[row] = "), 11, "out[row] = 2 * ");
  set_contents(folder / "out/first.cpu.cpp", text);
  const CommandOutcome spoilt = run_in_folder(
      "g++ -fopenmp -O0 -DALPHASPARSE_MAIN first.cpu.cpp -o first.cpu && ./first.cpu");
  EXPECT_EQ(spoilt.status, 1) << spoilt.output;
  EXPECT_NE(spoilt.output.find("WRONG"), std::string::npos) << spoilt.output;
  EXPECT_NE(spoilt.output.find("tuned on another processor, Other "), std::string::npos)
      << spoilt.output;
  const CommandOutcome absent = run_in_folder("./first.cpu nowhere.safetensors");
  EXPECT_EQ(absent.status, 2) << absent.output;
}

TEST_F(CliCpuFiles, ItNeedsOpenMp) {
  emit("first.mtx --device cpu:1 --design csr-scalar");
  const CommandOutcome built = run_in_folder("g++ -std=c++17 -fsyntax-only first.cpu.cpp");
  EXPECT_NE(built.status, 0);
  EXPECT_NE(built.output.find("compile with -fopenmp"), std::string::npos) << built.output;
}

TEST_F(CliCpuFiles, BothTargetsAndAnotherMatrixAreOneProgram) {
  emit("first.mtx --device emulated:h200 --design csr-scalar");
  emit("first.mtx --device cpu:2 --design sell-c-sigma");
  emit(
      "second.mtx --device cpu:1 --dtype f64 --prefix own --design 'reorder by=columns x=gathered "
      "| compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | compact values=coded | launch tasks=bytes'");
  for (const std::string name : {"first.cpu", "second.cpu"}) {
    const CommandOutcome compiled =
        run_in_folder(fmt::format("g++ {} -O1 -c {}.cpp -o {}.o", strict, name, name));
    ASSERT_EQ(compiled.status, 0) << compiled.output;
    std::set<std::string> names, expected;
    std::istringstream lines(
        run_in_folder(fmt::format("nm -C --defined-only --extern-only {}.o", name)).output);
    for (std::string address, type, symbol;
         lines >> address >> type && std::getline(lines, symbol);) {
      const bool weak = type == "W" || type == "V" || type == "u";
      if (!weak) names.insert(symbol.substr(1));
      if (weak) {
        for (const char* ours : {"alphasparse", "anonymous", "Format", "Lanes"}) {
          EXPECT_EQ(symbol.find(ours), std::string::npos) << symbol;
        }
      }
    }
    for (const char* function :
         {"load", "set_threads", "spmv", "update_values", "free", "message", "interface"}) {
      expected.insert(fmt::format("{}_{}", name == "first.cpu" ? "first_cpu" : "own", function));
    }
    EXPECT_EQ(names, expected);
  }
  const std::string tests = ALPHASPARSE_SOURCE_DIR "/tests/standalone";
  const CommandOutcome linked =
      run_in_folder(fmt::format("g++ -x c++ -std=c++17 -O0 -I {0} -c first.cu -o first.o && "
                                "gcc -std=c99 -fopenmp -Wall -Wextra -Werror -pedantic -I . -c "
                                "{0}/cpu_link_driver.c -o driver.o && "
                                "g++ -fopenmp driver.o first.o first.cpu.o second.cpu.o -o program",
                                tests));
  ASSERT_EQ(linked.status, 0) << linked.output;
  const CommandOutcome outcome = run_in_folder("./program .");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(CliCpuFiles, ClangTakesThemToo) {
  const bool is_there =
      run_command("echo '#include <omp.h>' | clang++ -x c++ -fopenmp -fsyntax-only -").status == 0;
  if (!is_there)
    GTEST_SKIP() << "no kernel for CPUs was compiled by clang++: it, or its OpenMP "
                    "(libomp-dev), is not installed";
  for (const char* const form : {"standalone", "shared"}) {
    for (const char* const design : {"csr5", "sell-c-sigma", "merge-csr", "csr-vector"}) {
      emit(fmt::format("first.mtx --device cpu:1 --design {} --runtime {}", design, form));
      const CommandOutcome built = run_in_folder(
          fmt::format("clang++ {} -fsyntax-only -DALPHASPARSE_MAIN first.cpu.cpp", strict));
      EXPECT_EQ(built.status, 0) << design << ", " << form << "\n" << built.output;
    }
  }
}

/// A form of the files for one target, and a compiler of them.
struct Form {
  const char *device, *runtime, *compiler, *ending;

  /// Its flags, with those that let g++ take CUDA for the host.
  std::string flags() const {
    if (std::string_view(ending) == ".cpu") return "-std=c++17 -fopenmp -x c++";
    return std::string("-std=c++17 -x c++ -I " ALPHASPARSE_SOURCE_DIR "/tests/standalone");
  }
  std::string source(const std::string& name) const {
    return name + (std::string_view(ending) == ".cpu" ? ".cpu.cpp" : ".cu");
  }
};

std::vector<Form> forms() {
  const bool has_clang =
      run_command("echo '#include <omp.h>' | clang++ -x c++ -fopenmp -fsyntax-only -").status == 0;
  const char* const other = has_clang ? "clang++" : "g++";
  return {{"cpu:1", "standalone", "g++", ".cpu"},
          {"cpu:1", "shared", other, ".cpu"},
          {"emulated:h200", "standalone", other, ""},
          {"emulated:h200", "shared", "g++", ""}};
}

// With RTLD_GLOBAL the C functions of the first stand for those of the second, wherever these are
// called by their names.
TEST_F(CliCpuFiles, LibrariesOfOnePrefixGiveTheirOwnProducts) {
  set_contents(folder / "third.mtx",
               "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 5\n3 2 6\n");
  const std::string tests = ALPHASPARSE_SOURCE_DIR "/tests/standalone";
  for (const Form& form : forms()) {
    std::string commands =
        fmt::format("gcc -std=c99 -I . '{}/interposed_driver.c' -o driver -ldl", tests);
    for (const char* const name : {"first", "third"}) {
      emit(fmt::format("{}.mtx --prefix same --design csr-scalar --device {} --runtime {}", name,
                       form.device, form.runtime));
      commands += fmt::format(" && {} {} -O0 -fPIC -shared {} -o {}.so", form.compiler,
                              form.flags(), form.source(name), name);
    }
    const CommandOutcome outcome = run_in_folder(fmt::format(
        "{0} && ./driver ./first.so first{1}.safetensors 10 ./third.so third{1}.safetensors 11",
        commands, form.ending));
    EXPECT_EQ(outcome.status, 0) << form.device << ", " << form.runtime << ", " << form.compiler
                                 << "\n"
                                 << outcome.output;
  }
}

TEST_F(CliCpuFiles, TwoKernelsInOneUnitAreToldAsThat) {
  for (const Form& form : forms()) {
    std::string unit;
    for (const char* const name : {"first", "second"}) {
      emit(fmt::format("{}.mtx --design csr-scalar --device {} --runtime {}", name, form.device,
                       form.runtime));
      unit += fmt::format("#include \"{}\"\n", form.source(name));
    }
    set_contents(folder / "out/unit.cpp", unit);
    const CommandOutcome outcome =
        run_in_folder(fmt::format("{} {} -fsyntax-only unit.cpp", form.compiler, form.flags()));
    EXPECT_NE(outcome.status, 0);
    const std::size_t error = outcome.output.find("error:");
    EXPECT_NE(outcome.output.substr(error, outcome.output.find('\n', error) - error)
                  .find("two kernels in one unit: compile each file alone, in CMake by "
                        "SKIP_UNITY_BUILD_INCLUSION"),
              std::string::npos)
        << outcome.output;
  }
}

}  // namespace
}  // namespace alphasparse
