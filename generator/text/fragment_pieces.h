// fragment_pieces: the text of fragments cut into its definitions, so that a file takes those alone
// that its kernel uses, in an order of its own.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// One definition, or a directive.
struct Piece {
  enum class Kind {
    include,   ///< a line of #include, or one of a namespace
    first,     ///< types, constants, macros and functions that must stand before their uses
    function,  ///< a function that may be declared first and defined later
    operation  ///< the same of an operator, which no text calls by a name
  };
  Kind kind = Kind::first;
  std::string name;     ///< that it defines
  std::string heading;  ///< the comment of its fragment, where it is the first piece
  std::string comment;  ///< its own
  std::string code;
  std::string head;                     ///< of a function: its code up to its body
  std::vector<std::string> marks;       ///< texts of kernels that use it; none: its name tells
  std::set<std::string> types;          ///< words in its parameters
  std::set<std::string> names, called;  ///< in all its code, and in its head
};

/// How a mark begins.
inline constexpr std::string_view mark_opening = "//[ ";

/// All names and other words in a text, without its comments.
std::set<std::string> find_identifiers(std::string_view code);

/// The pieces of a fragment's text, in order.
std::vector<Piece> split_pieces(std::string_view text);

/// The declaration of a function: its head, without the rest.
std::string write_declaration(const Piece& function);

/// Its definition behind that declaration, which has the defaults of its template's parameters.
std::string write_definition(const Piece& function);

}  // namespace alphasparse
