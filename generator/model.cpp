#include "generator/model.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

namespace {

bool fits_int(std::int64_t value) { return value >= -INT32_MAX && value <= INT32_MAX; }

/// Every product and every sum is an int where it is evaluated, so each of them must fit.
bool gives_back(const LinearModel& model, const std::vector<std::int32_t>& entries) {
  if (!fits_int(model.a) || !fits_int(model.b)) return false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::int64_t product = model.a * static_cast<std::int64_t>(i);
    std::int64_t value = product + model.b;
    if (!fits_int(product) || !fits_int(value)) return false;
    if (model.last) value = std::min(value, *model.last);
    if (value != entries[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<LinearModel> fit_linear(const std::vector<std::int32_t>& entries) {
  LinearModel model;
  if (entries.empty()) return model;
  model.b = entries[0];
  if (entries.size() > 1) model.a = std::int64_t{entries[1]} - entries[0];
  if (gives_back(model, entries)) return model;
  model.last = entries.back();
  if (model.a > 0 && gives_back(model, entries)) return model;
  return std::nullopt;
}

std::string model_text(const LinearModel& model, const std::string& i) {
  if (model.a == 0) return std::to_string(model.b);
  std::string text = model.a == 1 ? i : fmt::format("{} * {}", model.a, i);
  if (model.b > 0) text += fmt::format(" + {}", model.b);
  if (model.b < 0) text += fmt::format(" - {}", -model.b);
  return model.last ? fmt::format("min({}, {})", text, *model.last) : text;
}

}  // namespace alphasparse
