#include "tests/support/document_commands.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "tests/support/files.h"

namespace alphasparse {

std::string commands_of(const std::string& document) {
  std::istringstream lines(contents(std::string(ALPHASPARSE_SOURCE_DIR) + "/docs/" + document));
  std::string script;
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    $ ")) {
      script += line.substr(6) + "\n";
      goes_on = true;
    } else if (goes_on && line.starts_with("      ")) {
      script += line.substr(6) + "\n";
    } else {
      goes_on = false;
    }
  }
  return script;
}

std::string hurried(const std::string& script) {
  std::string text;
  const std::regex time("(--time(-total)? )([0-9]+)[smh]");
  std::sregex_iterator match(script.begin(), script.end(), time), end;
  std::size_t from = 0;
  for (; match != end; ++match) {
    text += script.substr(from, match->position() - from);
    const int unit_ms = (*match)[2].matched ? 2000 : 250;
    text += fmt::format("{}{}ms", (*match)[1].str(), unit_ms * std::stoi((*match)[3]));
    from = match->position() + match->length();
  }
  return text + script.substr(from);
}

}  // namespace alphasparse
