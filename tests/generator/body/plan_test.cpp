// plan: the table of the writers of rows, and the table of sinks. Each line of both is tested by a
// design or by ports that are written out.
#include "generator/body/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generator/body/epilogues.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

EachRow each_of(Entries entries) {
  return [entries](const TakeRow& take) { std::for_each(entries.begin(), entries.end(), take); };
}

Entries listed(const RowPort& port) {
  Entries rows;
  if (port.rows) port.rows([&](std::int32_t row) { rows.push_back(row); });
  return rows;
}

/// On `stairs`, with rows of lengths 1 3 0 1 2 5, in blocks of 64 threads.
struct WritersCase {
  Writers writers;
  const char* design;  ///< behind `compress`, before the launch
  Entries whole;
  int times = 1;
  Entries edge = {};
};

const std::vector<WritersCase> writers_cases = {
    {Writers::row_by_holder,
     "thread_rows rows=1 | thread_total | global_store",
     {0, 1, 2, 3, 4, 5}},
    {Writers::row_by_holder,
     "thread_cols lanes=4 | thread_total | warp_total | global_store",
     {0, 1, 2, 3, 4, 5}},
    {Writers::row_by_holder,
     "warp_rows rows=1 | thread_cols width=2 | thread_total | warp_total | global_store",
     {0, 1, 2, 3, 4, 5}},
    {Writers::row_by_holder,
     "block_rows rows=1 | thread_cols width=2 | thread_total | shared_total | global_store",
     {0, 1, 2, 3, 4, 5}},
    {Writers::row_by_lanes,
     "thread_cols lanes=4 | thread_total | global_atomic",
     {0, 1, 2, 3, 4, 5},
     4},
    {Writers::row_by_warps,
     "block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | global_atomic",
     {0, 1, 2, 3, 4, 5},
     2},
    // an empty row has no part
    {Writers::part_by_holder,
     "warp_cols width=2 | thread_cols width=1 | thread_total | warp_total | global_atomic",
     {0, 1, 1, 3, 4, 5, 5, 5}},
    {Writers::part_by_holder,
     "block_cols width=4 | thread_cols width=1 | thread_total | shared_total | global_atomic",
     {0, 1, 3, 4, 5, 5}},
    {Writers::part_by_lanes,
     "warp_cols width=4 | thread_cols lanes=32 | thread_total | global_atomic",
     {0, 1, 3, 4, 5, 5},
     32},
    {Writers::part_by_warps,
     "block_cols width=4 | thread_cols width=1 | thread_total | warp_total | global_atomic",
     {0, 1, 3, 4, 5, 5},
     2},
    {Writers::tile_by_warp,
     "block_rows rows=1 | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_total | "
     "global_atomic",
     {0, 1, 3, 4, 5}},
    {Writers::part_by_thread,
     "thread_cols width=2 | thread_total | global_atomic",
     {0, 1, 1, 3, 4, 5, 5, 5}},
    {Writers::part_by_thread,
     "thread_nnz nnz=1 | thread_total | global_atomic",
     {0, 1, 1, 1, 3, 4, 4, 5, 5, 5, 5, 5}},
    {Writers::table_by_block,
     "block_rows rows=4 | thread_nnz nnz=1 | thread_total | shared_offset | global_store",
     {0, 1, 2, 3, 4, 5}},
    {Writers::table_by_block,
     "block_nnz nnz=32 | thread_nnz nnz=1 | thread_total | shared_offset | global_atomic",
     {1, 2, 3, 4},
     1,
     {0, 5}},
    // the paths lead from row to row: 0 to 1, to 3, to 5, and twice inside 5
    {Writers::path_by_tile,
     "thread_merge_path items=4 | thread_merge | global_atomic",
     {2, 4},
     1,
     {0, 1, 1, 3, 3, 5, 5, 5}},
    // rows 0 1 3 | 4 5 | 5
    {Writers::segments_by_tile,
     "thread_nnz nnz=5 | thread_bitmap | global_atomic",
     {1},
     1,
     {0, 3, 4, 5, 5}},
    // all of it is one tile
    {Writers::segments_by_tile,
     "warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_bitmap | global_atomic",
     {1, 3, 4},
     1,
     {0, 5}},
};

Store store_of(const std::string& before, const std::string& design) {
  return *apply_steps(stairs, before + "compress | " + design + " | launch threads=64");
}

TEST(Writers, OfEveryLineWriteTheseRows) {
  std::set<Writers> seen;
  for (const WritersCase& entry : writers_cases) {
    SCOPED_TRACE(entry.design);
    Store store = store_of("", entry.design);
    const Result<BranchPlan> plan = plan_branch(store);
    ASSERT_TRUE(plan.ok()) << plan.reason();
    EXPECT_EQ(find_writers(store), entry.writers);
    EXPECT_EQ(listed(plan->whole), entry.whole);
    EXPECT_EQ(plan->whole.times, entry.times);
    EXPECT_EQ(listed(plan->edge), entry.edge);
    EXPECT_EQ(plan->edge.times, 1);
    seen.insert(plan->writers);
  }
  for (int line = 0; line <= static_cast<int>(Writers::segments_by_tile); ++line) {
    EXPECT_TRUE(seen.count(static_cast<Writers>(line))) << "no design has line " << line;
  }
}

TEST(Writers, WriteTheCallersRows) {
  Store store = store_of("sort_rows | ", "thread_rows rows=1 | thread_total | global_store");
  EXPECT_EQ(listed(plan_branch(store)->whole), (Entries{5, 1, 4, 0, 3, 2}));
}

// ---- the table of sinks

struct SinkCase {
  bool shared;   ///< another branch of the launch has a row of it
  bool written;  ///< a launch before has written one
  Epilogue epilogue;
  std::set<std::string_view> refused = {};  ///< by these; all others allow it
  const char* why = "";
};

const std::vector<SinkCase> sink_cases = {
    {false, false, Epilogue::store},
    {false,
     true,
     Epilogue::add,
     {"global_store"},
     ": an earlier launch has written to its rows; use global_add"},
    {true,
     false,
     Epilogue::atomic,
     {"global_store", "global_add", "global_carry"},
     ": a row has several writers at a time"},
    {true,
     true,
     Epilogue::atomic,
     {"global_store", "global_add", "global_carry"},
     ": a row has several writers at a time"},
};

TEST(SinkTable, SaysWhatAPortDoesAndWhoMayAskForLess) {
  Store asking(stairs), adding(stairs);
  adding.epilogue = "global_atomic";
  for (const SinkCase& entry : sink_cases) {
    for (const std::string_view request :
         {"global_store", "global_add", "global_carry", "global_atomic"}) {
      SCOPED_TRACE(std::string(request) + (entry.shared ? ", shared" : "") +
                   (entry.written ? ", written" : ""));
      asking.epilogue = request;
      BranchPlan before, beside, plan;
      plan.store = &asking;
      before.store = beside.store = &adding;
      plan.whole.rows = each_of({1, 2, 3});
      if (entry.written) before.whole.rows = each_of({0, 1});
      if (entry.shared) beside.whole.rows = each_of({3, 4});
      const Result<Entries> initialised = choose_epilogues({{&before}, {&plan, &beside}}, 6);
      EXPECT_EQ(plan.whole.epilogue, entry.epilogue);
      EXPECT_EQ(initialised.ok() ? "" : initialised.reason(),
                entry.refused.count(request) ? std::string(request) + entry.why : "");
    }
  }
}

TEST(SinkTable, RowsThatNobodyStoresAreInitialised) {
  Store adding(stairs);
  adding.epilogue = "global_atomic";
  BranchPlan plan;
  plan.store = &adding;
  plan.whole.rows = each_of({0, 2});
  plan.edge.rows = each_of({1, 4});
  plan.edge.times = 2;
  const Result<Entries> initialised = choose_epilogues({{&plan}}, 6);
  ASSERT_TRUE(initialised.ok()) << initialised.reason();
  EXPECT_EQ(plan.whole.epilogue, Epilogue::store);
  EXPECT_EQ(plan.edge.epilogue, Epilogue::atomic);
  EXPECT_EQ(*initialised, (Entries{1, 3, 4, 5}));
}

}  // namespace
}  // namespace alphasparse
