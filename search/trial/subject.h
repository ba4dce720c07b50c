// subject: the subject of a trial: a design, or an algorithm of the vendor.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/device/baseline_kernels.h"

namespace alphasparse {

class Subject {
 public:
  Subject(CanonicalDesign design) : name_(design.text()), design_(std::move(design)) {}
  Subject(const Baseline& baseline) : name_(baseline.name), baseline_(&baseline) {}

  /// The algorithm of that name, else the design of that line. Fails where it is neither.
  static Result<Subject> read(const std::string& text);

  /// Its key among outcomes: the design's text, or the algorithm's name.
  const std::string& name() const { return name_; }

  // Exactly one of them is there.
  const std::optional<CanonicalDesign>& design() const { return design_; }
  const Baseline* baseline() const { return baseline_; }

 private:
  std::string name_;
  std::optional<CanonicalDesign> design_;
  const Baseline* baseline_ = nullptr;
};

using Subjects = std::vector<Subject>;

}  // namespace alphasparse
