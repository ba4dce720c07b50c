// code: pieces of kernel text that know the names that they read.
//
// A literal marks each such name with a dollar sign: code("$row + {}", 1) is the text "row + 1",
// and reads `row`. Pieces that are put into others bring their reads along. So nobody has to look
// for names in finished text.
#pragma once
#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace alphasparse {

/// Stands in a functor's text where a line may end: a blank where its statement fits a line, else
/// the end of the line.
inline constexpr char soft_break = '\v';

class Code {
 public:
  Code() = default;
  /// A literal with its names marked.
  Code(const char* marked) { append(marked); }

  /// Text that reads no names: a number, a type, a fragment's name.
  static Code plain(std::string text);

  /// One name, which is read.
  static Code named(std::string name);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }

  /// The names that it reads, in the order of the alphabet, each once.
  const std::vector<std::string>& reads() const { return reads_; }
  bool reads(std::string_view name) const;

  /// The same, inside a scope that gives these names another meaning: they are not read outside.
  Code binding(std::initializer_list<std::string_view> names) const;

  /// The same text with the reads of `other` too.
  Code& read_too(const Code& other);

  Code& operator+=(const Code& other);
  friend Code operator+(Code a, const Code& b) { return a += b; }
  bool operator==(const Code& other) const { return text_ == other.text_; }

  /// Adds text in which names are marked.
  void append(std::string_view marked);

 private:
  void read(std::string_view name);

  std::string text_;
  std::vector<std::string> reads_;
};

namespace code_detail {

inline Code piece(const Code& part) { return part; }
inline Code piece(const char* literal) { return literal; }
template <class T>
const T& piece(const T& part) {
  return part;
}

inline const std::string& part_text(const Code& part) { return part.text(); }
template <class T>
const T& part_text(const T& part) {
  return part;
}

template <class T>
constexpr bool is_code = std::is_same_v<T, Code> || std::is_convertible_v<T, const char*>;

template <class T>
using Text = std::conditional_t<is_code<T>, std::string, T>;

template <class... Parts>
Code filled(const Code& form, const Parts&... parts) {
  Code result = Code::plain(fmt::format(fmt::runtime(form.text()), part_text(parts)...));
  result.read_too(form);
  const auto take = [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Code>) result.read_too(part);
  };
  (take(parts), ...);
  return result;
}

}  // namespace code_detail

/// A marked literal with parts in its braces, as fmt::format has them. Parts are pieces, marked
/// literals, numbers, or strings, which read nothing.
template <class... Parts>
Code code(fmt::format_string<const code_detail::Text<Parts>&...> marked, const Parts&... parts) {
  const fmt::string_view literal = marked;
  Code form;  // its marks are found before other text comes into it
  form.append({literal.data(), literal.size()});
  return code_detail::filled(form, code_detail::piece(parts)...);
}

/// The pieces with `between` each two.
Code joined(const std::vector<Code>& pieces, std::string_view between);

}  // namespace alphasparse
