// document_commands: the commands that a reader of docs/ types.
#pragma once
#include <string>

namespace alphasparse {

/// The lines of a document's code blocks that begin with a '$', each with those that follow it in
/// its block, indented further. `document` is a file's name in docs/.
std::string commands_of(const std::string& document);

/// The same with less time: each second, minute or hour that a --time says is a quarter of a
/// second, enough to see a search work; that a --time-total says, which several matrices share,
/// two seconds.
std::string hurried(const std::string& script);

}  // namespace alphasparse
