// host_text: templates of the host part as they stand in an emitted file, and literals of C++.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alphasparse {

/// A literal of C++: of printable ASCII, and everything else as octal numbers.
std::string write_literal(std::string_view text);

/// The first line of a text that is not empty, with its end; it is taken off.
std::string_view take_line(std::string_view& text);

/// A word of a template, and the text that takes its place.
using Replacement = std::pair<std::string_view, std::string_view>;

/// The text with all words replaced at once: a text that takes a word's place may hold such words,
/// as a matrix may have the name of one.
std::string replaced(std::string_view text, const std::vector<Replacement>& replacements);

/// The same, with lines broken where they then have to be.
std::string with_names(std::string_view text, const std::vector<Replacement>& names);

/// Lines of #include.
using Includes = std::set<std::string>;

/// The headers of C, and those of C++ behind them.
std::string write_includes(const Includes& includes);

/// A text without its lines of #include and #pragma once. System includes go into `includes`.
std::string without_includes(std::string_view text, Includes& includes);

/// A template of templates/host with those that it includes in the places of their #include, each
/// without its own lines of #include; an empty line ends each.
std::string host_text(std::string_view name);

/// Macros of which it is known whether they are defined.
using KnownMacros = std::map<std::string_view, bool>;

/// The text without their conditions, and without the lines that these leave out.
std::string resolved(std::string_view text, const KnownMacros& known);

/// The text without an end of the host part's namespace where it goes on behind comments.
std::string join_namespaces(std::string_view text);

/// The text in an unnamed namespace.
std::string unnamed(const std::string& text);

}  // namespace alphasparse
