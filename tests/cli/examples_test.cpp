// cli_examples: the projects below examples, built with an installed alphasparse and run as their
// users would.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

struct CliExamples : ::testing::Test {
  /// Installs alphasparse and runs the example's own script there.
  CommandOutcome run(const std::string& example, const std::string& arguments) const {
    const std::filesystem::path prefix = folder / "installed";
    const CommandOutcome installed = run_command(fmt::format(
        "cmake --install '{}' --prefix '{}' 2>&1", ALPHASPARSE_BINARY_DIR, prefix.string()));
    EXPECT_EQ(installed.status, 0) << installed.output;
    std::filesystem::create_directories(folder / "project");
    return run_command(
        fmt::format("cd '{0}/project' && ALPHASPARSE_PROGRAM='{0}/installed/bin/alphasparse' "
                    "'{0}/installed/share/alphasparse/examples/{1}/run' {2} 2>&1 || "
                    "{{ cat */cmake.log */*/cmake.log; exit 1; }}",
                    folder.path().string(), example, arguments));
  }

  /// The numbers of iterations that stand behind a name.
  static std::vector<int> iterations_of(const std::string& output) {
    std::vector<int> all;
    const std::regex line("([0-9]+) iterations");
    for (std::sregex_iterator match(output.begin(), output.end(), line), end; match != end; ++match)
      all.push_back(std::stoi((*match)[1]));
    return all;
  }

  TestFolder folder;
};

TEST_F(CliExamples, TheSolverTakesTheIterationsThatEigensTakes) {
  if (!std::filesystem::exists("/usr/include/eigen3/Eigen/SparseCore"))
    GTEST_SKIP()
        << "Eigen is not there (libeigen3-dev; tools/setup --all): the solver was not built";
  const CommandOutcome first =
      run("solver", "--kind blocks --nnz 20000 --time 1s --method cg --order own");
  const CommandOutcome second = run_command(fmt::format(
      "cd '{0}/project/solver_out' && '{0}/installed/bin/alphasparse' emit spd_blocks.mtx --device "
      "cpu:1 --dtype f64 --runtime shared --vectors-order own --name spd_blocks_own --design "
      "'permute by=degree | compress | thread_rows rows=1 | thread_total | global_store | launch "
      "tasks=bytes' >emit.log 2>&1 && cmake --build spd_blocks >>emit.log 2>&1 || cat emit.log; "
      "spd_blocks/solve spd_blocks.mtx --method bicgstab 2>&1",
      folder.path().string()));
  for (const CommandOutcome& outcome : {first, second}) {
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    const std::vector<int> iterations = iterations_of(outcome.output);
    ASSERT_EQ(iterations.size(), 3U) << outcome.output;
    EXPECT_GT(iterations[0], 3);
    EXPECT_NEAR(iterations[0], iterations[1], 1) << outcome.output;
    EXPECT_NEAR(iterations[0], iterations[2], 1) << outcome.output;
    EXPECT_NE(outcome.output.find("times as fast an iteration"), std::string::npos);
  }
  EXPECT_NE(second.output.find("\nown order "), std::string::npos) << second.output;
}

TEST_F(CliExamples, TheSolverTakesComplexNumbers) {
  if (!std::filesystem::exists("/usr/include/eigen3/Eigen/SparseCore"))
    GTEST_SKIP() << "Eigen is not there (libeigen3-dev): the solver was not built";
  const auto expect_equal = [](const CommandOutcome& outcome, const std::string& type, int off) {
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    const std::vector<int> iterations = iterations_of(outcome.output);
    ASSERT_EQ(iterations.size(), 2U) << outcome.output;
    EXPECT_GT(iterations[0], 1);
    EXPECT_NEAR(iterations[0], iterations[1], off) << outcome.output;
    EXPECT_NE(outcome.output.find("non-zeros of " + type), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("times as fast an iteration"), std::string::npos);
  };
  expect_equal(run("solver", "--kind blocks --nnz 20000 --time 1s --dtype c128"), "c128", 0);
  const std::string folder_of_all = (folder / "project/solver_out").string();
  const auto solve = [&](const std::string& options) {
    return run_command(fmt::format("cd '{}' && spd_blocks_c128/solve spd_blocks_c128.mtx {} 2>&1",
                                   folder_of_all, options));
  };
  expect_equal(solve("--method bicgstab"), "c128", 1);
  EXPECT_EQ(solve("--vectors 2").output, "solve: error: --vectors is for real numbers alone\n");
  const auto emit = [&](const std::string& options) {
    const CommandOutcome emitted = run_command(
        fmt::format("cd '{0}' && '{1}/installed/bin/alphasparse' emit {2} --device cpu:1 --name "
                    "spd_blocks_c128 --design csr-scalar && cmake --build spd_blocks_c128 2>&1",
                    folder_of_all, folder.path().string(), options));
    ASSERT_EQ(emitted.status, 0) << emitted.output;
  };
  // One triangle, as files of Hermitian matrices have it.
  set_contents(folder / "project/solver_out/one.mtx",
               "%%MatrixMarket matrix coordinate complex Hermitian\n5 5 7\n1 1 4 0\n2 2 5 0\n"
               "3 3 6 0\n4 4 7 0\n5 5 8 0\n2 1 1 -1\n5 2 0 2\n");
  emit("one.mtx --dtype c64");
  const CommandOutcome one =
      run_command(fmt::format("cd '{}' && spd_blocks_c128/solve one.mtx 2>&1", folder_of_all));
  expect_equal(one, "c64", 0);
  EXPECT_NE(one.output.find("5 rows, 9 non-zeros"), std::string::npos) << one.output;
}

/// The iterations that NumPy takes for so many of the example's right sides; -1 without NumPy.
int numpy_iterations(const std::filesystem::path& matrix, int columns) {
  const std::string root = ALPHASPARSE_SOURCE_DIR;
  const CommandOutcome outcome =
      run_command(fmt::format("python=$('{0}/python/find' numpy scipy) && $python -B "
                              "'{0}/tests/block_gradients.py' '{1}' {2}",
                              root, matrix.string(), columns));
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 77) << outcome.output;
  return outcome.status == 0 ? std::stoi(outcome.output) : -1;
}

TEST_F(CliExamples, TheSolverTakesSeveralRightSidesAtOnce) {
  if (!std::filesystem::exists("/usr/include/eigen3/Eigen/SparseCore"))
    GTEST_SKIP() << "Eigen is not there (libeigen3-dev): the solver was not built";
  const CommandOutcome outcome = run("solver", "--kind 5-point --nnz 20000 --time 1s --vectors 8");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const std::vector<int> iterations = iterations_of(outcome.output);
  ASSERT_EQ(iterations.size(), 3U) << outcome.output;
  EXPECT_LT(8 * iterations[0], iterations[1]) << outcome.output;
  EXPECT_NE(outcome.output.find("\nblock        "), std::string::npos) << outcome.output;
  const std::filesystem::path built = folder / "project/solver_out";
  const int expected = numpy_iterations(built / "spd_5_point.mtx", 8);
  EXPECT_TRUE(expected < 0 || std::abs(iterations[0] - expected) <= 1)
      << expected << outcome.output;

  const auto expect_refused = [&](const std::string& options, const std::string& text) {
    const CommandOutcome refused = run_command(fmt::format(
        "cd '{}' && spd_5_point/solve spd_5_point.mtx {} 2>&1", built.string(), options));
    EXPECT_EQ(refused.status, 2) << refused.output;
    EXPECT_EQ(refused.output, "solve: error: " + text + "\n");
  };
  const std::string remedy = ": tune --vectors makes such kernels";
  expect_refused("--vectors 4",
                 "the kernel spd_5_point_vectors_cpu is for 8 vectors, not for 4" + remedy);
  expect_refused("--vectors 8 --method bicgstab", "--vectors is for --method cg alone");
  const auto expect_kernel_refused = [&](const std::string& options, const std::string& text) {
    const CommandOutcome emitted = run_command(fmt::format(
        "cd '{0}' && '{1}/installed/bin/alphasparse' emit spd_5_point.mtx --device cpu:1 --runtime "
        "shared --name spd_5_point_vectors --design csr-scalar {2} && cmake --build spd_5_point "
        "2>&1",
        built.string(), folder.path().string(), options));
    ASSERT_EQ(emitted.status, 0) << emitted.output;
    expect_refused("--vectors 8", text);
  };
  expect_kernel_refused("--dtype f64",
                        "the kernel spd_5_point_vectors_cpu is for 1 vector, not for 8" + remedy);
  expect_kernel_refused("--dtype f32 --vectors 8", "the kernel is for f32: tune with --dtype f64");
}

/// Columns that are equal, nearly so, zero, or of other lengths take no longer than their span.
TEST_F(CliExamples, RightSidesMayDependOnEachOther) {
  const std::filesystem::path matrix = folder / "m.mtx";
  const CommandOutcome outcome = run_command(fmt::format(
      "cd '{0}' && g++ -O2 -o make_spd '{1}/examples/solver/make_spd.cpp' 2>&1 && ./make_spd "
      "5-point 20000 m.mtx && g++ -std=c++17 -O2 -march=native -fopenmp -Wall -Wextra -Wpedantic "
      "-Werror -I'{1}/examples/solver' '{1}/tests/standalone/block_gradients_driver.cpp' -o driver "
      "2>&1 && OMP_NUM_THREADS=2 ./driver m.mtx",
      folder.path().string(), ALPHASPARSE_SOURCE_DIR));
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  std::istringstream lines(outcome.output);
  std::map<std::string, int> iterations;
  double residual = 0;
  for (std::string name; lines >> name >> iterations[name] >> residual;)
    EXPECT_LE(residual, 1.01e-8) << outcome.output;
  const int of_eight = numpy_iterations(matrix, 8), of_four = numpy_iterations(matrix, 4);
  if (of_four < 0) GTEST_SKIP() << "no python3 has NumPy and SciPy: iterations were not compared";
  EXPECT_NEAR(iterations["different"], of_eight, 1);
  for (const char* const set : {"repeated", "alike"}) {
    EXPECT_GT(iterations[set], 3) << outcome.output;
    EXPECT_LE(iterations[set], of_four + 1) << outcome.output;
  }
}

TEST_F(CliExamples, PetscSolvesByTheBlocksOfTwoProcesses) {
  int solved = 0;
  for (const std::string scalars : {"real", "complex"}) {
    const std::string find = "command -v mpiexec && ls /usr/lib/petscdir/petsc*/*-" + scalars;
    if (run_command(find + "/lib/pkgconfig").status != 0) continue;
    const CommandOutcome outcome =
        run("petsc", "--nnz 20000 --time 1s --processes 2 --scalars " + scalars);
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("2 processes"), std::string::npos) << outcome.output;
    const std::vector<int> iterations = iterations_of(outcome.output);
    ASSERT_EQ(iterations.size(), 2U) << outcome.output;
    EXPECT_GT(iterations[0], 3);
    EXPECT_NEAR(iterations[0], iterations[1], 1) << outcome.output;
    ++solved;
  }
  if (solved == 0)
    GTEST_SKIP() << "PETSc is not there (petsc-dev; tools/setup --all): the shell was not built";
}

/// Installs alphasparse and configures a project of this language that adds a kernel.
CommandOutcome configured(const TestFolder& folder, const std::string& language,
                          const std::string& source, const std::string& kernel) {
  CommandOutcome outcome = run_command(fmt::format(
      "cmake --install '{}' --prefix '{}' 2>&1", ALPHASPARSE_BINARY_DIR, (folder / "p").string()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  set_contents(folder / "CMakeLists.txt",
               fmt::format("cmake_minimum_required(VERSION 3.25)\nproject(user {})\n"
                           "find_package(alphasparse REQUIRED)\nadd_library(user STATIC {})\n"
                           "alphasparse_add_kernel(user {})\n",
                           language, source, kernel));
  set_contents(folder / source, "int answer(void) { return 42; }\n");
  return run_command(
      fmt::format("cmake -G Ninja -S '{0}' -B '{0}/b' -DCMAKE_PREFIX_PATH='{0}/p' 2>&1",
                  folder.path().string()));
}

// CMake breaks long lines of a message between words.

TEST_F(CliExamples, AKernelThatIsNotThereIsRefusedByName) {
  const CommandOutcome outcome = configured(folder, "CXX", "user.cpp", "missing.cpu.cpp");
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("missing\\.cpu\\.cpp\\s+is\\s+not")))
      << outcome.output;
}

/// A project of two kernels that share their header, from its installation to its program. Its
/// unity build would have both kernels in one unit.
TEST_F(CliExamples, KernelsThatShareAHeaderHaveItCompiledOnce) {
  const std::string program = ALPHASPARSE_BINARY_DIR "/alphasparse";
  set_contents(folder / "m.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 4\n");
  for (const char* const design : {"csr-scalar", "merge-csr"}) {
    const CommandOutcome emitted = run_command(
        fmt::format("cd '{}' && '{}' emit m.mtx --device cpu:1 --design {} --name {} --runtime "
                    "shared 2>&1",
                    folder.path().string(), program, design, design));
    ASSERT_EQ(emitted.status, 0) << emitted.output;
  }
  const CommandOutcome installed = run_command(fmt::format(
      "cmake --install '{}' --prefix '{}' 2>&1", ALPHASPARSE_BINARY_DIR, (folder / "p").string()));
  ASSERT_EQ(installed.status, 0) << installed.output;
  set_contents(folder / "CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(user C CXX)\n"
               "find_package(alphasparse REQUIRED)\nadd_executable(user user.c)\n"
               "alphasparse_add_kernel(user csr-scalar.cpu.cpp)\nadd_subdirectory(sub)\n");
  std::filesystem::create_directories(folder / "sub");
  set_contents(folder / "sub/CMakeLists.txt",
               "alphasparse_add_kernel(user ../merge-csr.cpu.cpp)\n");
  set_contents(folder / "user.c",
               "#include \"csr-scalar.cpu.h\"\n#include \"merge-csr.cpu.h\"\n"
               "int main(void) {\n"
               "  const float x[2] = {1, 10};\n  float y[2], z[2];\n"
               "  alphasparse_handle *a, *b;\n"
               "  if (csr_scalar_cpu_load(\"csr-scalar.cpu.safetensors\", &a)) return 1;\n"
               "  if (merge_csr_cpu_load(\"merge-csr.cpu.safetensors\", &b)) return 2;\n"
               "  if (csr_scalar_cpu_spmv(a, x, y, 1, 0) || merge_csr_cpu_spmv(b, x, z, 1, 0)) "
               "return 3;\n"
               "  return !(y[0] == 3 && y[1] == 40 && z[0] == 3 && z[1] == 40);\n}\n");
  const CommandOutcome built =
      run_command(fmt::format("cd '{}' && cmake -G Ninja -S . -B b -DCMAKE_UNITY_BUILD=ON "
                              "-DCMAKE_PREFIX_PATH=\"$PWD/p\" && cmake --build b -v && b/user 2>&1",
                              folder.path().string()));
  EXPECT_EQ(built.status, 0) << built.output;
  const auto commands_with = [&](const std::string& part) {
    const std::regex line("-c [^\n]*" + part);
    return std::distance(std::sregex_iterator(built.output.begin(), built.output.end(), line), {});
  };
  EXPECT_EQ(commands_with("alphasparse_runtime\\.cpp"), 1) << built.output;
  EXPECT_EQ(commands_with("csr-scalar\\.cpu\\.cpp"), 1);
  for (const char* const kernel : {"csr-scalar", "merge-csr"}) {
    const std::regex flags("-DALPHASPARSE_RUNTIME_COMPILED [^\n]*-march=native [^\n]*-c [^\n]*" +
                           std::string(kernel));
    EXPECT_TRUE(std::regex_search(built.output, flags)) << kernel << "\n" << built.output;
  }
}

/// Kernels in folders with names that CMake's own language, shells, Ninja and C read in their ways.
TEST_F(CliExamples, FoldersOfAnyNameWorkOrAreRefusedByTheFunction) {
  set_contents(folder / "m.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n");
  const CommandOutcome emitted = run_command(
      fmt::format("cd '{}' && '{}' emit m.mtx --device cpu:1 --design csr-scalar -o kernel 2>&1",
                  folder.path().string(), ALPHASPARSE_BINARY_DIR "/alphasparse"));
  ASSERT_EQ(emitted.status, 0) << emitted.output;
  const auto place = [&](const std::string& name) {
    std::filesystem::copy(folder / "kernel", folder / name);
    return fmt::format("[==[{}]==]", (folder / (name + "/m.cpu.cpp")).string());
  };
  std::string targets;
  int count = 0;
  for (const char* const name :
       {"a b'c", "a$b${HOME}", "\xc3\xa4#b", "-a", "a?\?!b?\?/", "a[b]c"}) {
    targets += fmt::format(
        "add_executable(user{0} user.c)\nset_target_properties(user{0} PROPERTIES C_STANDARD 99 "
        "C_EXTENSIONS OFF)\nalphasparse_add_kernel(user{0} {1})\n",
        count++, place(name));
  }
  const std::string head =
      "cmake_minimum_required(VERSION 3.25)\nproject(user C CXX)\n"
      "include(\"" ALPHASPARSE_BINARY_DIR "/alphasparse-config.cmake\")\n";
  const auto run_cmake = [&](const std::string& text, const std::string& rest) {
    set_contents(folder / "CMakeLists.txt", head + text);
    return run_command(fmt::format("cd '{}' && cmake -G Ninja -S . -B b 2>&1 && {}",
                                   folder.path().string(), rest));
  };
  set_contents(folder / "user.c",
               "#include \"m.cpu.h\"\nconst alphasparse_kernel* ALPHASPARSE_INTERFACE(void);\n"
               "int main(void) {\n  alphasparse_handle* handle;\n"
               "  return ALPHASPARSE_INTERFACE()->load(ALPHASPARSE_FORMAT, &handle);\n}\n");
  const CommandOutcome built =
      run_cmake(targets, fmt::format("cmake --build b 2>&1 && for i in $(seq 0 {}); do b/user$i || "
                                     "exit 9; done",
                                     count - 1));
  EXPECT_EQ(built.status, 0) << built.output;
  for (const char* const name : {"a;b", "a\"b", "a$<1:x>b", "a\nb", "a[b", "a|b"}) {
    const CommandOutcome refused = run_cmake(
        "add_library(user user.c)\nalphasparse_add_kernel(user " + place(name) + ")\n", ":");
    EXPECT_NE(refused.status, 0) << name;
    EXPECT_TRUE(std::regex_search(refused.output,
                                  std::regex("alphasparse_add_kernel:\\s+CMake\\s+takes\\s+no")))
        << refused.output;
    const std::string error = "CMake Error";
    EXPECT_EQ(refused.output.find(error, refused.output.find(error) + 1), std::string::npos)
        << refused.output;
  }
}

TEST_F(CliExamples, AProjectInCIsToldThatKernelsNeedCxx) {
  set_contents(folder / "m.cpu.cpp", "");
  const CommandOutcome outcome = configured(folder, "C", "user.c", "m.cpu.cpp");
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("LANGUAGES\\s+C\\s+CXX")))
      << outcome.output;
}

}  // namespace
}  // namespace alphasparse
