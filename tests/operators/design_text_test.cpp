// design_text: the grammar of designs - round trip, one canonical spelling, every syntax error with
// its column - and known formats spelt in it.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <regex>
#include <set>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// A tree of arbitrary words, whether or not the catalogue knows them.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  Design design(int depth) {
    Design design;
    for (int steps = 1 + below(4); steps > 0; --steps) design.steps.push_back(step());
    const int branches = depth == 0 ? 0 : below(4);
    for (int branch = 0; branch < branches; ++branch) {
      design.steps.back().branches.push_back(this->design(depth - 1));
    }
    return design;
  }

 private:
  Step step() {
    Step step{word(), {}, {}};
    for (int parameters = below(4); parameters > 0; --parameters) {
      std::string value = word();
      for (int items = below(3); items > 0; --items) value += "," + word();
      // A number keeps the names apart.
      step.parameters.push_back({word() + std::to_string(parameters), value});
    }
    return step;
  }

  std::string word() {
    static constexpr char letters[] = "abcxyzABZ0189_-";
    std::string text;
    for (int length = 1 + below(6); length > 0; --length) {
      text += letters[below(sizeof letters - 1)];
    }
    return text;
  }

  int below(std::size_t end) { return static_cast<int>(random_() % end); }

  std::mt19937 random_;
};

TEST(DesignText, ParsingWhatWasPrintedGivesTheSameTree) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Design design = RandomTree(seed).design(3);
    const std::string text = print_design(design);
    const Result<Design> parsed = parse_design(text);
    ASSERT_TRUE(parsed.ok()) << "seed " << seed << ": " << parsed.reason() << "\n" << text;
    EXPECT_EQ(*parsed, design) << "seed " << seed << "\n" << text;
    EXPECT_EQ(print_design(*parsed), text);
  }
}

TEST(DesignText, TreesThatDifferAreNotEqual) {
  const Design design = *parse_design("a x=1 | b { c } { d }");
  for (const char* const other :
       {"a x=2 | b { c } { d }", "a y=1 | b { c } { d }", "a x=1 | b { c }",
        "a x=1 | b { c } { e }", "a x=1 { c } { d }", "a x=1 | b | c", "a x=1 | b { c | d }"}) {
    EXPECT_FALSE(*parse_design(other) == design) << other;
  }
}

TEST(DesignText, BlanksAndLinesDoNotMatter) {
  EXPECT_EQ(print_design(*parse_design("  a  x=1,2\ty=b|c{d|e}{ f }\n")),
            "a x=1,2 y=b | c { d | e } { f }");
}

struct ErrorCase {
  const char* text;
  const char* reason;
};

const std::vector<ErrorCase> error_cases = {
    {"", "an operator expected at column 1 of the design"},
    {"   ", "an operator expected at column 4 of the design"},
    {"| a", "an operator expected at column 1 of the design"},
    {"a |", "an operator expected at column 4 of the design"},
    {"a | | b", "an operator expected at column 5 of the design"},
    {"{ a }", "an operator expected at column 1 of the design"},
    {"a { }", "an operator expected at column 5 of the design"},
    {"=1", "an operator expected at column 1 of the design"},
    {"a rows", "'=' expected right after 'rows' at column 7 of the design"},
    {"a rows =1", "'=' expected right after 'rows' at column 7 of the design"},
    {"a b c=1", "'=' expected right after 'b' at column 4 of the design"},
    {"a rows=", "a value expected right after '=' at column 8 of the design"},
    {"a rows= 1", "a value expected right after '=' at column 8 of the design"},
    {"a at=,1", "a value expected right after '=' at column 6 of the design"},
    {"a at=1,", "a value expected right after '=' at column 6 of the design"},
    {"a at=1,,2", "a value expected right after '=' at column 6 of the design"},
    {"a at=1, 2", "a value expected right after '=' at column 6 of the design"},
    {"a x=1 y=2 x=3", "'x' is given twice at column 11 of the design"},
    {"a; b", "'|' expected between two steps at column 2 of the design"},
    {"a x=1=2", "'|' expected between two steps at column 6 of the design"},
    {"a x=1.5", "'|' expected between two steps at column 6 of the design"},
    {"a }", "'}' without '{' at column 3 of the design"},
    {"a { b } }", "'}' without '{' at column 9 of the design"},
    {"a { b", "'}' expected at column 6 of the design"},
    {"a { b ;", "'}' expected at column 7 of the design"},
    {"a { b } | c", "nothing may follow branches at column 9 of the design"},
    {"a { b { c } | d }", "nothing may follow branches at column 13 of the design"},
};

TEST(DesignText, EverySyntaxErrorNamesItsColumn) {
  for (const ErrorCase& entry : error_cases) {
    const Result<Design> design = parse_design(entry.text);
    ASSERT_FALSE(design.ok()) << entry.text;
    EXPECT_EQ(design.reason(), entry.reason) << entry.text;
  }
}

TEST(DesignText, BranchesNestAsDeepAsADesignMayNeed) {
  const auto nested = [](int depth) {
    std::string text;
    for (int level = 0; level < depth; ++level) text += "a { ";
    text += "a";
    for (int level = 0; level < depth; ++level) text += " }";
    return text;
  };
  EXPECT_TRUE(parse_design(nested(16)).ok());
  EXPECT_EQ(parse_design(nested(17)).reason(),
            "branches nest too deeply at column 68 of the design");
  EXPECT_FALSE(parse_design(nested(100000)).ok());
}

TEST(DesignText, OneCanonicalSpelling) {
  const auto canonical = [](const char* text) {
    return print_design(*canonical_design(*parse_design(text)));
  };
  EXPECT_EQ(canonical("launch threads=0128 grid=exact"), "launch threads=128");
  EXPECT_EQ(canonical("launch grid=007 threads=32"), "launch threads=32 grid=7");
  EXPECT_EQ(canonical("warp_segment by=ballot|warp_segment by=prefix"),
            "warp_segment | warp_segment by=prefix");
  EXPECT_EQ(canonical("thread_rows nnz=0000000000000000000000000000000000000000000008"),
            "thread_rows nnz=8");
}

struct KnownFormat {
  std::string name, line, cpu;
};

/// A cell of a table as it reads: without escapes, ticks, and blanks behind it.
std::string unescaped(const std::string& cell) {
  const std::string bars = std::regex_replace(cell, std::regex(R"(\\\|)"), "|");
  return std::regex_replace(bars, std::regex("`| +$"), "");
}

/// The table of known formats in operators/README.md.
std::vector<KnownFormat> known_formats() {
  std::ifstream file(ALPHASPARSE_SOURCE_DIR "/operators/README.md");
  const std::regex row(R"(\| ([a-z0-9-]+) \| (`.*`)? ?\| ?(.*)\|)");
  std::vector<KnownFormat> formats;
  for (std::string text; std::getline(file, text);) {
    std::smatch match;
    if (!std::regex_match(text, match, row)) continue;
    formats.push_back({match[1], unescaped(match[2]), unescaped(match[3])});
  }
  return formats;
}

TEST(DesignText, HoldsEveryKnownFormat) {
  std::set<std::string> names;
  for (const KnownFormat& format : known_formats()) {
    names.insert(format.name);
    for (const auto& [target, line] :
         {std::pair{Target::gpu, format.line}, std::pair{Target::cpu, format.cpu}}) {
      if (line.empty()) {
        EXPECT_THROW(resolve_design(format.name, target), Error) << format.name;
        continue;
      }
      const Result<Design> design = parse_design(line);
      ASSERT_TRUE(design.ok()) << format.name << ": " << design.reason();
      EXPECT_EQ(print_design(*design), line);
      EXPECT_EQ(resolve_design(format.name, target), line) << format.name;
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"acsr", "band-dia", "bsell", "bsr", "coo", "csr-scalar",
                                          "csr-stream", "csr-vector", "csr5", "dia", "ell",
                                          "ellpack-r", "hyb", "jds", "merge-csr", "mix",
                                          "row-grouped-csr", "runs", "sell-c-sigma"}));
}

TEST(DesignText, KnownFormatsBuildForBothTargets) {
  const Matrix matrix = battery().back().matrix;
  Designer designer(matrix);
  for (const KnownFormat& format : known_formats()) {
    for (const std::string& line : {format.line, format.cpu}) {
      if (line.empty()) continue;
      const Result<Kernel> kernel = designer.build(line, Dtype::f32, {1e6, 1 << 30});
      ASSERT_TRUE(kernel) << format.name << ": " << kernel.reason();
      EXPECT_EQ(kernel->design, line);
    }
  }
}

}  // namespace
}  // namespace alphasparse
