// matrix_names: the names of several matrices, and the files that a search passes over.
#include "runtime/matrices/matrix_names.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace alphasparse {
namespace {

using Texts = std::vector<std::string>;

std::string names_refusal(const Texts& paths) {
  try {
    distinct_names(paths);
  } catch (const Error& error) {
    return error.what();
  }
  return "named";
}

TEST(MatrixNames, FoldersTellEqualNamesApart) {
  EXPECT_EQ(distinct_names({"a/m.mtx.gz", "b/n.mtx", "-"}), (Texts{"m", "n", "-"}));
  EXPECT_EQ(distinct_names({"/s1/m.mtx", "/s2/m.npz", "/s1/n.mtx"}), (Texts{"s1_m", "s2_m", "n"}));
  EXPECT_EQ(distinct_names({"/x/s/m.mtx", "/y/s/m.mtx", "/y/t/m.mtx"}),
            (Texts{"x_s_m", "y_s_m", "t_m"}));
  EXPECT_EQ(distinct_names({"/d/s1/m.mtx", "/d/s2/m.mtx", "/d/s1_m.mtx"}),
            (Texts{"d_s1_m", "s2_m", "s1_m"}));
  EXPECT_EQ(distinct_names({"/.s/m.mtx", "/m.mtx"}), (Texts{"s_m", "m"}));
}

TEST(MatrixNames, NamesOfTheSameFunctionsAreToldApartToo) {
  EXPECT_EQ(distinct_names({"/x/a-b.mtx", "/y/a_b.mtx"}), (Texts{"x_a-b", "y_a_b"}));
  EXPECT_EQ(distinct_names({"/x/a-b.mtx", "/x/a_b.mtx"}), (Texts{"a-b", "a_b"}));
}

TEST(MatrixNames, TheSameFilesAreRefused) {
  EXPECT_EQ(
      names_refusal({"a.mtx", "b.mtx", "x/.././a.mtx"}),
      "a.mtx and x/.././a.mtx would write the same files; name one, or tune them in two calls, "
      "each with an -o of its own");
  EXPECT_EQ(names_refusal({"x/a.mtx", "x/a.mtx.gz", "y/a.mtx"}),
            "x/a.mtx and x/a.mtx.gz would write the same files; name one, or tune them in two "
            "calls, each with an -o of its own");
}

TEST(MatrixNames, HiddenIsAFolderOrAFileWithADot) {
  for (const char* const path : {"._a.mtx", "x/.y/a.mtx", "/x/.a.mtx", "...mtx"})
    EXPECT_TRUE(is_hidden(path)) << path;
  for (const char* const path : {"a.mtx", "./a.mtx", "../x/a.b.mtx", "~a.mtx"})
    EXPECT_FALSE(is_hidden(path)) << path;
}

}  // namespace
}  // namespace alphasparse
