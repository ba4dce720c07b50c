// bench: designs compared over matrices, and tried on the emulator.
// ctest label: emulator
#include "search/trial/bench.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/battery.h"

namespace alphasparse {
namespace {

BenchEntry timed_entry(const std::string& name, double time_us) {
  BenchEntry entry{name, {}};
  entry.outcome.verified = true;
  entry.outcome.timing.emplace().time_us = time_us;
  return entry;
}

BenchEntry refused(const std::string& name) {
  BenchEntry entry{name, {}};
  entry.outcome.status = Status::pruned;
  return entry;
}

TEST(BenchSummaries, WinsTiesAndMeans) {
  const auto rows = summarise({{timed_entry("a", 10), timed_entry("b", 20), refused("c")},
                               {timed_entry("a", 30), timed_entry("b", 30), timed_entry("c", 35)}},
                              1.2);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "a");
  EXPECT_EQ(rows[0].wins, 2);
  EXPECT_EQ(rows[0].ties, 0);
  EXPECT_DOUBLE_EQ(rows[0].ratio_mean, 1);
  EXPECT_EQ(rows[1].wins, 1) << "equal times both win";
  EXPECT_NEAR(rows[1].ratio_mean, std::sqrt(2), 1e-12);
  EXPECT_EQ(rows[2].matrices, 2);
  EXPECT_EQ(rows[2].verified, 1);
  EXPECT_EQ(rows[2].wins, 0);
  EXPECT_EQ(rows[2].ties, 1);
  EXPECT_NEAR(rows[2].ratio_mean, 35.0 / 30, 1e-12);
}

TEST(BenchSummaries, RightButWithoutATimeIsNotCompared) {
  BenchEntry untimed = timed_entry("a", 1);
  untimed.outcome.timing.reset();
  const auto rows = summarise({{untimed, timed_entry("b", 5)}, {untimed}}, 1);
  EXPECT_EQ(rows[0].verified, 2);
  EXPECT_EQ(rows[0].timed, 0);
  EXPECT_EQ(rows[0].ratio_mean, 0);
  EXPECT_EQ(rows[1].wins, 1);
  EXPECT_EQ(best_time_us({untimed}), 0);
}

TEST(Bench, TriesEveryDesignInOrderAndSaysWhyNot) {
  const auto device = open_device("emulated:h200");
  const Matrix matrix = from_rows(3, {{{0, 1}, {2, 2}}, {}, {{1, 3}}});
  const std::vector<NamedDesign> designs = {
      {"good", "compress | thread_rows rows=1 | thread_total | global_store | launch threads=32",
       ""},
      {"bad", "compress | launch threads=32", ""},
      {"same", "compress | thread_rows rows=1 | thread_total | global_store | launch threads=32",
       ""},
      {"twin", "compress | thread_rows rows=1 | thread_total | global_add | launch threads=32",
       ""}};
  std::vector<std::size_t> places;
  const std::atomic<bool> stop = false;
  const auto entries = bench(
      matrix, *device, designs, {}, [&](std::size_t index) { places.push_back(index); }, stop);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(places, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_TRUE(entries[0].is_timed());
  EXPECT_FALSE(entries[1].is_timed());
  EXPECT_EQ(entries[1].outcome.status, Status::pruned);
  EXPECT_NE(entries[1].outcome.reason, "");
  EXPECT_EQ(entries[2].outcome.status, Status::ok) << "it is the first, by another name";
  EXPECT_EQ(entries[2].outcome.timing->time_us, entries[0].outcome.timing->time_us);
  EXPECT_EQ(entries[3].outcome.status, Status::duplicate) << "another design, the same kernel";
  EXPECT_TRUE(entries[3].is_timed());
  const std::atomic<bool> stopped = true;
  EXPECT_TRUE(bench(matrix, *device, designs, {}, {}, stopped).empty());
}

// Where the values are many and no floats, a design that could code them takes any.
TEST(Bench, TellsByTheKernelWhichFormatsTakeAnyValues) {
  const auto device = open_device("emulated:h200");
  const std::vector<NamedDesign> designs = {
      {"plain", "compress | thread_rows rows=1 | thread_total | global_store | launch threads=32",
       ""},
      {"coded",
       "compress | thread_rows rows=1 | thread_total | global_store | compact | launch threads=32",
       ""}};
  const std::atomic<bool> stop = false;
  BenchOptions options;
  options.dtype = Dtype::f64;
  for (const double value : {0.1, 0.5}) {  // 0.5 is a float
    const Matrix matrix = from_rows(3, {{{0, value}, {2, 3 * value}}, {}, {{1, 5 * value}}});
    const auto entries = bench(matrix, *device, designs, options, {}, stop);
    ASSERT_TRUE(entries[0].is_timed() && entries[1].is_timed());
    EXPECT_TRUE(entries[0].takes_any_values);
    EXPECT_EQ(entries[1].takes_any_values, value == 0.1);
  }
  std::vector<BenchEntry> entries = {timed_entry("a", 10), timed_entry("b", 9),
                                     timed_entry("cusparse-csr-1", 8)};
  EXPECT_EQ(fastest_for_any_values(entries)->name, "b");
  entries[1].takes_any_values = false;
  EXPECT_EQ(fastest_for_any_values(entries)->name, "a");
  EXPECT_EQ(find_fastest(entries, false)->name, "b");
}

}  // namespace
}  // namespace alphasparse
