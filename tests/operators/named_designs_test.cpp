// named_designs: every line of the table is canonical and builds on the whole battery; its coarse
// variants are legal or refused with a reason, and no two are the same.
#include "operators/named_designs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

std::string canonical_text(std::string_view text) {
  const Result<Design> design = parse_design(text);
  if (!design) return design.reason();
  const Result<Design> canonical = canonical_design(*design);
  return canonical ? print_design(*canonical) : canonical.reason();
}

TEST(NamedDesigns, HaveNamesLinesAndWordsOfTheirOwn) {
  std::set<std::string_view> names, lines;
  for (const NamedDesign& design : named_designs()) {
    EXPECT_TRUE(names.insert(design.name).second) << design.name;
    EXPECT_FALSE(design.doc.empty()) << design.name;
    EXPECT_FALSE(design.line.empty() && design.cpu.empty()) << design.name;
  }
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const NamedDesign& design : named_designs(target)) {
      EXPECT_TRUE(lines.insert(design.line).second) << design.name;
      EXPECT_EQ(resolve_design(std::string(design.name), target), design.line);
    }
  }
  for (const char* name : {"csr-scalar", "csr-vector", "ell", "sell-c-sigma", "csr5"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
  EXPECT_EQ(resolve_design("compress | launch"), "compress | launch");
}

TEST(NamedDesigns, AreCanonical) {
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const NamedDesign& design : named_designs(target))
      EXPECT_EQ(canonical_text(design.line), design.line) << design.name;
  }
}

TEST(NamedDesigns, BuildOnTheBatteryInBothTypes) {
  for (const NamedMatrix& entry : battery()) {
    Designer designer(entry.matrix);
    for (const NamedDesign& design : named_designs(Target::gpu)) {
      for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
        SCOPED_TRACE(entry.name + ", " + std::string(design.name) + ", " + dtype_name(dtype));
        const Result<Kernel> kernel =
            designer.build(std::string(design.line), dtype, no_build_limits);
        ASSERT_TRUE(kernel.ok()) << kernel.reason();
        EXPECT_EQ(kernel->design, design.line);
        EXPECT_EQ(kernel->dtype, dtype);
        EXPECT_EQ(kernel->nnz, entry.matrix.nnz());
        EXPECT_FALSE(kernel->launches.empty());
      }
    }
  }
}

/// The texts of the coarse variants of a line.
std::vector<std::string> variants_of(const std::string& line, const Matrix& matrix,
                                     std::size_t most = 64) {
  return list_texts(coarse_variants(CanonicalDesign::read(line).value(), matrix, most));
}

TEST(NamedDesigns, CoarseVariantsAreLegalOrRefusedWithAReason) {
  for (const NamedMatrix& entry : battery()) {
    Designer designer(entry.matrix);
    for (const NamedDesign& design : named_designs(Target::gpu)) {
      const std::string line(design.line);
      std::set<std::string> seen{line};
      std::size_t legal = 0;
      const std::vector<std::string> variants = variants_of(line, entry.matrix);
      for (const std::string& variant : variants) {
        EXPECT_TRUE(seen.insert(variant).second) << variant << " is there twice";
        EXPECT_EQ(canonical_text(variant), variant);
        const auto stores = designer.branches(*parse_design(variant));
        legal += stores.ok();
        if (stores) continue;
        EXPECT_NE(stores.reason().find(": "), std::string::npos) << variant;
      }
      EXPECT_GT(legal, 0u) << design.name << " on " << entry.name;
    }
  }
}

TEST(NamedDesigns, CoarseVariantsKeepToTheirBoundAndSpreadOverTheGrid) {
  const Matrix matrix = battery().back().matrix;
  const std::string line =
      "sort_rows_in_bands rows=1024 | compress | block_rows rows=128 | warp_rows rows=32 | "
      "thread_rows rows=1 | thread_total | global_store | launch threads=256";
  const std::vector<std::string> all = variants_of(line, matrix, 100000);
  ASSERT_GT(all.size(), 64u);
  const std::vector<std::string> few = variants_of(line, matrix, 10);
  ASSERT_EQ(few.size(), 10u);
  EXPECT_EQ(few.front(), all.front());
  EXPECT_EQ(few.back(), all[9 * all.size() / 10]);
}

/// Points that are not wanted take no place of those that are.
TEST(NamedDesigns, CoarseVariantsAreThinnedBehindTheirFilter) {
  const Matrix matrix = battery().back().matrix;
  const CanonicalDesign design =
      CanonicalDesign::read(
          "sort_rows_in_bands rows=1024 | compress | block_rows rows=128 | warp_rows rows=32 | "
          "thread_rows rows=1 | thread_total | global_store | launch threads=256")
          .value();
  const auto wanted = [](const CanonicalDesign& point) {
    return point.text().find("block_rows rows=256") != std::string::npos;
  };
  Designs all = coarse_variants(design, matrix, 100000);
  const auto count = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), wanted));
  ASSERT_GT(count, 10U);
  ASSERT_LT(4 * count, 3 * all.size());
  EXPECT_EQ(coarse_variants(design, matrix, 100000, wanted).size(), count);
  const Designs few = coarse_variants(design, matrix, count / 2, wanted);
  EXPECT_EQ(few.size(), count / 2);
  EXPECT_TRUE(std::all_of(few.begin(), few.end(), wanted));
}

TEST(NamedDesigns, VariantsOfCsr5KeepItsTilesWhole) {
  const Matrix matrix = battery().back().matrix;
  std::set<std::string> cuts;
  for (const std::string& variant : variants_of(resolve_design("csr5"), matrix)) {
    cuts.insert(variant.substr(0, variant.find(" | interleave")));
  }
  EXPECT_EQ(cuts, (std::set<std::string>{"compress | warp_nnz nnz=128 | thread_nnz nnz=4",
                                         "compress | warp_nnz nnz=256 | thread_nnz nnz=8",
                                         "compress | warp_nnz nnz=512 | thread_nnz nnz=16",
                                         "compress | warp_nnz nnz=1024 | thread_nnz nnz=32"}));
}

// A format with pads that outweigh the matrix is refused before it is built.
TEST(NamedDesigns, EllOnOneHugeRowIsRefusedForItsSize) {
  const Matrix matrix = battery().back().matrix;
  Designer designer(matrix);
  const Result<Kernel> kernel = designer.build(resolve_design("ell"), Dtype::f32);
  ASSERT_FALSE(kernel.ok());
  EXPECT_NE(kernel.reason().find("bytes with pads are"), std::string::npos) << kernel.reason();
}

}  // namespace
}  // namespace alphasparse
