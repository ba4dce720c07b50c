// pages: the text, charts and code that pages are made of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tools/pages/chart.h"
#include "tools/pages/highlight.h"
#include "tools/pages/markup.h"
#include "tools/pages/page.h"
#include "tools/pages/scale.h"

namespace alphasparse {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// The text that a reader sees of a piece of HTML.
std::string seen(const std::string& html) {
  std::string text = std::regex_replace(html, std::regex("<[^>]*>"), "");
  for (const auto& [entity, character] : {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"},
                                          std::pair{"&quot;", "\""}, std::pair{"&amp;", "&"}})
    text = replaced(text, entity, character);
  return text;
}

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Pages, TextIsEscaped) {
  EXPECT_EQ(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(escaped("3 \xc2\xb5s\n"), "3 \xc2\xb5s\n");
  EXPECT_EQ(escaped("\x01\x1b[31m"), "  [31m");
  EXPECT_EQ(escaped("a\xff\xc3"), "a\xef\xbf\xbd\xef\xbf\xbd") << "no UTF-8";
}

TEST(Pages, NumbersAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

TEST(Pages, FilesAreCodedByBase64) {
  // RFC 4648, section 10.
  EXPECT_EQ(data_uri("x/y", ""), "data:x/y;base64,");
  EXPECT_EQ(data_uri("x/y", "f"), "data:x/y;base64,Zg==");
  EXPECT_EQ(data_uri("x/y", "fo"), "data:x/y;base64,Zm8=");
  EXPECT_EQ(data_uri("x/y", "foobar"), "data:x/y;base64,Zm9vYmFy");
}

TEST(Pages, CodeKeepsItsCharactersAndGainsItsKinds) {
  const std::string code =
      "// a <comment>\n#include <x.h>  // why\n/* two\nlines */ if (a && b < 1'000.5f) "
      "return \"a\\\"b\";\n#define F(x) \\\n  (x)\nint intern = 'c';\n";
  const std::string html = highlighted(code);
  EXPECT_EQ(seen(html), code);
  EXPECT_NE(html.find("<span class=\"comment\">// a &lt;comment&gt;</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"macro\">#include &lt;x.h&gt;  </span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"comment\">/* two\nlines */</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"literal\">1'000.5f</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"string\">&quot;a\\&quot;b&quot;</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"keyword\">int</span> intern"), std::string::npos);
  for (const char* const broken : {"\"no end", "/* no end", "#", "'"})
    EXPECT_EQ(seen(highlighted(broken)), broken);
}

TEST(Pages, AxesHaveRoundNumbers) {
  const Scale plain(0, 97, false, 0, 100);
  EXPECT_EQ(plain.ticks(5), (std::vector<double>{0, 20, 40, 60, 80}));
  EXPECT_DOUBLE_EQ(plain.at(97), 100);
  const Scale decades(0.7, 80, true, 100, 0);
  EXPECT_EQ(decades.ticks(3), (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(decades.ticks(20), (std::vector<double>{0.5, 1, 2, 5, 10, 20, 50, 100}));
  EXPECT_DOUBLE_EQ(decades.at(0.5), 100);
  EXPECT_DOUBLE_EQ(decades.at(100), 0);
  for (const double same : {0.0, 3.0}) {
    const Scale one(same, same, true, 0, 1);
    EXPECT_FALSE(one.ticks(5).empty());
  }
}

Chart some_chart(bool is_hollow) {
  Chart chart;
  chart.description = "three <points>";
  chart.x = {"tried", false};
  chart.y = {"time", true};
  chart.is_hollow = is_hollow;
  chart.series = {{"a & b", 0, {{1, 10, "ten"}, {2, 20, "twenty"}}}, {"c", 1, {{3, 5, "five"}}}};
  chart.lines = {{"csr", 2, {{0, 12}}}, {"best", 6, {{1, 10}, {3, 10}, {3, 5}}}};
  return chart;
}

TEST(Pages, ChartsHaveEveryPointForBothWidths) {
  const std::string html = chart_html(some_chart(false));
  for (const char* const title : {"ten", "twenty", "five"})
    EXPECT_EQ(count(html, fmt::format("<title>{}</title>", title)), 2) << title;
  EXPECT_EQ(count(html, "class=\"level\""), 2);
  EXPECT_EQ(count(html, "aria-label=\"three &lt;points&gt;\""), 2);
  EXPECT_NE(html.find("a &amp; b</li>"), std::string::npos);
  EXPECT_EQ(chart_html({}), "") << "of nothing";
}

TEST(Pages, WhatIsModelledIsHollow) {
  EXPECT_EQ(count(chart_html(some_chart(false)), "fill=\"none\" stroke="), 0);
  EXPECT_EQ(count(chart_html(some_chart(true)), "fill=\"none\" stroke="), 2 * 3 + 2);
  EXPECT_EQ(count(bars_html({{"a", "1", 1, 0, true, {}, {}}}), "bar hollow"), 1);
  EXPECT_EQ(count(bars_html({{"a", "1", 1, 0, false, {}, {}}}), "bar hollow"), 0);
}

TEST(Pages, BarsAreAsLongAsTheirNumbers) {
  const std::string html = bars_html(
      {{"long", "4", 4, 0, false, {}, {}}, {"short", "1", 1, 0, false, {{0.5, 1.5}}, {}}});
  EXPECT_NE(html.find("width:100.00%"), std::string::npos);
  EXPECT_NE(html.find("width:25.00%"), std::string::npos);
  EXPECT_NE(html.find("left:12.50%;width:25.00%"), std::string::npos);
  EXPECT_NE(bars_html({{"nothing", "0", 0, 0, false, {}, {}}}).find("width:0.00%"),
            std::string::npos);
}

TEST(Pages, NothingComesFromElsewhere) {
  const std::string html = page_html({"A title", "<p>lead</p>", {{"one", "One", "<p>1</p>"}}});
  EXPECT_FALSE(std::regex_search(html, std::regex("(src|href)=\"(https?:)?//|@import|url\\(")));
  EXPECT_NE(html.find("<a href=\"#one\">One</a>"), std::string::npos);
  EXPECT_NE(html.find("<section id=\"one\">"), std::string::npos);
}

}  // namespace
}  // namespace alphasparse
