// cpu_sanitized: kernels for CPUs under AddressSanitizer, UBSan and ThreadSanitizer, each in a
// program of its own. They find reads behind an array's slack, x or y, behaviour that C++ does not
// define, and races of two threads of a team.
//
// ALPHASPARSE_LONG takes the whole battery, and 300 designs at random; ALPHASPARSE_SEED one of
// them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "operators/designer.h"
#include "runtime/compilers/shared_objects.h"
#include "templates/templates.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/design_check.h"
#include "tests/support/sanitized_cpu.h"

namespace alphasparse {
namespace {

constexpr int sanitized_triples = 6, triples_long = 300;
constexpr int sanitized_parts = 6;  ///< of the random run
constexpr int team_sizes[] = {1, 2, 5};
constexpr int sanitized_widths[] = {16, 32, 64};

bool is_long() { return std::getenv("ALPHASPARSE_LONG") != nullptr; }

/// One of nine CPUs under AddressSanitizer and UBSan. Registers of 16 bytes know no AVX, and those
/// of 32 no AVX-512.
SanitizedCpu cpu_of(int number) {
  SanitizedCpu cpu;
  cpu.threads = team_sizes[number % 3];
  const int width = sanitized_widths[number / 3 % 3];
  cpu.flags = {"-DALPHASPARSE_VECTOR_BYTES=" + std::to_string(width)};
#ifdef __x86_64__
  if (width == 16) cpu.flags.push_back("-march=x86-64");
  if (width == 32) cpu.flags.push_back("-mno-avx512f");
#endif
  return cpu;
}

SanitizedCpu team_of_five() {
  SanitizedCpu cpu;
  cpu.sanitizers = Sanitizers::thread;
  cpu.threads = 5;
  return cpu;
}

std::string problem(const SanitizedCpu& cpu, const Matrix& matrix, const std::string& design,
                    Dtype dtype) {
  return design_problem(*open_sanitized_cpu(cpu), matrix, design, dtype, false);
}

Dtype type_of(int number) { return number % 2 == 0 ? Dtype::f32 : Dtype::f64; }

/// The battery, or some of it.
std::vector<NamedMatrix> matrices(const std::vector<const char*>& names) {
  if (is_long()) return battery();
  std::vector<NamedMatrix> some;
  for (const char* const name : names) some.push_back({name, battery_matrix(name)});
  return some;
}

/// Rows of very different lengths, one of them shared by tasks.
std::vector<NamedMatrix> matrices_of_named() { return matrices({"power_law"}); }

constexpr const char* of_two_values = "of two values";

/// Short rows, some of them empty, off the lanes of a gang; and again with two values, for designs
/// that code them.
std::vector<NamedMatrix> matrices_of_free() {
  std::vector<NamedMatrix> all = matrices({"first_rows_empty"});
  NamedMatrix few{of_two_values, battery_matrix("first_rows_empty")};
  for (std::size_t i = 0; i < few.matrix.value.size(); ++i) {
    few.matrix.value[i] = i % 3 == 0 ? -0.1 : 2;
  }
  all.push_back(std::move(few));
  return all;
}

bool is_for(const NamedMatrix& entry, std::string_view design) {
  return entry.name != of_two_values || design.find("values=coded") != design.npos;
}

class CpuSanitized : public testing::TestWithParam<NamedDesign> {
 protected:
  std::string line() const { return std::string(GetParam().cpu); }
  /// So that designs begin with different CPUs.
  int number() const { return static_cast<int>(GetParam().name.size()); }
};

TEST_P(CpuSanitized, ReadsAndWritesItsOwnMemory) {
  int kind = number();
  for (const NamedMatrix& entry : matrices_of_named()) {
    const Dtype dtype = type_of(++kind);
    EXPECT_EQ(problem(cpu_of(kind), entry.matrix, line(), dtype), "")
        << entry.name << ", " << dtype_name(dtype) << ", CPU " << kind % 9;
  }
}

TEST_P(CpuSanitized, HasNoRaces) {
  int kind = number();
  for (const NamedMatrix& entry : matrices_of_named()) {
    const Dtype dtype = type_of(++kind);
    EXPECT_EQ(problem(team_of_five(), entry.matrix, line(), dtype), "")
        << entry.name << ", " << dtype_name(dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuSanitized, testing::ValuesIn(named_designs(Target::cpu)),
                         [](const auto& info) { return test_name_of(info.param); });

class CpuSanitizedFree : public testing::TestWithParam<const char*> {};

TEST_P(CpuSanitizedFree, ReadsAndWritesItsOwnMemory) {
  int kind = 0, built = 0;
  for (const NamedMatrix& entry : matrices_of_free()) {
    if (!is_for(entry, GetParam())) continue;
    const Dtype dtype = type_of(++kind);
    const std::string why = problem(cpu_of(kind), entry.matrix, GetParam(), dtype);
    if (why.starts_with("refused")) continue;  // this matrix's rows are too long for a gang
    ++built;
    EXPECT_EQ(why, "") << entry.name << ", " << dtype_name(dtype) << ", CPU " << kind % 9;
  }
  EXPECT_GT(built, 0);
}

INSTANTIATE_TEST_SUITE_P(All, CpuSanitizedFree, testing::ValuesIn(free_designs_of_cpus()));

class CpuSanitizedHalf : public testing::TestWithParam<const char*> {};

/// A team adds mirror images to rows of other threads' tasks.
TEST_P(CpuSanitizedHalf, IsClean) {
  const Matrix matrix = battery_matrix("symmetric_97");
  int kind = static_cast<int>(std::string_view(GetParam()).size());
  for (const SanitizedCpu& cpu : {cpu_of(kind), team_of_five()}) {
    const Dtype dtype = type_of(++kind);
    EXPECT_EQ(problem(cpu, matrix, GetParam(), dtype), "") << dtype_name(dtype) << ", " << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuSanitizedHalf, testing::ValuesIn(half_designs_of_cpus()));

class CpuSanitizedRandom : public testing::TestWithParam<int> {};

/// The long run looks for races too.
TEST_P(CpuSanitizedRandom, IsClean) {
  const std::vector<NamedMatrix> all = battery();
  for (int seed = GetParam(); seed < (is_long() ? triples_long : sanitized_triples);
       seed += sanitized_parts) {
    if (!is_wanted(seed)) continue;
    const CpuTriple triple = cpu_triple(all, seed);
    for (const SanitizedCpu& cpu : {cpu_of(seed * 7), team_of_five()}) {
      if (cpu.sanitizers == Sanitizers::thread && !is_long()) continue;
      EXPECT_EQ(problem(cpu, triple.entry.matrix, triple.design, triple.dtype), "")
          << "seed " << seed << ", " << dtype_name(triple.dtype) << ", matrix " << triple.entry.name
          << ": " << triple.design;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuSanitizedRandom, testing::Range(0, sanitized_parts));

/// The program of a design; none where a matrix refuses it.
std::string program(const Matrix& matrix, const std::string& line) {
  const Result<Kernel> kernel = Designer(matrix).build(line, Dtype::f32, no_build_limits);
  return kernel ? cpu_program(*kernel) : "";
}

TEST(CpuSanitizers, SeeEveryFragment) {
  std::string all;
  for (const NamedMatrix& entry : matrices_of_named()) {
    for (const NamedDesign& named : named_designs(Target::cpu)) {
      all += program(entry.matrix, std::string(named.cpu));
    }
  }
  for (const NamedMatrix& entry : matrices_of_free()) {
    for (const char* const line : free_designs_of_cpus()) all += program(entry.matrix, line);
  }
  for (const char* const line : half_designs_of_cpus())
    all += program(battery_matrix("symmetric_97"), line);
  const std::string folder = "lanes/", suffix = ".h";
  int fragments = 0;
  for (const Template& file : embedded_templates()) {
    const std::string path(file.path);
    if (!path.starts_with(folder)) continue;
    const std::size_t length = path.size() - folder.size() - suffix.size();
    const std::string name = path.substr(folder.size(), length);
    if (!file.text.starts_with("// " + name + ": ") || name.find('/') != name.npos) continue;
    EXPECT_NE(all.find("// " + name + ": "), std::string::npos) << name;
    ++fragments;
  }
  EXPECT_GT(fragments, 20);
}

/// The report on a design with a planted fault in its program; without the fault it is clean.
std::string said_of(SanitizedCpu cpu, const Matrix& matrix, const char* design,
                    const std::pair<std::string, std::string>& planted) {
  const std::string line = resolve_design(design, Target::cpu);
  EXPECT_EQ(problem(cpu, matrix, line, Dtype::f64), "");
  cpu.planted = planted;
  return problem(cpu, matrix, line, Dtype::f64);
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// A dense row's columns are those of its entries: neighbours, and 100 end in the midst of a gang.
TEST(CpuSanitizers, FindAReadBehindX) {
  std::vector<std::pair<int, double>> row;
  for (int col = 0; col < 100; ++col) row.emplace_back(col, 1.0 + col % 7);
  const std::string why =
      said_of(cpu_of(8), from_rows(100, {row}),
              "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | compact "
              "| launch tasks=bytes",
              {"if (columns.lanes == G) return load(", "return load("});
  EXPECT_TRUE(says(why, "AddressSanitizer") && says(why, "READ of size")) << why;
}

TEST(CpuSanitizers, FindAWriteBehindY) {
  const std::string why = said_of(cpu_of(4), battery_matrix("first_rows_empty"), "ell",
                                  {"lane < rows.lanes; ++lane) {\n      const Value old",
                                   "lane < G; ++lane) {\n      const Value old"});
  EXPECT_TRUE(says(why, "AddressSanitizer") && says(why, "heap-buffer-overflow")) << why;
}

TEST(CpuSanitizers, FindWhatIsNotDefined) {
  const std::string why = said_of(cpu_of(0), battery_matrix("stencil_23"), "csr-scalar",
                                  {"task.carry = 0;", "task.carry = Value(task.end_unit << 31);"});
  EXPECT_TRUE(says(why, "runtime error: left shift")) << why;
}

TEST(CpuSanitizers, FindSlackThatGetsIntoAResult) {
  const Matrix row = from_rows(5, {{{0, 1.0}, {1, 2.0}, {2, 3.0}, {4, 4.0}}});
  const std::string why = said_of(cpu_of(0), row, "csr-vector",
                                  {"sum += keep(rest.lanes, term(rest));", "sum += term(rest);"});
  EXPECT_TRUE(says(why, "wrong result") && says(why, "nan")) << why;
}

/// The last diagonal of 64 rows of doubles has one entry: 63 lanes read behind it.
TEST(CpuSanitizers, FindThatSlackIsTooSmall) {
  std::vector<std::vector<std::pair<int, double>>> rows(64, {{0, 1.0}});
  rows[0].push_back({1, 2.0});
  const Matrix matrix = from_rows(2, rows);
  const char* const design =
      "compress | warp_rows rows=64 | thread_rows rows=1 | interleave by=ragged | thread_total | "
      "global_store | launch tasks=bytes";
  SanitizedCpu cpu = cpu_of(0);
  cpu.slack = 63 * sizeof(double);
  ASSERT_LE(cpu.slack, slack_bytes);
  EXPECT_EQ(problem(cpu, matrix, design, Dtype::f64), "");
  --cpu.slack;
  const std::string why = problem(cpu, matrix, design, Dtype::f64);
  EXPECT_TRUE(says(why, "AddressSanitizer") && says(why, "READ of size")) << why;
}

TEST(CpuSanitizers, FindTasksThatMeetInARow) {
  const std::string why =
      said_of(team_of_five(), battery_matrix("power_law"), "csr5",
              {"task.carry_row = may_share ? parts[p].first_row(team.f, task.first_unit) : -1;",
               "task.carry_row = -1 + 0 * may_share;"});
  EXPECT_TRUE(says(why, "ThreadSanitizer: data race")) << why;
}

TEST(CpuSanitizers, FindThatATeamDoesNotWait) {
  const char* const design =
      "col_split parts=2 { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes } { compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | launch "
      "tasks=bytes }";
  for (const char* const wait :
       {"if (p + 1 < part_count || carries) meet();", "if (p + 1 < part_count) meet();"}) {
    const std::string why =
        said_of(team_of_five(), battery_matrix("wide_70x500"), design, {wait, ""});
    EXPECT_TRUE(says(why, "ThreadSanitizer: data race")) << wait << why;
  }
}

}  // namespace
}  // namespace alphasparse
