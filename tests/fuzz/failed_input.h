// failed_input: the input that a fuzz target runs on, kept as a file where the process aborts.
#pragma once
#include <string>

namespace alphasparse {

/// The input that is run now.
std::string& input_in_work();

/// An abort writes input_in_work() to the file failed_input. On abort the input is worth more than
/// anything else, and the process is lost in any case.
void keep_input_on_abort();

}  // namespace alphasparse
