// ctest label: emulator
// cli_shared_runtime: kernels that share alphasparse_runtime.h. They build alone and together, give
// the numbers of standalone ones, and never meet another version of the header unnoticed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/version.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* strict_flags = "-std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror";
/// For programs whose numbers count: g++ finds more at -O1, and is quicker without it.
constexpr const char* quick_flags = "-std=c++17 -O0 -Wall -Wextra -Wpedantic -Werror";
constexpr const char* as_cuda =
    "-x c++ -Wno-unused-parameter -Wno-unknown-pragmas -I " ALPHASPARSE_SOURCE_DIR
    "/tests/standalone";

/// A kernel that computes arrays, and one with a workspace, a dictionary and doubles. Their threads
/// do not meet, so that the host can run them.
constexpr const char* computing =
    "'sort_rows | compress | thread_rows rows=1 | thread_total | global_store | compact "
    "columns=full structure=full | launch threads=32'";
constexpr const char* gathering =
    "'reorder by=columns x=gathered | compress | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_store | launch threads=32'";

struct CliSharedRuntime : ::testing::Test {
  CliSharedRuntime() {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    set_contents(folder / "first.mtx", head + "3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 4\n");
    set_contents(folder / "second.mtx", head + "3 3 5\n1 1 1\n2 1 10\n2 2 2\n3 1 30\n3 3 3\n");
    std::string twos = head + "100 3 100\n";
    for (int row = 0; row < 100; ++row) twos += fmt::format("{} {} 2\n", row + 1, row % 3 + 1);
    set_contents(folder / "3-d tiles.mtx", twos);
    set_contents(folder / "hermitian.mtx",
                 "%%MatrixMarket matrix coordinate complex hermitian\n"
                 "3 3 4\n1 1 2 0\n2 1 1 1\n3 2 0 -1\n3 3 4 0\n");
  }

  CliOutcome run(const std::string& words) { return run_cli(folder, words); }

  void emit(const std::string& words) {
    const CliOutcome outcome = run("emit --runtime shared " + words);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  void emit_cuda(const std::string& words) { emit("--device emulated:h200 -o out " + words); }
  void emit_cpu(const std::string& words) { emit("--device cpu:2 -o out " + words); }

  CommandOutcome run_in(const std::string& place, const std::string& command) {
    return run_command(fmt::format("cd {}/{} && {}", folder.path().string(), place, command));
  }

  void build(const std::string& command) {
    const CommandOutcome outcome = run_in("out", command);
    ASSERT_EQ(outcome.status, 0) << command << "\n" << outcome.output;
  }

  /// The kernels of tests/standalone/link_driver.c.
  void emit_three() {
    emit_cuda("first.mtx --design csr-scalar");
    emit("first.mtx --device emulated:h200 -o out/renamed --design csr-scalar --prefix other");
    emit_cuda(std::string("second.mtx --dtype f64 --prefix kernel_2 --design ") + gathering);
    emit_cuda(std::string("'3-d tiles.mtx' --design ") + computing);
  }

  TestFolder folder;
};

/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The kernel's lines, by those that the head of the file names.
std::vector<std::string> kernel_lines(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  for (const std::string& line : lines) {
    std::size_t first = 0, last = 0;
    if (std::sscanf(line.c_str(), "//   kernel   lines %zu to %zu", &first, &last) == 2)
      return {lines.begin() + static_cast<std::ptrdiff_t>(first) - 1,
              lines.begin() + static_cast<std::ptrdiff_t>(last)};
  }
  return {};
}

TEST_F(CliSharedRuntime, ASourceHasItsKernelAndLittleMore) {
  emit_cuda("first.mtx --design csr-scalar --json");
  const std::string shared = contents(folder / "out/first.cu");
  EXPECT_LE(lines_of(shared).size(), 170U);
  emit_cpu("first.mtx --design csr-scalar");
  EXPECT_LE(lines_of(contents(folder / "out/first.cpu.cpp")).size(), 170U);
  ASSERT_EQ(run("emit first.mtx --design csr-scalar --device emulated:h200 -o alone").status, 0);
  const std::string alone = contents(folder / "alone/first.cu");
  EXPECT_LE(lines_of(alone).size(), 1880U);
  ASSERT_FALSE(kernel_lines(shared).empty());
  EXPECT_EQ(kernel_lines(shared).back(), "}");
  EXPECT_EQ(kernel_lines(shared), kernel_lines(alone));
  EXPECT_FALSE(std::filesystem::exists(folder / "alone/alphasparse_runtime.h"));
}

TEST_F(CliSharedRuntime, TheHeaderIsTheSameForAllKernels) {
  emit_cuda("first.mtx --design csr-scalar");
  const std::string header = contents(folder / "out/alphasparse_runtime.h");
  std::filesystem::remove(folder / "out/alphasparse_runtime.h");
  emit_cpu(std::string("'3-d tiles.mtx' --dtype f64 --prefix own --design merge-csr"));
  EXPECT_EQ(contents(folder / "out/alphasparse_runtime.h"), header);
  const CliOutcome tuned =
      run("tune second.mtx --runtime shared -o out --trials 1 --db t.db --json --device cpu:1");
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  EXPECT_EQ(json::parse(tuned.out)["files"]["runtime"], "out/alphasparse_runtime.h");
  EXPECT_EQ(contents(folder / "out/alphasparse_runtime.h"), header);
}

TEST_F(CliSharedRuntime, KernelsOfBothTargetsAreOneProgram) {
  emit_three();
  for (const std::string name : {"first", "second", "3-d tiles"})
    build(fmt::format("g++ {} {} -c '{}.cu' -o '{}.o'", as_cuda, strict_flags, name, name));
  const std::string tests = ALPHASPARSE_SOURCE_DIR "/tests/standalone";
  build("gcc -std=c99 -I . -c " + tests + "/link_driver.c -o driver.o");
  build("g++ driver.o first.o second.o '3-d tiles.o' -o program && ./program .");
}

// The definitions are compiled once for each target: the kernels have theirs by reference.
TEST_F(CliSharedRuntime, TheirRuntimeIsCompiledOnceForEachTarget) {
  emit_three();
  emit_cpu("first.mtx --design merge-csr");
  emit_cpu("hermitian.mtx --design csr-vector");
  const std::string define = "#define ALPHASPARSE_RUNTIME_IMPLEMENTATION\n",
                    include = "#include \"alphasparse_runtime.h\"\n";
  set_contents(folder / "out/alphasparse_runtime.cpp", define + include);
  set_contents(folder / "out/alphasparse_runtime.cu",
               "#define ALPHASPARSE_RUNTIME_CUDA\n" + define + include);
  const std::string compiled = std::string(strict_flags) + " -DALPHASPARSE_RUNTIME_COMPILED";
  for (const std::string name : {"first", "second", "3-d tiles", "alphasparse_runtime"}) {
    build(fmt::format("g++ {} {} -c '{}.cu' -o '{}.cu.o'", as_cuda, compiled, name, name));
  }
  for (const std::string name : {"first.cpu", "hermitian.cpu", "alphasparse_runtime"})
    build(fmt::format("g++ -fopenmp {} -c {}.cpp -o {}.o", compiled, name, name));
  const std::string seen =
      run_in("out", "nm -C --defined-only --extern-only first.cu.o '3-d tiles.cu.o'").output;
  for (const char* heavy : {"HeaderParser", "FormatReader", "load_format", "hold_on_device"})
    EXPECT_EQ(seen.find(heavy), std::string::npos) << heavy << "\n" << seen;
  const std::string tests = ALPHASPARSE_SOURCE_DIR "/tests/standalone";
  build("gcc -std=c99 -I . -c " + tests + "/link_driver.c -o driver.o");
  build(
      "g++ -fopenmp driver.o first.cu.o second.cu.o '3-d tiles.cu.o' first.cpu.o "
      "hermitian.cpu.o "
      "alphasparse_runtime.cu.o alphasparse_runtime.o -o program && ./program .");
  build(
      "g++ -fopenmp -fPIC -shared -DALPHASPARSE_RUNTIME_COMPILED first.cpu.cpp "
      "alphasparse_runtime.cpp -o first.so");
  std::set<std::string> names, expected;
  std::istringstream symbols(run_in("out", "nm -D --defined-only --extern-only first.so").output);
  for (std::string address, type, name; symbols >> address >> type >> name;) {
    if (type == "T" || type == "D" || type == "B" || type == "R") names.insert(name);
  }
  for (const char* function :
       {"load", "set_threads", "spmv", "update_values", "free", "message", "interface"})
    expected.insert(fmt::format("first_cpu_{}", function));
  EXPECT_EQ(names, expected);
}

// Its pattern is symmetric, its values are not.
TEST_F(CliSharedRuntime, AProgramTakesMirrorImagesForEqualOnlyWhereTheFormatDoes) {
  set_contents(folder / "m.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 5\n2 1 7\n");
  emit_cpu("m.mtx --design csr-scalar");
  build(fmt::format("g++ -fopenmp {} -DALPHASPARSE_MAIN m.cpu.cpp -o m && ./m --repeat 1",
                    quick_flags));
}

/// The lines of a program's output that tell the errors of its products.
std::string errors_in(const std::string& output) {
  std::string checks;
  for (const std::string& line : lines_of(output)) {
    if (line.rfind("check", 0) == 0) checks += line + "\n";
  }
  return checks;
}

// Both forms have the same digest and names, so the file of one is that of the other.
TEST_F(CliSharedRuntime, EitherFormReadsTheFormatFileOfTheOther) {
  struct Case {
    std::string device, design, source, compiler, dtype = "f64", matrix = "first";
  };
  const std::string cuda = std::string("g++ ") + as_cuda, cpu = "g++ -fopenmp";
  const std::string packed =
      "'compress | thread_rows rows=1 | thread_total | global_store | compact columns=packed | "
      "launch tasks=bytes'";
  const std::string coded =
      "'compress | thread_rows rows=1 | thread_total | global_store | compact columns=full "
      "structure=full values=coded | launch tasks=bytes'";
  const std::string half =
      "'symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "threads=32'";
  for (const auto& [device, design, source, compiler, dtype, matrix] :
       {Case{"emulated:h200", "csr-scalar", "first.cu", cuda},
        Case{"emulated:h200", computing, "first.cu", cuda},
        Case{"cpu:2", "merge-csr", "first.cpu.cpp", cpu},
        Case{"cpu:2", packed, "first.cpu.cpp", cpu},
        Case{"cpu:1", "csr-vector", "first.cpu.cpp", cpu, "c64"},
        Case{"cpu:1", coded, "hermitian.cpu.cpp", cpu, "c128", "hermitian"},
        Case{"emulated:h200", half, "hermitian.cu", cuda, "c64", "hermitian"},
        Case{"emulated:h200", computing, "hermitian.cu", cuda, "c128", "hermitian"}}) {
    const std::string format = source.substr(0, source.rfind('.')) + ".safetensors";
    for (const char* const form : {"standalone", "shared"}) {
      const CliOutcome outcome =
          run(fmt::format("emit {}.mtx --design {} --dtype {} --device {} -o {} --runtime {}",
                          matrix, design, dtype, device, form, form));
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      const CommandOutcome built = run_in(
          form,
          fmt::format("{} {} -DALPHASPARSE_MAIN {} -o program", compiler, quick_flags, source));
      ASSERT_EQ(built.status, 0) << built.output;
    }
    std::set<std::string> outcomes;
    for (const char* const form : {"standalone", "shared"}) {
      for (const char* const other : {"standalone", "shared"}) {
        const CommandOutcome ran =
            run_in(form, fmt::format("./program ../{}/{} --repeat 1", other, format));
        EXPECT_EQ(ran.status, 0) << ran.output;
        outcomes.insert(errors_in(ran.output));
      }
    }
    EXPECT_EQ(outcomes.size(), 1U) << *outcomes.begin() << *outcomes.rbegin();
    EXPECT_NE(outcomes.begin()->find("y = 2 A x - y: right"), std::string::npos);
  }
}

TEST_F(CliSharedRuntime, AnotherVersionOfTheHeaderIsOneError) {
  emit_cuda("first.mtx --design csr-scalar");
  emit_cpu("first.mtx --design csr-scalar");
  std::string header = contents(folder / "out/alphasparse_runtime.h");
  const std::string mine = generator_version;
  for (const std::string& mark : {"RUNTIME_VERSION " + mine, "VERSION_TEXT \"" + mine + "\""}) {
    const std::size_t at = header.find(mark);
    ASSERT_NE(at, std::string::npos);
    header.replace(at + mark.find(mine), mine.size(), "999");
  }
  set_contents(folder / "out/alphasparse_runtime.h", header);
  for (const std::string& command : {fmt::format("g++ {} -fsyntax-only first.cu", as_cuda),
                                     std::string("g++ -fopenmp -fsyntax-only first.cpu.cpp")}) {
    const CommandOutcome compiled = run_in("out", command + " -std=c++17");
    EXPECT_NE(compiled.status, 0);
    const std::string error = " error: ";
    const std::size_t first = compiled.output.find(error);
    ASSERT_NE(first, std::string::npos) << compiled.output;
    EXPECT_EQ(compiled.output.find(error, first + 1), std::string::npos) << compiled.output;
    EXPECT_NE(compiled.output.find("needs version " + mine +
                                   " of alphasparse_runtime.h, not 999: emit the kernel again"),
              std::string::npos)
        << compiled.output;
  }
}

TEST_F(CliSharedRuntime, AHeaderThatOtherKernelsNeedIsKept) {
  emit_cuda("first.mtx --design csr-scalar");
  const auto as_of_999 = [&](const std::string& file, const std::string& mark) {
    std::string text = contents(folder / file);
    const std::size_t at = text.find(mark);
    ASSERT_NE(at, std::string::npos);
    text.replace(at + mark.size(), std::string(generator_version).size(), "999");
    set_contents(folder / file, text);
  };
  as_of_999("out/alphasparse_runtime.h", "#define ALPHASPARSE_RUNTIME_VERSION ");
  as_of_999("out/first.cu", "#if ALPHASPARSE_RUNTIME_VERSION == ");
  const std::string header = contents(folder / "out/alphasparse_runtime.h");
  for (const std::string words : {"emit second.mtx --design csr-scalar --device cpu:1",
                                  "tune second.mtx --trials 1 --db t.db --device cpu:1"}) {
    const CliOutcome refused = run(words + " -o out --runtime shared");
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find(fmt::format("out/alphasparse_runtime.h has version 999, which "
                                           "first.cu needs; this program writes version {}: name "
                                           "another folder with -o, or remove the header and emit "
                                           "that kernel again\n",
                                           generator_version)),
              std::string::npos)
        << refused.err;
  }
  EXPECT_EQ(contents(folder / "out/alphasparse_runtime.h"), header);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/second.cpu.cpp"));
  ASSERT_EQ(run("emit second.mtx --design csr-scalar --device cpu:1 -o out").status, 0)
      << "a standalone one needs no header";
  EXPECT_EQ(contents(folder / "out/alphasparse_runtime.h"), header);
  emit_cuda("first.mtx --design csr-scalar");  // the only one that needed it
  EXPECT_NE(contents(folder / "out/alphasparse_runtime.h"), header);
  set_contents(folder / "out/alphasparse_runtime.h", "int mine;\n");
  const CliOutcome refused =
      run("emit first.mtx --design csr-scalar --device cpu:1 -o out --runtime shared");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("is in the way and no header of alphasparse"), std::string::npos);
  EXPECT_EQ(contents(folder / "out/alphasparse_runtime.h"), "int mine;\n");
}

/// The text as editors of Windows save it.
std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return result;
}

TEST_F(CliSharedRuntime, AHeaderWithLinesOfWindowsIsKnown) {
  const std::string header = "out/alphasparse_runtime.h", words = "first.mtx --design csr-scalar";
  emit_cpu(words);
  const std::string text = contents(folder / header),
                    kernel = contents(folder / "out/first.cpu.cpp");
  set_contents(folder / header, with_crlf(text));
  emit_cpu("second.mtx --design csr-scalar");
  EXPECT_EQ(contents(folder / header), text);
  const auto as_of_999 = [](std::string older) {
    for (std::size_t at = 0; (at = older.find("RUNTIME_VERSION", at)) != std::string::npos; ++at) {
      const std::size_t digits = older.find_first_of("0123456789\n", at);
      if (older.compare(digits, std::string(generator_version).size(), generator_version) == 0)
        older.replace(digits, std::string(generator_version).size(), "999");
    }
    return with_crlf(older);
  };
  set_contents(folder / header, as_of_999(text));
  set_contents(folder / "out/first.cpu.cpp", as_of_999(kernel));
  const CliOutcome refused =
      run("emit second.mtx --design csr-scalar --device cpu:1 -o out --runtime shared");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("has version 999, which first.cpu.cpp needs;"), std::string::npos)
      << refused.err;
}

TEST_F(CliSharedRuntime, AHeaderThatCannotBeReadIsToldAsThat) {
  if (!without_root()) GTEST_SKIP() << "root cannot become a user here: permissions are not tested";
  emit_cpu("first.mtx --design csr-scalar");
  for (const char* const open : {".", "out"})
    std::filesystem::permissions(folder / open, std::filesystem::perms::all);
  std::filesystem::permissions(folder / "out/alphasparse_runtime.h", std::filesystem::perms::none);
  const CliOutcome refused =
      run_cli(folder, "emit second.mtx --design csr-scalar --device cpu:1 -o out --runtime shared",
              without_root().value() + " HOME=. XDG_CACHE_HOME= TMPDIR=.");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("error: out/alphasparse_runtime.h cannot be read (Permission denied); "
                             "make it readable, or name another folder with -o\n"),
            std::string::npos)
      << refused.err;
}

TEST_F(CliSharedRuntime, AMatrixCannotTakeTheHeadersName) {
  std::filesystem::rename(folder / "first.mtx", folder / "alphasparse_runtime.mtx");
  const CliOutcome outcome =
      run("emit alphasparse_runtime.mtx --design csr-scalar --device emulated:h200 -o out");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("is the header that all kernels share"), std::string::npos)
      << outcome.err;
}

TEST_F(CliSharedRuntime, APrefixMayBeTheMacroOfOthers) {
  emit_cpu("first.mtx --design csr-scalar --prefix EOF");
  build(fmt::format("g++ -fopenmp {} -fsyntax-only first.cpu.cpp", strict_flags));
}

TEST_F(CliSharedRuntime, TheOptionTakesTwoWords) {
  const CliOutcome outcome = run("emit first.mtx --design csr-scalar --runtime static");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "alphasparse: error: --runtime wants standalone or shared, not 'static'\n");
}

/// The command behind a word of a file's head.
std::string command_in(const std::string& text, const std::string& word) {
  const std::string mark = "//   " + word;
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t first = text.find_first_not_of(' ', at + mark.size());
  return text.substr(first, text.find('\n', first) - first);
}

// Pasted into a shell in the same folder, with the program in PATH.
TEST_F(CliSharedRuntime, TheRemakeLineOfTuneAndEmitGivesTheSameFiles) {
  std::filesystem::copy(folder / "first.mtx", folder / "it's\\t 'line'.mtx");
  std::filesystem::rename(folder / "first.mtx", folder / "it's $1 & \"b\".mtx");
  int number = 0;
  for (const std::string words :
       {"tune \"it's \\$1 & \\\"b\\\".mtx\" --trials 1 --db t.db --prefix mine --dtype f64",
        "tune second.mtx --trials 1 --db t.db --name 'an other' --transpose --runtime shared",
        "emit \"it's \\$1 & \\\"b\\\".mtx\" --design csr-scalar --runtime shared",
        "emit it*line*.mtx --design csr-scalar"}) {
    for (const std::string device : {"emulated:h200", "cpu:2"}) {
      const std::string place = fmt::format("made{}", number++);
      const CliOutcome made = run(fmt::format("{} --device {} -o {} --json", words, device, place));
      ASSERT_EQ(made.status, 0) << made.err;
      const json files = json::parse(made.out)["files"];
      const std::string remake =
          command_in(contents(folder / files["source"].get<std::string>()), "remake");
      ASSERT_EQ(remake.rfind("alphasparse emit ", 0), 0U) << remake;
      set_contents(folder / "remake", remake + " -o again\n");
      const CommandOutcome again =
          run_in(".", fmt::format("PATH={}:$PATH sh remake 2>&1", ALPHASPARSE_BINARY_DIR));
      ASSERT_EQ(again.status, 0) << remake << "\n" << again.output;
      for (const auto& [kind, file] : files.items()) {
        if (kind == "database") continue;
        const std::filesystem::path path = file.get<std::string>();
        EXPECT_EQ(contents(folder / "again" / path.filename()), contents(folder / path))
            << kind << " " << path << "\n"
            << remake;
      }
      std::filesystem::remove_all(folder / "again");
    }
  }
}

}  // namespace
}  // namespace alphasparse
