// computed_metadata: a format file is refused where computing one of its arrays would not end.
#include "runtime/formats/computed_metadata.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace alphasparse {
namespace {

/// An object of the list "computed" that has to be checked.
std::string computed(const std::string& name, const std::string& entry) {
  return fmt::format(
      R"({{"name":"{}","shape":[4],"entry":{},"least":0,"most":9,"ascending":false}})", name,
      entry);
}

std::string refusal_of_list(const std::string& list) {
  host::Header header;
  header.metadata = {{"computed", "[" + list + "]"}, {"steps", "[]"}};
  header.tensors = {{"stored", "I32", 4, 0, 16}};
  try {
    computed_numbers(header);
  } catch (const host::BadFile& error) {
    return error.what();
  }
  return "";
}

TEST(ComputedMetadata, TakesArraysThatComeFromOthers) {
  EXPECT_EQ(refusal_of_list(computed("a", R"(["[]","b","i"])") + "," +
                            computed("b", R"(["[]","stored",["*","i",1]])")),
            "");
}

TEST(ComputedMetadata, RefusesArraysThatComeFromThemselves) {
  const std::string circle = "computed arrays come from each other";
  EXPECT_EQ(refusal_of_list(computed("a", R"(["[]","a","i"])")), circle);
  EXPECT_EQ(refusal_of_list(computed("a", R"(["[]","b","i"])") + "," +
                            computed("b", R"(["[]","a","i"])")),
            circle);
}

// An array is found by its name: the second one of a name would hide that the first comes from
// itself.
TEST(ComputedMetadata, RefusesANameTwice) {
  EXPECT_EQ(refusal_of_list(computed("a", R"(["[]","a","i"])") + "," + computed("a", "1")),
            "two arrays are called \"a\"");
  EXPECT_EQ(refusal_of_list(computed("stored", "1")), "two arrays are called \"stored\"");
}

// Each of seven arrays adds up 16 entries of the next: 16^7 of the last for one of the first.
TEST(ComputedMetadata, RefusesWhatTakesTooLong) {
  std::string list = computed("a7", R"(["[]","stored","i"])");
  for (int k = 6; k >= 0; --k) {
    std::string sum = fmt::format(R"(["[]","a{}","i"])", k + 1);
    for (int doubling = 0; doubling < 4; ++doubling) sum = fmt::format(R"(["+",{0},{0}])", sum);
    list += "," + computed(fmt::format("a{}", k), sum);
  }
  EXPECT_EQ(refusal_of_list(list), "the computed arrays take too long to compute");
}

}  // namespace
}  // namespace alphasparse
