// prefix_cache: the stores made from design prefixes, by their text. The least recently used is
// forgotten first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace alphasparse {

template <class Value>
class PrefixCache {
 public:
  /// Keeps at most `most` values, perhaps none.
  explicit PrefixCache(std::size_t most) : most_(most) {}

  /// Null where it is not kept. Valid until the next keep().
  const Value* find(const std::string& text) {
    const auto found = kept_.find(text);
    if (found == kept_.end()) return nullptr;
    found->second.used = ++clock_;
    return &found->second.value;
  }

  void keep(const std::string& text, Value value) {
    if (most_ == 0) return;
    if (kept_.size() >= most_ && !kept_.contains(text)) {
      kept_.erase(std::min_element(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) {
        return a.second.used < b.second.used;
      }));
    }
    kept_.insert_or_assign(text, Entry{std::move(value), ++clock_});
  }

 private:
  struct Entry {
    Value value;
    std::uint64_t used;  ///< the clock when it was last asked for
  };

  std::size_t most_;
  std::uint64_t clock_ = 0;
  std::map<std::string, Entry> kept_;
};

}  // namespace alphasparse
