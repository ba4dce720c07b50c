#include "search/learning/kept_model.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/system/content_key.h"
#include "search/learning/design_features.h"

namespace alphasparse {

Result<StoredModel> kept_model(const Surrogate& model, std::size_t rows) {
  Result<SavedSurrogate> saved = model.save();
  if (!saved) return saved.failure();
  StoredModel stored;
  stored.features_version = design_features_version;
  stored.feature_names = design_feature_names();
  stored.rows = static_cast<std::int64_t>(rows);
  stored.regression = std::move(saved->regression);
  stored.classifier = std::move(saved->classifier);
  return stored;
}

Result<Surrogate> surrogate_of(const StoredModel& stored) {
  // Asked before XGBoost reads it, which holds what it says itself against these too.
  if (stored.features_version != design_features_version ||
      stored.feature_names != design_feature_names()) {
    return Failure{Status::pruned, "the model was trained on other features"};
  }
  return Surrogate::load(
      {stored.regression, stored.classifier, content_key({stored.regression, stored.classifier})},
      {design_feature_names(), design_features_version});
}

}  // namespace alphasparse
