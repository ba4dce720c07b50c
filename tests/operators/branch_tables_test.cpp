// branch_tables: a table for every branching operator. It has the parts of a written-out matrix
// that the operator hands to its branches. It also has every reason why it refuses, and the writers
// of a row that several branches share.
#include <gtest/gtest.h>

#include <algorithm>

#include "generator/body/epilogues.h"
#include "generator/body/plan.h"
#include "generator/facts/contract.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

// `stairs` has the canonical indices 0 | 1 2 3 | | 4 | 5 6 | 7 8 9 10 11.

/// x x . .
/// . x . .
/// x . x x
/// . . . x
const Matrix band = pattern(4, {{0, 1}, {1}, {0, 2, 3}, {3}});

/// . x x . x
/// . . x . .
/// . . . x .
const Matrix late = pattern(5, {{1, 2, 4}, {2}, {3}});

/// A block of 8 x 4 with 8 of its 32 positions, and one entry beside it.
const Matrix tuft = pattern(8, {{0, 1, 2, 3}, {0, 1, 2, 3, 5}, {}});

/// The expected content of one branch; -1 in `source` is fill.
struct Part {
  const char* description;
  Entries row_origin, row_first_nz, nz_col, value_source;
};

struct SplitCase {
  const Matrix& matrix;
  const char* step;
  std::vector<Part> parts;
};

const std::vector<SplitCase> split_cases = {
    {stairs,
     "bin_rows at=2,4",
     {{"rows of fewer than 2 non-zeros", {0, 2, 3}, {0, 1, 1, 2}, {4, 7}, {0, 4}},
      {"rows of 2 to 3 non-zeros", {1, 4}, {0, 3, 5}, {0, 1, 2, 3, 5}, {1, 2, 3, 5, 6}},
      {"rows of at least 4 non-zeros", {5}, {0, 5}, {0, 2, 4, 6, 7}, {7, 8, 9, 10, 11}}}},
    {stairs,
     "row_split parts=2",
     {{"rows 0 to 4",
       {0, 1, 2, 3, 4},
       {0, 1, 4, 4, 5, 7},
       {4, 0, 1, 2, 7, 3, 5},
       {0, 1, 2, 3, 4, 5, 6}},
      {"rows 5 to 5", {5}, {0, 5}, {0, 2, 4, 6, 7}, {7, 8, 9, 10, 11}}}},
    {stairs,
     "row_split parts=3 by=rows",
     {{"rows 0 to 1", {0, 1}, {0, 1, 4}, {4, 0, 1, 2}, {0, 1, 2, 3}},
      {"rows 2 to 3", {2, 3}, {0, 0, 1}, {7}, {4}},
      {"rows 4 to 5", {4, 5}, {0, 2, 7}, {3, 5, 0, 2, 4, 6, 7}, {5, 6, 7, 8, 9, 10, 11}}}},
    // log2(1 + length) is 1 2 0 1 1.6 2.6: the last row differs most from the mean of the others
    {stairs,
     "row_split parts=2 by=length",
     {{"rows 0 to 4",
       {0, 1, 2, 3, 4},
       {0, 1, 4, 4, 5, 7},
       {4, 0, 1, 2, 7, 3, 5},
       {0, 1, 2, 3, 4, 5, 6}},
      {"rows 5 to 5", {5}, {0, 5}, {0, 2, 4, 6, 7}, {7, 8, 9, 10, 11}}}},
    // the first branch has every row, the others those of which they have something
    {stairs,
     "col_split parts=2 by=cols",
     {{"columns 0 to 3",
       {0, 1, 2, 3, 4, 5},
       {0, 0, 3, 3, 3, 4, 6},
       {0, 1, 2, 3, 0, 2},
       {1, 2, 3, 5, 7, 8}},
      {"columns 4 to 7", {0, 3, 4, 5}, {0, 1, 2, 3, 6}, {4, 7, 5, 4, 6, 7}, {0, 4, 6, 9, 10, 11}}}},
    // columns hold 2 1 2 1 2 1 1 2 non-zeros: 6 of 12 before column 4
    {stairs,
     "col_split parts=2",
     {{"columns 0 to 3",
       {0, 1, 2, 3, 4, 5},
       {0, 0, 3, 3, 3, 4, 6},
       {0, 1, 2, 3, 0, 2},
       {1, 2, 3, 5, 7, 8}},
      {"columns 4 to 7", {0, 3, 4, 5}, {0, 1, 2, 3, 6}, {4, 7, 5, 4, 6, 7}, {0, 4, 6, 9, 10, 11}}}},
    {stairs,
     "ell_peel width=2",
     {{"the first 2 non-zeros of each row",
       {0, 1, 2, 3, 4, 5},
       {0, 1, 3, 3, 4, 6, 8},
       {4, 0, 1, 7, 3, 5, 0, 2},
       {0, 1, 2, 4, 5, 6, 7, 8}},
      {"the non-zeros of each row behind its first 2",
       {1, 5},
       {0, 1, 4},
       {2, 4, 6, 7},
       {3, 9, 10, 11}}}},
    // lengths 5 3 2 1 1 0: two of six rows have 3 or more
    {stairs,
     "ell_peel width=third",
     {{"the first 3 non-zeros of each row",
       {0, 1, 2, 3, 4, 5},
       {0, 1, 4, 4, 5, 7, 10},
       {4, 0, 1, 2, 7, 3, 5, 0, 2, 4},
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {"the non-zeros of each row behind its first 3", {5}, {0, 2}, {6, 7}, {10, 11}}}},
    // DIA: diagonals 0 (4 of 4) and 1 (2 of 3) are full enough; one position a row and diagonal,
    // beyond the matrix's edge too. Fill repeats the column before it in its row.
    {band,
     "diagonal_peel share=60",
     {{"2 diagonals",
       {0, 1, 2, 3},
       {0, 2, 4, 6, 8},
       {0, 1, 1, 1, 2, 3, 3, 3},
       {0, 1, 2, -1, 4, 5, 6, -1}},
      {"what lies on no full diagonal", {2}, {0, 1}, {0}, {3}}}},
    // BSR: of the blocks of 2 x 2, rows 0-1 columns 0-1 has 3 of 4, rows 2-3 columns 2-3 as well.
    // The fill of row 3 stands before its first non-zero and repeats that one's column.
    {band,
     "dense_block_peel rows=2 cols=2 share=75",
     {{"blocks of 2 x 2",
       {0, 1, 2, 3},
       {0, 2, 4, 6, 8},
       {0, 1, 1, 1, 2, 3, 3, 3},
       {0, 1, -1, 2, 4, 5, -1, 6}},
      {"what lies in no full block", {2}, {0, 1}, {0}, {3}}}},
    // Blocks from entries on: columns 1 and 2 of the rows 0 and 1, then 4 and 5, of which x has
    // one.
    {late,
     "dense_block_peel rows=2 cols=2 share=0 from=entry",
     {{"blocks of 2 x 2",
       {0, 1, 2},
       {0, 4, 8, 10},
       {1, 2, 4, 4, 2, 2, 2, 2, 3, 3},
       {0, 1, 2, -1, -1, 3, -1, -1, 4, -1}},
      {"what lies in no full block", {}, {0}, {}, {}}}},
    // A block that is too thin leaves its first column; the next one begins behind that.
    {late,
     "dense_block_peel rows=2 cols=2 share=75 from=entry",
     {{"blocks of 2 x 2", {0, 1, 2}, {0, 2, 4, 4}, {1, 2, 2, 2}, {0, 1, -1, 3}},
      {"what lies in no full block", {0, 2}, {0, 1, 2}, {4, 3}, {2, 4}}}},
    {late,
     "dense_block_peel rows=1 cols=2 share=100 from=entry",
     {{"blocks of 1 x 2", {0, 1, 2}, {0, 2, 2, 2}, {1, 2}, {0, 1}},
      {"what lies in no full block", {0, 1, 2}, {0, 1, 2, 3}, {4, 2, 3}, {2, 3, 4}}}},
    // no fill: the bits leave out entries that are not stored
    {tuft,
     "bitmap_block_peel cols=4 share=25",
     {{"bitmap blocks of 8 x 4",
       {0, 1, 2},
       {0, 4, 8, 8},
       {0, 1, 2, 3, 0, 1, 2, 3},
       {0, 1, 2, 3, 4, 5, 6, 7}},
      {"what lies in no full block", {1}, {0, 1}, {5}, {8}}}},
};

/// The step with as many branches as it wants, each of which leaves the listed positions as they
/// are: without compress where they are a regular part.
std::vector<Store> branches_of(const SplitCase& entry) {
  const bool peels =
      std::string(entry.step).find("diagonal") == 0 || std::string(entry.step).find("dense") == 0;
  std::string text = entry.step;
  for (std::size_t i = 0; i < entry.parts.size(); ++i) {
    text += std::string(" { ") + (peels && i == 0 ? "" : "compress | ") +
            "thread_rows rows=1 | thread_total | global_add | launch threads=32 }";
  }
  const Result<std::vector<Store>> stores = Designer(entry.matrix).branches(*parse_design(text));
  EXPECT_TRUE(stores.ok()) << (stores.ok() ? "" : stores.reason());
  return stores.ok() ? *stores : std::vector<Store>();
}

TEST(BranchTables, MakeTheArraysThatAreWrittenOut) {
  for (const SplitCase& entry : split_cases) {
    const std::vector<Store> stores = branches_of(entry);
    ASSERT_EQ(stores.size(), entry.parts.size()) << entry.step;
    for (std::size_t i = 0; i < stores.size(); ++i) {
      const Store& store = stores[i];
      const Part& part = entry.parts[i];
      EXPECT_EQ(store.description, part.description);
      EXPECT_EQ(store.ints({Level::matrix, Name::row_origin}), part.row_origin) << part.description;
      EXPECT_EQ(store.ints({Level::matrix, Name::row_first_nz}), part.row_first_nz)
          << part.description;
      EXPECT_EQ(store.ints({Level::matrix, Name::nz_col}), part.nz_col) << part.description;
      EXPECT_EQ(store.ints({Level::matrix, Name::value_source}), part.value_source)
          << part.description;
      EXPECT_EQ(check_store(store), "") << part.description;
    }
  }
}

TEST(BranchTables, EveryNonZeroIsOwnedOnce) {
  for (const SplitCase& entry : split_cases) {
    Entries owned;
    for (const Store& store : branches_of(entry)) {
      for (const std::int32_t source : store.ints({Level::matrix, Name::value_source})) {
        if (source >= 0) owned.push_back(source);
      }
    }
    std::sort(owned.begin(), owned.end());
    Entries all(entry.matrix.nnz());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    EXPECT_EQ(owned, all) << entry.step;
  }
}

TEST(BranchTables, CoverEveryBranchingOperator) {
  for (const Operator* op : catalogue()) {
    const auto is_of = [&](const SplitCase& entry) {
      return std::string(entry.step).find(op->name) == 0;
    };
    EXPECT_EQ(std::any_of(split_cases.begin(), split_cases.end(), is_of), op->branches != nullptr)
        << op->name;
  }
}

#define LEAF "{ compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 }"
#define ADDS "{ compress | thread_rows rows=1 | thread_total | global_add | launch threads=32 }"
#define FUSED(epilogue, threads)                                                            \
  "{ compress | thread_rows rows=1 | thread_total | " epilogue " | launch threads=" threads \
  " fused=yes }"
#define TASKS(epilogue) \
  "{ compress | thread_rows rows=1 | thread_total | " epilogue " | launch tasks=bytes }"

#define BITS(line) "bitmap_block_peel cols=4 share=0 { " line " } " LEAF

struct RefusedBranch {
  const char* design;
  const char* reason;
};

const RefusedBranch refused_branches[] = {
    {"bin_rows at=3", "bin_rows: it makes 2 branches, but 0 follow; put each in { } behind it"},
    {"bin_rows at=3 " LEAF, "bin_rows: it makes 2 branches, but 1 follow in { }"},
    {"bin_rows at=3,3 " LEAF LEAF LEAF, "bin_rows: at=3,3 does not ascend"},
    {"bin_rows at=0 " LEAF LEAF, "bin_rows: at=0 is not an integer from 1 to 2147483647"},
    {"bin_rows " LEAF LEAF, "bin_rows: at= is missing"},
    {"compress " LEAF, "compress: it takes no branches"},
    {"row_split parts=2 by=cols " LEAF LEAF, "row_split: by=cols is not one of nnz, rows, length"},
    {"compress | thread_rows rows=1 | bin_rows at=2 " LEAF LEAF,
     "bin_rows: the matrix cannot be split once a level is cut"},
    {"compress | thread_rows rows=1 | row_split parts=2 " LEAF LEAF,
     "row_split: the matrix cannot be split once a level is cut"},
    {"compress | thread_rows rows=1 | col_split parts=2 " LEAF LEAF,
     "col_split: the matrix cannot be split once a level is cut"},
    {"compress | thread_rows rows=1 | ell_peel width=2 " LEAF LEAF,
     "ell_peel: the matrix cannot be split once a level is cut"},
    {"compress | thread_rows rows=1 | diagonal_peel share=2 " LEAF LEAF,
     "diagonal_peel: the matrix cannot be split once a level is cut"},
    {"diagonal_peel share=60 { dense_block_peel rows=2 cols=2 share=9 " LEAF LEAF " } " LEAF,
     "branch 1: dense_block_peel: the branch has fill already; put compress before it"},
    {"compress | thread_rows rows=1 | bitmap_block_peel cols=4 share=2 " LEAF LEAF,
     "bitmap_block_peel: the matrix cannot be split once a level is cut"},
    {"diagonal_peel share=60 { bitmap_block_peel cols=4 share=9 " LEAF LEAF " } " LEAF,
     "branch 1: bitmap_block_peel: the branch has fill, which bits leave out; put compress before "
     "it"},
    {BITS("bin_rows at=2 " LEAF LEAF), "branch 1: bin_rows: bitmap blocks cannot be split again"},
    {BITS("sort_rows"), "branch 1: sort_rows: the rows of a bitmap block belong together"},
    {BITS("reorder by=columns"), "branch 1: reorder: the rows of a bitmap block belong together"},
    {BITS("compress | block_rows rows=8 | block_sort_rows"),
     "branch 1: block_sort_rows: the rows of a bitmap block belong together"},
    {"bin_rows at=2 { reorder by=columns x=gathered } " LEAF,
     "branch 1: reorder: x is gathered once for all branches; put it before the matrix is split"},
    {"reorder by=columns x=gathered | diagonal_peel share=2 " LEAF LEAF,
     "diagonal_peel: the columns were renumbered, so diagonals are no lines any more"},
    {BITS("compress | thread_rows rows=1 | thread_total | global_store | compact "
          "models=linear structure=full values=full"),
     "branch 1: compact: bitmap blocks have no columns to pack; use structure=packed"},
    {"bin_rows at=3 { compress } " LEAF,
     "branch 1: the design ends before its launch; add '| global_atomic | launch threads=128', for "
     "a CPU '| global_atomic | launch tasks=bytes'"},
    {"bin_rows at=3 " LEAF " { compress | compress }",
     "branch 2: compress: the matrix is compressed already"},
    {"col_split parts=2 " LEAF LEAF,
     "global_store: an earlier launch has written to its rows; use global_add"},
    {"col_split parts=2 " TASKS("global_store") TASKS("global_store"),
     "global_store: an earlier launch has written to its rows; use global_atomic"},
    {"col_split parts=2 " FUSED("global_add", "32") FUSED("global_add", "32"),
     "global_add: a row has several writers at a time"},
    {"col_split parts=2 " FUSED("global_atomic", "32") FUSED("global_atomic", "64"),
     "launch: fused branches differ in their threads"},
    {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 fused=yes",
     "launch: fused=yes is for branches"},
};

TEST(BranchTables, RefuseWithTheReasonThatIsWrittenOut) {
  for (const RefusedBranch& entry : refused_branches) {
    const Result<Kernel> kernel = Designer(band).build(entry.design, Dtype::f32, {1e6, 1 << 20});
    ASSERT_FALSE(kernel.ok()) << entry.design;
    EXPECT_EQ(kernel.reason(), entry.reason) << entry.design;
  }
}

TEST(BranchTables, TooMuchFillIsRefusedBeforeItIsBuilt) {
  // An anti-diagonal: each of its non-zeros lies on a diagonal of its own.
  constexpr int size = 3000;
  std::vector<std::vector<int>> rows(size);
  for (int row = 0; row < size; ++row) rows[row] = {size - 1 - row};
  const Matrix anti = pattern(size, rows);
  EXPECT_EQ(Designer(anti).build("diagonal_peel share=0 " LEAF LEAF, Dtype::f32).reason(),
            "diagonal_peel: its regular part has 9000000 positions, of 3000 non-zeros: more than "
            "4242304");
}

// ---- the writers of a row

std::vector<Epilogue> sinks_of(const std::string& design) {
  Designer designer(band);
  std::vector<Store> stores = *designer.branches(*parse_design(design));
  std::vector<BranchPlan> plans;
  for (Store& store : stores) plans.push_back(*plan_branch(store));
  std::vector<std::vector<BranchPlan*>> launches;
  for (BranchPlan& plan : plans) {
    if (plan.store->launch.fused && !launches.empty()) {
      launches.back().push_back(&plan);
    } else {
      launches.push_back({&plan});
    }
  }
  EXPECT_TRUE(choose_epilogues(launches, band.rows).ok());
  std::vector<Epilogue> sinks;
  for (const BranchPlan& plan : plans) sinks.push_back(plan.whole.epilogue);
  return sinks;
}

TEST(Sinks, FollowFromWhoWritesARowAndWhen) {
  using Sinks = std::vector<Epilogue>;
  EXPECT_EQ(sinks_of("bin_rows at=2 " LEAF LEAF), (Sinks{Epilogue::store, Epilogue::store}));
  EXPECT_EQ(sinks_of("col_split parts=2 " LEAF ADDS), (Sinks{Epilogue::store, Epilogue::add}));
  EXPECT_EQ(
      sinks_of("col_split parts=2 " FUSED("global_atomic", "32") FUSED("global_atomic", "32")),
      (Sinks{Epilogue::atomic, Epilogue::atomic}));
  EXPECT_EQ(sinks_of("bin_rows at=2 " FUSED("global_atomic", "32") FUSED("global_store", "32")),
            (Sinks{Epilogue::store, Epilogue::store}));
}

TEST(Sinks, RowsThatNobodyStoresAreInitialised) {
  // global_atomic of single products: rows 0 and 2 have several writers, row 1 and 3 are written
  // by the same port, which adds as a whole.
  const char* const design =
      "bin_rows at=2 { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
      "threads=32 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
      "threads=32 }";
  Designer designer(band);
  std::vector<Store> stores = *designer.branches(*parse_design(design));
  BranchPlan few = *plan_branch(stores[0]), many = *plan_branch(stores[1]);
  const Result<Entries> rows = choose_epilogues({{&few}, {&many}}, band.rows);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(few.whole.epilogue, Epilogue::store);
  EXPECT_EQ(many.whole.epilogue, Epilogue::atomic);
  EXPECT_EQ(*rows, (Entries{0, 2}));
}

}  // namespace
}  // namespace alphasparse
