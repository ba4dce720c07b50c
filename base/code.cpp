#include "base/code.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace alphasparse {

namespace {

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

Code Code::plain(std::string text) {
  Code code;
  code.text_ = std::move(text);
  return code;
}

Code Code::named(std::string name) {
  Code code = plain(std::move(name));
  code.read(code.text_);
  return code;
}

bool Code::reads(std::string_view name) const {
  return std::binary_search(reads_.begin(), reads_.end(), name);
}

Code Code::binding(std::initializer_list<std::string_view> names) const {
  Code inner = *this;
  std::erase_if(inner.reads_, [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  });
  return inner;
}

Code& Code::read_too(const Code& other) {
  for (const std::string& name : other.reads_) read(name);
  return *this;
}

Code& Code::operator+=(const Code& other) {
  text_ += other.text_;
  return read_too(other);
}

void Code::append(std::string_view marked) {
  for (std::size_t at = marked.find('$'); at != std::string_view::npos; at = marked.find('$')) {
    text_ += marked.substr(0, at);
    marked.remove_prefix(at + 1);
    const auto end = std::find_if_not(marked.begin(), marked.end(), is_of_a_name);
    read(marked.substr(0, static_cast<std::size_t>(end - marked.begin())));
  }
  text_ += marked;
}

void Code::read(std::string_view name) {
  const auto at = std::lower_bound(reads_.begin(), reads_.end(), name);
  if (at == reads_.end() || *at != name) reads_.emplace(at, name);
}

Code joined(const std::vector<Code>& pieces, std::string_view between) {
  Code all;
  for (const Code& piece : pieces) {
    if (&piece != pieces.data()) all += Code::plain(std::string(between));
    all += piece;
  }
  return all;
}

}  // namespace alphasparse
