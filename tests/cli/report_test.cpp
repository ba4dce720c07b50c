// report: pages of HTML as tune, bench and db report write them, and as a browser shows them.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "runtime/system/processes/child_process.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* report_matrix =
    "%%MatrixMarket matrix coordinate real general\n"
    "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n";

/// The faults of a page; empty: none.
std::string faults_of(const std::filesystem::path& page) {
  const ChildResult check =
      run_child({"python3", ALPHASPARSE_SOURCE_DIR "/tests/check_page.py", page.string()}, {});
  return check.output + check.errors;
}

class CliReport : public testing::Test {
 protected:
  CliReport() { set_contents(folder / "m.mtx", report_matrix); }

  std::string page_of(const std::string& arguments, const std::string& file = "p.html") {
    const CliOutcome outcome = run_cli(folder, arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(faults_of(folder / file), "");
    std::string page = contents(folder / file);
    EXPECT_LT(page.size(), 2'000'000U);
    return page;
  }

  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing";
  }

  TestFolder folder;
};

constexpr const char* tune_words =
    "tune m.mtx --device emulated:h200 --trials 12 --db t.db -o out ";

TEST_F(CliReport, OfASearchHasEverySection) {
  const std::string page = page_of(std::string(tune_words) + "--explain --report p.html");
  for (const char* const section :
       {"matrix", "design", "bytes", "search", "roofline", "ablation", "kernel", "use"})
    expect_in(page, fmt::format("<section id=\"{}\">", section));
  expect_in(page, "modelled time of one SpMV");
  expect_in(page, "modelled GFLOP/s");
  EXPECT_EQ(page.find(">measured<"), std::string::npos);
  expect_in(page, "src=\"data:image/png;base64,");
  expect_in(page, "Times without a step");
  expect_in(page, "__global__");
  expect_in(page, "m_load(");
  expect_in(page, "nvcc -std=c++17 -O3 -arch=sm_90 -DALPHASPARSE_MAIN m.cu -o m");
  const std::string again = page_of(std::string(tune_words) + "--report q.html", "q.html");
  expect_in(again, "with <code>--explain</code>");
  expect_in(again, "0 of them in this call");
}

TEST_F(CliReport, OfACpuIsMeasuredAndHasItsPeers) {
  const std::string page =
      page_of("tune m.mtx --device cpu:1 --trials 5 --db t.db -o out --report p.html");
  expect_in(page, "class=\"tag measured\"");
  EXPECT_EQ(page.find("class=\"tag modelled\""), std::string::npos);
  expect_in(page, ">openmp-csr</text>");
  expect_in(page, "GB/s, measured");
  expect_in(page,
            "g++ -std=c++17 -O3 -march=native -fopenmp -DALPHASPARSE_MAIN m.cpu.cpp -o m.cpu");
}

TEST_F(CliReport, OfBenchHasASectionAMatrix) {
  set_contents(folder / "n.mtx", report_matrix);
  const std::string page = page_of(
      "bench m.mtx n.mtx --device emulated:h200 --designs csr-scalar,csr5,dia --report p.html");
  expect_in(page, "<section id=\"matrix-2\">\n<h2>n</h2>");
  expect_in(page, "<section id=\"all\">");
  expect_in(page, "bar hollow");
}

TEST_F(CliReport, OfADatabaseHasItsProblems) {
  ASSERT_EQ(run_cli(folder, tune_words).status, 0);
  ASSERT_EQ(run_cli(folder, "tune m.mtx --device cpu:1 --trials 3 --db t.db -o out").status, 0);
  const std::string page = page_of("db report --db t.db -o p.html");
  expect_in(page, "<table class=\"sortable\">");
  expect_in(page, "class=\"tag modelled\"");
  expect_in(page, "class=\"tag measured\"");
  expect_in(page, "<p class=\"filter\" hidden><label>");
  const std::size_t first = page.find("<summary>m</summary>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("<summary>m</summary>", first + 1), std::string::npos) << "a line a matrix";
  EXPECT_EQ(page.find(folder.path().string()), std::string::npos) << "no absolute path";
  const std::string one = page_of("db report --db t.db --device h200 -o q.html", "q.html");
  EXPECT_EQ(one.find("class=\"tag measured\""), std::string::npos);
}

TEST_F(CliReport, NamesAreShownAndNotRun) {
  const std::string name = "<script>alert(1)<!-- & \"x\"";
  set_contents(folder / (name + ".mtx"), report_matrix);
  const std::string page = page_of("tune '" + name +
                                   ".mtx' --device emulated:h200 --trials 2 --db t.db -o out "
                                   "--report p.html");
  expect_in(page, "&lt;script&gt;alert(1)&lt;!-- &amp; &quot;x&quot;");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  page_of("db report --db t.db -o q.html", "q.html");
}

TEST_F(CliReport, WhatCannotBeWrittenEndsTheCallBeforeTheSearch) {
  const CliOutcome tune = run_cli(folder, std::string(tune_words) + "--report nowhere/p.html");
  EXPECT_EQ(tune.status, 2);
  expect_in(tune.err, "nowhere/p.html");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/m.cu"));
  const CliOutcome bench =
      run_cli(folder, "bench m.mtx --device emulated:h200 --report nowhere/p.html");
  EXPECT_EQ(bench.status, 2);
  EXPECT_EQ(bench.out, "");
  const CliOutcome many = run_cli(folder, "tune m.mtx m.mtx --report p.html");
  EXPECT_EQ(many.status, 2);
  const CliOutcome all = run_cli(folder, "tune . --db t.db --report p.html");
  EXPECT_EQ(all.status, 2);
  expect_in(all.err, "db report");
}

TEST_F(CliReport, APageIsAFileOfHtml) {
  for (const std::string& words : {tune_words + std::string("--report x.txt"),
                                   std::string("bench m.mtx --device emulated:h200 --report x.txt"),
                                   std::string("db report --db t.db -o x.txt")}) {
    const CliOutcome outcome = run_cli(folder, words);
    EXPECT_EQ(outcome.status, 2);
    expect_in(outcome.err,
              "wants a file that ends in .html, for it is a page of HTML, not 'x.txt'");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.txt"));
  }
}

/// The browser's program; empty: there is none.
std::string browser() {
  for (const char* const name : {"/usr/bin/chromium", "/usr/bin/chromium-browser"}) {
    if (std::filesystem::exists(name)) return name;
  }
  return "";
}

/// How many colours a PNG file has.
std::size_t colours_of(const std::filesystem::path& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, file.c_str())) return 0;
  image.format = PNG_FORMAT_RGBA;
  std::vector<std::uint32_t> pixels(PNG_IMAGE_SIZE(image) / sizeof(std::uint32_t));
  if (!png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) return 0;
  return std::set<std::uint32_t>(pixels.begin(), pixels.end()).size();
}

/// A page that shows another in a frame of that width and tells how wide that one is.
std::string frame_of(const std::string& page, int width) {
  std::string text = json(page).dump();
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.replace(at, 2, "<\\/");
  return fmt::format(
      "<!DOCTYPE html><body style=\"margin:0\">"
      "<iframe id=\"f\" width=\"{}\" height=\"2400\" style=\"border:0\"></iframe><p id=\"told\">"
      "</p><script>const f = document.getElementById(\"f\");\n"
      "f.onload = () => {{ const page = f.contentDocument;\n"
      "  const boxes = [...page.querySelectorAll(\"svg.chart\")].map(\n"
      "      (svg) => svg.getBoundingClientRect()).filter((box) => box.width > 0);\n"
      "  document.getElementById(\"told\").textContent = `told "
      "${{page.documentElement.scrollWidth}}"
      " ${{boxes.length}} ${{Math.min(...boxes.map((box) => box.height))}} end`; }};\n"
      "f.srcdoc = {};</script>",
      width, text);
}

TEST_F(CliReport, ABrowserShowsItAtBothWidths) {
  if (browser().empty())
    GTEST_SKIP() << "Chromium is not there (chromium; tools/setup --all): no page was looked at";
  const std::string page = page_of("tune " ALPHASPARSE_SOURCE_DIR
                                   "/examples/rajat19.mtx.gz --device emulated:h200 --trials 12 "
                                   "--db t.db -o out --report p.html");
  for (const int width : {400, 1600}) {
    set_contents(folder / "frame.html", frame_of(page, width));
    const std::string url = "file://" + (folder / "frame.html").string();
    const auto run = [&](const std::string& what) {
      ChildOptions options;
      options.output_bytes_max = 8 << 20;
      return run_child({browser(), "--headless=new", "--no-sandbox", "--disable-gpu",
                        "--hide-scrollbars", "--enable-logging=stderr",
                        "--user-data-dir=" + (folder / "b").string(), "--virtual-time-budget=5000",
                        fmt::format("--window-size={},2500", std::max(width, 500)), what, url},
                       options);
    };
    const ChildResult shot = run("--screenshot=" + (folder / "shot.png").string());
    EXPECT_EQ(shot.errors.find("CONSOLE"), std::string::npos) << shot.errors;
    EXPECT_GT(colours_of(folder / "shot.png"), 100U) << "text, lines and marks in colour";
    const std::string dom = run("--dump-dom").output;
    const std::size_t told = dom.rfind(">told ");
    ASSERT_NE(told, std::string::npos);
    int page_width = 0, charts = 0;
    double least_height = 0;
    ASSERT_EQ(
        std::sscanf(dom.c_str() + told, ">told %d %d %lf end", &page_width, &charts, &least_height),
        3);
    EXPECT_EQ(page_width, width) << "nothing stands out to the right";
    EXPECT_EQ(charts, 2) << "each once";
    EXPECT_GT(least_height, 200);
  }
}

}  // namespace
}  // namespace alphasparse
