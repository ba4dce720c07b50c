// chart: points, lines and bars as SVG and HTML, without any script.
//
// A chart of points is drawn twice, for wide and for narrow screens, so that its text stays as
// large as the page's; the style sheet shows one. Modelled points are hollow, measured ones filled.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alphasparse {

struct ChartAxis {
  std::string title;  ///< plain, with the unit
  bool is_log = false;
};

struct ChartPoint {
  double x = 0, y = 0;
  std::string title;  ///< shown where one points at it; plain
};

/// Points of one look; colour and shape follow from `look`, 0 to 7.
struct ChartSeries {
  std::string name;  ///< plain
  int look = 0;
  std::vector<ChartPoint> points;
};

/// A line through points, or from one side to the other at one height.
struct ChartLine {
  std::string name;
  int look = 0;
  std::vector<std::pair<double, double>> points;  ///< one: a level at its y
};

struct Chart {
  std::string description;  ///< its contents, for readers that do not see it
  ChartAxis x, y;
  bool is_hollow = false;
  std::vector<ChartSeries> series;
  std::vector<ChartLine> lines;
};

/// The chart and its legend; nothing where it has neither points nor lines.
std::string chart_html(const Chart& chart);

struct Bar {
  std::string label;   ///< plain
  std::string amount;  ///< plain, at the end of the row
  double length = 0;   ///< in the unit of all bars
  int look = 0;
  bool is_hollow = false;
  std::optional<std::pair<double, double>> spread = {};  ///< from, to
  std::string title = {};                                ///< shown where one points at it
};

/// Bars from 0 on, the longest as wide as the place for them.
std::string bars_html(const std::vector<Bar>& bars);

}  // namespace alphasparse
