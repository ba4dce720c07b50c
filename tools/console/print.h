// print: the result of a command, on standard output, so that no text that came from a file acts on
// a terminal (base/printable.h).
#pragma once
#include <string>

namespace alphasparse {

/// A report: JSON, or text for a person.
void print_report(bool is_json, const std::string& report);

}  // namespace alphasparse
