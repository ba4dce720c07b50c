// body_reads: each statement of a kernel body says truly which names it reads.
//
// Unread values, unread parameters and barriers follow from these marks. A mark that is missing
// would drop a value that is read; a mark too many would keep one that is not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "generator/text/kernel_builder.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/combinations.h"
#include "tests/support/goldens.h"

namespace alphasparse {
namespace {

using Names = std::set<std::string>;

/// The words of a text that stand for themselves: no member behind a dot, no comment.
Names words_of(std::string text) {
  static const std::regex comment("//[^\n]*"), word("(^|[^.\\w])([A-Za-z_]\\w*)");
  text = std::regex_replace(text, comment, "");
  Names words;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
    words.insert((*at)[2]);
  return words;
}

/// Whether a functor in the text has a name of its own that is spelt so.
bool is_own_name(const std::string& text, const std::string& name) {
  return std::regex_search(text, std::regex("(int|auto|bool|Value|&|,) " + name + "( =|[,)])"));
}

class Marks {
 public:
  explicit Marks(const std::vector<Slot>& slots) : names_{"f", "x", "out"} {
    add_names(slots);
    check(slots);
  }

  std::vector<std::string> faults;

 private:
  void add_names(const std::vector<Slot>& slots) {
    for (const Slot& slot : slots) {
      if (slot.kind == Slot::Kind::loop) names_.insert(slot.loop.index);
      for (const auto* statements : {&slot.bindings, &slot.before, &slot.after}) {
        for (const Statement& statement : *statements) {
          if (!statement.type.empty()) names_.insert(statement.target.text());
        }
      }
      add_names(slot.otherwise);
    }
  }

  void check(const std::vector<Slot>& slots) {
    for (const Slot& slot : slots) {
      for (const Code* code : {&slot.condition, &slot.loop.first, &slot.loop.end, &slot.loop.step})
        check(*code);
      for (const auto* statements : {&slot.bindings, &slot.before, &slot.after}) {
        for (const Statement& statement : *statements) {
          check(statement.expression);
          check(statement.guard);
          if (statement.type.empty()) check(statement.target);
        }
      }
      check(slot.otherwise);
    }
  }

  void check(const Code& code) {
    const Names words = words_of(code.text());
    for (const std::string& name : code.reads()) {
      if (!words.contains(name)) faults.push_back(fmt::format("'{}' has no {}", code.text(), name));
    }
    for (const std::string& word : words) {
      const bool is_read = names_.contains(word) && !is_own_name(code.text(), word);
      if (is_read && !code.reads(word))
        faults.push_back(fmt::format("'{}' reads {} without a mark", code.text(), word));
    }
  }

  Names names_;
};

/// The faults of all bodies of a design; none where the matrix rules it out.
std::vector<std::string> faults_of(const Matrix& matrix, const std::string& line, Dtype dtype,
                                   int& bodies) {
  std::vector<std::string> faults;
  const Result<Design> parsed = parse_design(line);
  const Result<Design> design = parsed ? canonical_design(*parsed) : parsed;
  if (!design) return faults;
  Result<std::vector<Store>> stores = Designer(matrix).branches(*design);
  if (!stores) return faults;
  (void)build_kernel(matrix, *stores, line, dtype, [&](const PassResult& pass) {
    if (pass.name != "barriers") return;  // the last one before unread values go
    ++bodies;
    const Marks marks(pass.slots);
    faults.insert(faults.end(), marks.faults.begin(), marks.faults.end());
  });
  return faults;
}

void expect_none(const std::vector<std::string>& faults, const std::string& design) {
  for (const std::string& fault : faults) ADD_FAILURE() << design << ": " << fault;
}

TEST(BodyReads, OfNamedDesignsAreTrue) {
  int bodies = 0;
  for (const std::vector<Golden>& all : {goldens(), cpu_goldens()}) {
    for (const Golden& golden : all) {
      const Matrix matrix = battery_matrix(golden.matrix);
      expect_none(faults_of(matrix, golden.design, golden.dtype, bodies), golden.design);
    }
  }
  EXPECT_GT(bodies, 50);
}

TEST(BodyReads, OfCombinationsAreTrue) {
  int bodies = 0;
  const Matrix matrix = battery_matrix("symmetric_97");
  const std::vector<Combination> all = all_combinations();
  for (const std::size_t i : covering_pairs(all)) {
    const std::string line = all[i].line(0);
    expect_none(faults_of(matrix, line, Dtype::f64, bodies), line);
  }
  EXPECT_GT(bodies, 100);
}

TEST(BodyReads, AMissingMarkIsFound) {
  std::vector<Slot> slots(1);
  slots[0].bind("const int", "row", "3");
  slots[0].after.push_back(call("$emit(row, 1)"));
  slots[0].after.push_back(call("[&](int row) { return row; }"));
  const Marks marks(slots);
  ASSERT_EQ(marks.faults.size(), 1U);
  EXPECT_EQ(marks.faults[0], "'emit(row, 1)' reads row without a mark");
}

}  // namespace
}  // namespace alphasparse
