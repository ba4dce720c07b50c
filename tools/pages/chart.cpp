#include "tools/pages/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/pages/markup.h"
#include "tools/pages/scale.h"

namespace alphasparse {

namespace {

constexpr int shapes = 5;
constexpr double line_height = 15;

std::string colour(int look) { return fmt::format("var(--c{})", look % 8); }

/// The mark of a point, about 8 pixels wide.
std::string shape_path(int look, double x, double y) {
  switch ((look + look / shapes) % shapes) {
    case 0:
      return fmt::format("M{:.1f} {:.1f}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x, y);
    case 1:
      return fmt::format("M{:.1f} {:.1f}m-3.6-3.6h7.2v7.2h-7.2z", x, y);
    case 2:
      return fmt::format("M{:.1f} {:.1f}m0-4.6l4.5 8h-9z", x, y);
    case 3:
      return fmt::format("M{:.1f} {:.1f}m0-4.9l4.9 4.9l-4.9 4.9l-4.9-4.9z", x, y);
    default:
      return fmt::format("M{:.1f} {:.1f}m0 4.6l4.5-8h-9z", x, y);
  }
}

std::string mark_style(int look, bool is_hollow) {
  return is_hollow ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", colour(look))
                   : fmt::format("fill=\"{}\" fill-opacity=\".85\"", colour(look));
}

/// The least and the greatest of the values at an axis.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double number) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
};

class Drawing {
 public:
  Drawing(const Chart& chart, bool is_small)
      : chart_(chart),
        is_small_(is_small),
        width_(is_small ? 360 : 900),
        height_(is_small ? 300 : 400),
        right_(is_small ? 12 : 170),
        x_scale_(scale(chart.x, true, 58, width_ - right_)),
        y_scale_(scale(chart.y, false, height_ - 46, 14)) {}

  std::string svg() {
    text_ = fmt::format(
        "<svg class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        is_small_ ? "small" : "large", width_, height_, escaped(chart_.description));
    draw_axes();
    for (const ChartLine& line : chart_.lines) draw_line(line);
    for (const ChartSeries& series : chart_.series) draw_points(series);
    label_levels();
    return text_ + "</svg>\n";
  }

 private:
  Scale scale(const ChartAxis& axis, bool of_x, double from, double to) const {
    Extent extent;
    for (const ChartSeries& series : chart_.series) {
      for (const ChartPoint& point : series.points) extent.add(of_x ? point.x : point.y);
    }
    for (const ChartLine& line : chart_.lines) {
      for (const auto& [x, y] : line.points) {
        if (!of_x || line.points.size() > 1) extent.add(of_x ? x : y);
      }
    }
    if (extent.low > extent.high) extent = {0, 1};
    return {extent.low, extent.high, axis.is_log, from, to};
  }

  void draw_axes() {
    const double left = x_scale_.from(), right = x_scale_.to();
    const double bottom = y_scale_.from(), top = y_scale_.to();
    for (const double tick : y_scale_.ticks(7)) {
      const double y = y_scale_.at(tick);
      text_ += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
          "<text class=\"quietly\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          left, y, right, left - 6, y + 4, tick_text(tick));
    }
    for (const double tick : x_scale_.ticks(is_small_ ? 5 : 9)) {
      const double x = x_scale_.at(tick);
      text_ += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}v5\"/>"
          "<text class=\"quietly\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          x, bottom, x, bottom + 18, tick_text(tick));
    }
    text_ += fmt::format("<path class=\"frame\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", left, top,
                         bottom, right);
    text_ += fmt::format(
        "<text class=\"quietly\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        (left + right) / 2, bottom + 37, escaped(chart_.x.title));
    text_ += fmt::format(
        "<text class=\"quietly\" text-anchor=\"middle\" transform=\"rotate(-90 12 {0:.1f})\" "
        "x=\"12\" y=\"{0:.1f}\">{1}</text>\n",
        (bottom + top) / 2, escaped(chart_.y.title));
  }

  void draw_line(const ChartLine& line) {
    if (line.points.empty()) return;
    const bool is_level = line.points.size() == 1;
    std::string path;
    if (is_level) {
      const double y = y_scale_.at(line.points.front().second);
      path = fmt::format("M{:.1f} {:.1f}H{:.1f}", x_scale_.from(), y, x_scale_.to());
      levels_.push_back({y, &line});
    }
    for (std::size_t i = 0; !is_level && i < line.points.size(); ++i) {
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x_scale_.at(line.points[i].first),
                          y_scale_.at(line.points[i].second));
    }
    text_ += fmt::format("<path class=\"{}\" stroke=\"{}\" d=\"{}\"><title>{}</title></path>\n",
                         is_level ? "level" : "line", colour(line.look), path, escaped(line.name));
  }

  void draw_points(const ChartSeries& series) {
    const std::string style = mark_style(series.look, chart_.is_hollow);
    for (const ChartPoint& point : series.points) {
      text_ += fmt::format("<path {} d=\"{}\"><title>{}</title></path>\n", style,
                           shape_path(series.look, x_scale_.at(point.x), y_scale_.at(point.y)),
                           escaped(point.title));
    }
  }

  /// Names of levels stand at their ends, one below the other where they would meet.
  void label_levels() {
    std::sort(levels_.begin(), levels_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    double free_from = y_scale_.to();
    for (auto& [y, line] : levels_) {
      const double at = std::max(is_small_ ? y - 4 : y + 4, free_from);
      free_from = at + line_height;
      text_ += fmt::format(
          "<text class=\"halo\" x=\"{:.1f}\" y=\"{:.1f}\"{} style=\"fill:{}\">{}</text>\n",
          is_small_ ? x_scale_.to() : x_scale_.to() + 6, at,
          is_small_ ? " text-anchor=\"end\"" : "", colour(line->look), escaped(line->name));
    }
  }

  const Chart& chart_;
  bool is_small_;
  double width_, height_, right_;
  Scale x_scale_, y_scale_;
  std::string text_;
  std::vector<std::pair<double, const ChartLine*>> levels_;
};

std::string legend_html(const Chart& chart) {
  std::string html = "<ul class=\"legend\">\n";
  for (const ChartSeries& series : chart.series) {
    if (series.points.empty()) continue;
    html += fmt::format(
        "<li><svg viewBox=\"0 0 16 14\" aria-hidden=\"true\"><path {} d=\"{}\"/></svg>{}</li>\n",
        mark_style(series.look, chart.is_hollow), shape_path(series.look, 8, 7),
        escaped(series.name));
  }
  for (const ChartLine& line : chart.lines) {
    if (line.points.size() < 2) continue;
    html += fmt::format(
        "<li><svg viewBox=\"0 0 16 14\" aria-hidden=\"true\"><path class=\"line\" stroke=\"{}\" "
        "d=\"M0 7H16\"/></svg>{}</li>\n",
        colour(line.look), escaped(line.name));
  }
  return html + "</ul>\n";
}

}  // namespace

std::string chart_html(const Chart& chart) {
  const bool has_points =
      std::any_of(chart.series.begin(), chart.series.end(),
                  [](const ChartSeries& series) { return !series.points.empty(); });
  if (!has_points && chart.lines.empty()) return "";
  return "<figure>\n" + Drawing(chart, false).svg() + Drawing(chart, true).svg() +
         legend_html(chart) + "</figure>\n";
}

std::string bars_html(const std::vector<Bar>& bars) {
  double longest = 0;
  for (const Bar& bar : bars)
    longest = std::max({longest, bar.length, bar.spread ? bar.spread->second : 0});
  if (longest <= 0) longest = 1;
  const auto percent = [&](double length) { return 100 * length / longest; };
  std::string html = "<div class=\"bars\">\n";
  for (const Bar& bar : bars) {
    std::string marks = fmt::format(
        "<span class=\"bar{}\" style=\"width:{:.2f}%;background:{};border-color:{}\"></span>",
        bar.is_hollow ? " hollow" : "", percent(bar.length), colour(bar.look), colour(bar.look));
    if (bar.spread) {
      const auto& [from, to] = *bar.spread;
      marks += fmt::format("<span class=\"spread\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>",
                           percent(from), percent(std::max(to - from, 0.0)));
    }
    html += fmt::format(
        "<span class=\"label\">{}</span><span class=\"amount\">{}</span>"
        "<span class=\"track\" title=\"{}\">{}</span>\n",
        escaped(bar.label), escaped(bar.amount), escaped(bar.title), marks);
  }
  return html + "</div>\n";
}

}  // namespace alphasparse
