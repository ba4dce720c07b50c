// content_key: the hash that stands for a list of fields, each with its length (XXH3, 128 bit).
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace alphasparse {

class ContentKey {
 public:
  ContentKey();
  ~ContentKey();
  ContentKey(const ContentKey&) = delete;
  ContentKey& operator=(const ContentKey&) = delete;

  void add(std::string_view field);

  /// 32 hexadecimal digits over the fields so far.
  std::string text() const;

 private:
  XXH3_state_s* state_;
};

/// The key of a few fields.
std::string content_key(std::initializer_list<std::string_view> fields);

}  // namespace alphasparse
