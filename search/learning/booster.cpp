#include "search/learning/booster.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <cstdint>

namespace alphasparse {

namespace {

constexpr const char* one_thread = R"({"missing":NaN,"nthread":1})";

/// The complaint of the call that has just failed, its first line.
Failure complaint(const char* call) {
  std::string text = XGBGetLastError();
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return {Status::pruned, fmt::format("XGBoost, {}: {}", call, text)};
}

#define TRY_XGBOOST(call) \
  if ((call) != 0) return complaint(#call)

/// As XGBoost reads arrays in place: NumPy's array interface.
std::string array_interface(const NumberTable& table) {
  return fmt::format(R"({{"data":[{},true],"shape":[{},{}],"typestr":"<f4","version":3}})",
                     reinterpret_cast<std::uintptr_t>(table.numbers.data()), table.rows,
                     table.columns);
}

struct FreeTable {
  void operator()(void* handle) const { XGDMatrixFree(handle); }
};
using OwnedTable = std::unique_ptr<void, FreeTable>;

Result<OwnedTable> make_table(const NumberTable& table, const std::vector<float>& labels,
                              const std::vector<float>& weights) {
  DMatrixHandle handle = nullptr;
  const std::string interface = array_interface(table);
  TRY_XGBOOST(XGDMatrixCreateFromDense(interface.c_str(), one_thread, &handle));
  OwnedTable owned(handle);
  TRY_XGBOOST(XGDMatrixSetFloatInfo(handle, "label", labels.data(), labels.size()));
  TRY_XGBOOST(XGDMatrixSetFloatInfo(handle, "weight", weights.data(), weights.size()));
  return owned;
}

std::optional<Failure> apply_settings(void* handle, const BoosterSettings& settings) {
  for (const auto& [name, value] : settings) {
    TRY_XGBOOST(XGBoosterSetParam(handle, name.c_str(), value.c_str()));
  }
  return std::nullopt;
}

/// Threads and messages are no part of a saved model.
std::optional<Failure> stay_quiet(void* handle) {
  return apply_settings(handle, {{"nthread", "1"}, {"verbosity", "0"}});
}

}  // namespace

NumberTable number_table(std::span<const std::vector<float>> rows) {
  CHECK(!rows.empty());
  NumberTable table{{}, rows.size(), rows.front().size()};
  table.numbers.reserve(table.rows * table.columns);
  for (const std::vector<float>& row : rows) {
    CHECK(row.size() == table.columns);
    table.numbers.insert(table.numbers.end(), row.begin(), row.end());
  }
  return table;
}

void Booster::Free::operator()(void* handle) const { XGBoosterFree(handle); }

Result<Booster> Booster::train(const NumberTable& table, const std::vector<float>& labels,
                               const std::vector<float>& weights, const BoosterSettings& settings,
                               int rounds) {
  TRY_XGBOOST(XGBSetGlobalConfig(R"({"verbosity":0})"));
  const Result<OwnedTable> rows = make_table(table, labels, weights);
  if (!rows) return rows.failure();
  DMatrixHandle handle = rows->get();
  BoosterHandle made = nullptr;
  TRY_XGBOOST(XGBoosterCreate(&handle, 1, &made));
  Booster booster(made);
  if (auto reason = stay_quiet(made)) return *reason;
  if (auto reason = apply_settings(made, settings)) return *reason;
  for (int round = 0; round < rounds; ++round) {
    TRY_XGBOOST(XGBoosterUpdateOneIter(made, round, handle));
  }
  return booster;
}

Result<std::vector<float>> Booster::predict(const NumberTable& table) const {
  const char* const settings =
      R"({"type":0,"training":false,"iteration_begin":0,"iteration_end":0,)"
      R"("strict_shape":false,"missing":NaN,"cache_id":0})";
  const std::string interface = array_interface(table);
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* numbers = nullptr;
  TRY_XGBOOST(XGBoosterPredictFromDense(handle_.get(), interface.c_str(), settings, nullptr, &shape,
                                        &dimensions, &numbers));
  CHECK(dimensions >= 1 && shape[0] == table.rows);
  return std::vector<float>(numbers, numbers + table.rows);
}

Result<std::string> Booster::bytes() const {
  bst_ulong size = 0;
  const char* bytes = nullptr;
  TRY_XGBOOST(XGBoosterSaveModelToBuffer(handle_.get(), R"({"format":"ubj"})", &size, &bytes));
  return std::string(bytes, size);
}

}  // namespace alphasparse
