// shipped_experience: the files that the program brings along, and files that are not as they
// should be.
#include "search/experience/shipped_experience.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/version.h"
#include "operators/canonical_design.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

const std::string experience_folder = "search/experience/";
const std::string known_design =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";

std::string kind_name(Target target) { return target == Target::cpu ? "cpu" : "gpu"; }

std::string first_line(const std::string& generator = generator_version,
                       int features = features_version, const std::string& kind = "modelled gpu") {
  return fmt::format("# alphasparse experience: generator {}, features {}, {}\n", generator,
                     features, kind);
}

std::string column_line(const std::string& designs) {
  std::string text = "name\torigin\tpattern";
  for (const NamedFeature& feature : feature_list({})) text += fmt::format("\t{}", feature.name);
  return text + "\t" + designs + "\n";
}

/// The line of a matrix with features that are all `feature`.
std::string experience_line(const std::string& ratios, const std::string& feature = "1") {
  std::string text = "m\tgroup\tpattern";
  for (std::size_t i = 0; i < feature_list({}).size(); ++i) text += "\t" + feature;
  return text + "\t" + ratios + "\n";
}

ShippedExperience experience_of(const std::string& lines) {
  return read_experience(first_line() + column_line(known_design) + lines, Target::gpu);
}

class ShippedFiles : public ::testing::TestWithParam<Target> {};

TEST_P(ShippedFiles, HaveTheListedDesignsAndWholeLines) {
  const std::string kind = kind_name(GetParam());
  const ShippedExperience experience =
      read_experience(source_text(experience_folder + kind + ".tsv"), GetParam());
  ASSERT_EQ(experience.unusable, "") << "tools/make_experience " << kind << " makes it anew";
  EXPECT_EQ(experience.dropped, 0u);
  ASSERT_GT(experience.matrices.size(), 20u);
  std::istringstream list(source_text(experience_folder + kind + ".txt"));
  std::vector<std::string> listed;
  for (std::string text; std::getline(list, text);)
    listed.push_back(CanonicalDesign::read(text).value().text());
  for (const ShippedMatrix& matrix : experience.matrices) {
    double best = 1e9;
    for (const auto& [text, ratio] : matrix.ratios) {
      best = std::min(best, ratio);
      EXPECT_NE(std::find(listed.begin(), listed.end(), text), listed.end()) << text;
    }
    EXPECT_EQ(best, 1) << matrix.name;
    EXPECT_FALSE(matrix.origin.empty()) << matrix.name;
  }
  for (const std::string& text : listed) {
    EXPECT_TRUE(std::any_of(experience.matrices.begin(), experience.matrices.end(),
                            [&](const auto& matrix) { return matrix.ratios.contains(text); }))
        << text << " is new: tools/make_experience " << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ShippedFiles, ::testing::Values(Target::gpu),
                         [](const auto& target) { return kind_name(target.param); });

TEST(ShippedExperience, FilesAreSmallAndSorted) {
  std::size_t bytes = 0;
  for (const char* const kind : {"gpu.tsv"}) {
    const std::string text = source_text(experience_folder + kind);
    bytes += text.size();
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string each; std::getline(stream, each);) lines.push_back(each);
    EXPECT_TRUE(std::is_sorted(lines.begin() + 2, lines.end())) << kind;
  }
  EXPECT_LT(bytes, 300'000u);
}

TEST(ShippedExperience, HasRatiosByDesign) {
  const ShippedExperience experience = experience_of(experience_line("1.5") + experience_line("-"));
  EXPECT_EQ(experience.dropped, 0u);
  ASSERT_EQ(experience.matrices.size(), 2u);
  EXPECT_EQ(experience.matrices[0].origin, "group");
  EXPECT_EQ(experience.matrices[0].ratios.at(CanonicalDesign::read(known_design).value().text()),
            1.5);
  EXPECT_TRUE(experience.matrices[1].ratios.empty());
}

TEST(ShippedExperience, DropsAndCountsLinesThatCannotBe) {
  for (const std::string& bad :
       {experience_line("0.99"), experience_line("nan"), experience_line("inf"),
        experience_line("-1"), experience_line("1x"), experience_line(""), experience_line("1\t1"),
        experience_line("1", "-3"), experience_line("1", "nan"), experience_line("1", "many"),
        std::string("m\n"), std::string("\n"), std::string("\xff\x00\t\n", 4)}) {
    const ShippedExperience experience =
        experience_of(experience_line("1") + bad + experience_line("2"));
    EXPECT_EQ(experience.dropped, 1u) << bad;
    EXPECT_EQ(experience.matrices.size(), 2u) << bad;
  }
}

TEST(ShippedExperience, DropsAndCountsDesignsThatItDoesNotKnow) {
  for (const char* const other :
       {"fly",
        "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes"}) {
    const ShippedExperience experience = read_experience(
        first_line() + column_line(known_design + "\t" + other) + experience_line("1\t1.1"),
        Target::gpu);
    EXPECT_EQ(experience.dropped, 1u);
    ASSERT_EQ(experience.matrices.size(), 1u);
    EXPECT_EQ(experience.matrices[0].ratios.size(), 1u) << other;
  }
}

TEST(ShippedExperience, OfOtherVersionsOrKindsIsLeftOut) {
  const std::string rest = column_line(known_design) + experience_line("1");
  const auto why = [&](const std::string& first) {
    const ShippedExperience experience = read_experience(first + rest, Target::gpu);
    EXPECT_EQ(experience.matrices.empty(), !experience.unusable.empty());
    return experience.unusable;
  };
  EXPECT_EQ(why(first_line()), "");
  EXPECT_EQ(why(first_line(std::to_string(experience_since))), "") << "its times are the same";
  EXPECT_NE(why(first_line(std::to_string(experience_since - 1))), "");
  EXPECT_NE(why(first_line("99999")), "");
  EXPECT_NE(why(first_line(generator_version, features_version + 1)), "");
  EXPECT_NE(why(first_line(generator_version, features_version, "measured cpu")), "");
  EXPECT_NE(why(""), "");
}

TEST(ShippedExperience, ThatIsCutIsLeftOutOrLessAndNeverAFault) {
  const std::string whole =
      first_line() + column_line(known_design) + experience_line("1") + experience_line("2");
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const ShippedExperience experience = read_experience(whole.substr(0, bytes), Target::gpu);
    EXPECT_LE(experience.matrices.size(), 2u);
  }
}

}  // namespace
}  // namespace alphasparse
