#include "tests/support/landscape.h"

#include <cmath>
#include <functional>

#include "operators/catalogue.h"
#include "tests/support/battery.h"

namespace alphasparse {

namespace {

/// Values of a line without branches.
class Line {
 public:
  explicit Line(const std::string& design) : design_(*parse_design(design)) {}

  bool has(const std::string& op) const { return find(op) != nullptr; }

  std::string text(const std::string& op, const std::string& parameter) const {
    return check_arguments(*find(op))->text(parameter);
  }

  double log2(const std::string& op, const std::string& parameter) const {
    return std::log2(std::stod(text(op, parameter)));
  }

 private:
  const Step* find(const std::string& op) const {
    for (const Step& step : design_.steps) {
      if (step.op == op) return &step;
    }
    return nullptr;
  }

  Design design_;
};

double squared(double number) { return number * number; }

/// A smaller grid and held blocks cost here; their defaults are best.
double launch_log2(const Line& line) {
  return (line.text("launch", "grid") == "exact" ? 0 : 0.1) +
         (line.text("launch", "blocks") == "any" ? 0 : 0.05);
}

double lanes_log2(const Line& line) {
  return 0.4 + 0.05 * squared(line.log2("thread_cols", "lanes") - 3) +
         0.03 * squared(line.log2("launch", "threads") - 8) +
         (line.text("launch", "cache") == "all" ? 0.05 : 0) + launch_log2(line);
}

double slices_log2(const Line& line) {
  const double slice = line.log2("warp_rows", "rows") - std::log2(24);
  const double thread = line.log2("thread_rows", "rows") - std::log2(3);
  const bool padded = line.text("thread_pad", "multiple") == "4";
  const bool wide = line.text("thread_total", "vector") == "4";
  const double loads = wide ? 0 : padded ? 0.08 : 0.12;
  return 0.04 * squared(line.log2("sort_rows_in_bands", "rows") - std::log2(3072)) +
         0.15 * squared(slice) + 0.15 * squared(thread + 0.5 * slice) + loads +
         0.1 * squared(line.log2("launch", "threads") - std::log2(384)) +
         (line.text("interleave", "by") == "ragged" ? 0.2 : 0) + launch_log2(line);
}

bool fails(const Line& line) {
  const bool is_wide = line.has("thread_pad") && line.text("thread_total", "vector") == "4";
  if (is_wide && line.text("thread_pad", "multiple") != "4") return true;
  return line.log2("launch", "threads") > 9 && line.text("thread_total", "sums") == "4";
}

}  // namespace

std::optional<double> landscape_us(const std::string& design) {
  const Line line(design);
  if (fails(line)) return std::nullopt;
  return landscape_best_us *
         std::exp2(line.has("thread_cols") ? lanes_log2(line) : slices_log2(line));
}

Measurement landscape_measurement(const std::string& design) {
  Measurement measurement;
  measurement.design = design;
  const std::optional<double> us = landscape_us(design);
  if (!us) {
    measurement.status = Status::launch_error;
    measurement.reason = "too many registers";
    return measurement;
  }
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : design) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  measurement.verified = true;
  measurement.timing.emplace();
  measurement.timing->time_us = *us * (1 + 0.02 * static_cast<double>(hash >> 11) * 0x1p-53);
  return measurement;
}

const std::vector<std::string>& landscape_structures() {
  static const std::vector<std::string> lines = {
      "compress | thread_cols lanes=32 | thread_total | warp_total | global_store | launch "
      "threads=256",
      "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
      "thread_pad | interleave | thread_total | global_store | launch threads=256"};
  return lines;
}

Matrix landscape_matrix() { return battery_matrix("power_law"); }

}  // namespace alphasparse
