// derived_facts: facts that follow from the arrays of a store and cost more than one look at them.
// They are worked out when somebody asks first, and kept for the next one.
//
// Copies of a store share them. A store with changed arrays or levels begins with new ones.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <typeindex>
#include <vector>

#include "generator/facts/layout_choice.h"

namespace alphasparse {

class DerivedFacts {
 public:
  /// The fact of this type, made by make() on the first request. A fact that depends on the layout
  /// is kept for each. Threads that ask at once wait for the first.
  template <class Fact, class Make>
  std::shared_ptr<const Fact> get(const std::optional<LayoutChoice>& layout, const Make& make) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.type == typeid(Fact) && entry.layout == layout)
        return std::static_pointer_cast<const Fact>(entry.fact);
    }
    auto fact = std::make_shared<const Fact>(make());
    entries_.push_back({typeid(Fact), layout, fact});
    return fact;
  }

 private:
  struct Entry {
    std::type_index type;
    std::optional<LayoutChoice> layout;
    std::shared_ptr<const void> fact;
  };

  std::recursive_mutex mutex_;  // a fact may ask for another one
  std::vector<Entry> entries_;
};

}  // namespace alphasparse
