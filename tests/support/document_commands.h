// document_commands: the commands that a reader of docs/ types.
#pragma once
#include <string>

namespace alphasparse {

/// The lines of a document's code blocks that begin with a '$', each with the lines that follow it
/// in its block, indented further. `document` is a file's name in docs/.
std::string commands_of(const std::string& document);

/// The same with less time. Each second, minute or hour of a --time becomes a quarter of a second,
/// enough to see a search work. The times of a --time-total, which several matrices share, become
/// two seconds.
std::string hurried(const std::string& script);

}  // namespace alphasparse
