#include "tools/commands/help.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "tools/console/progress.h"

namespace alphasparse {

namespace {

struct Examples {
  const char* command;  ///< empty: of the program
  const char* lines;
};

constexpr std::array<Examples, 18> examples = {{
    {"",
     "  alphasparse tune matrix.mtx -o out --time 30s\n"
     "  alphasparse help tune"},
    {"tune",
     "  alphasparse tune matrix.mtx -o out --time 30s\n"
     "  alphasparse tune matrix.mtx -o out --dtype f64 --explain --report page.html"},
    {"emit",
     "  alphasparse emit matrix.mtx --design csr5 -o out\n"
     "  alphasparse emit matrix.mtx --design sell-c-sigma --device emulated:h200"},
    {"run",
     "  alphasparse run out/matrix.cpu.cpp\n"
     "  alphasparse run out/matrix.cu"},
    {"bench",
     "  alphasparse bench matrix.mtx --device cpu:1\n"
     "  alphasparse bench a.mtx b.mtx --designs csr5,merge-csr --json-file times.json"},
    {"ablate",
     "  alphasparse ablate matrix.mtx --device emulated --design \"compress | thread_rows rows=1 "
     "|\n"
     "    thread_total | global_store | compact | launch threads=256\"\n"
     "  alphasparse ablate matrix.mtx --device cpu:1 --design \"compress | thread_rows rows=1 |\n"
     "    thread_total | global_store | compact | launch tasks=bytes\""},
    {"inspect",
     "  alphasparse inspect matrix.mtx\n"
     "  alphasparse inspect matrix.mtx --picture pattern.svg"},
    {"generate",
     "  alphasparse generate --list\n"
     "  alphasparse generate twin:ldoor --scale 0.01 -o ldoor.mtx"},
    {"show",
     "  alphasparse show matrix.mtx --design csr5 --stage format\n"
     "  alphasparse show matrix.mtx --design csr5 --stage source --device emulated"},
    {"simulate",
     "  alphasparse simulate corpus --record\n"
     "  alphasparse simulate corpus --variants no-model --seeds 1"},
    {"operators",
     "  alphasparse operators\n"
     "  alphasparse operators thread_rows"},
    {"designs",
     "  alphasparse designs\n"
     "  alphasparse designs csr5"},
    {"devices",
     "  alphasparse devices\n"
     "  alphasparse devices --json"},
    {"db",
     "  alphasparse db list\n"
     "  alphasparse db best matrix.mtx"},
    {"doctor",
     "  alphasparse doctor\n"
     "  alphasparse doctor --json"},
    {"cache",
     "  alphasparse cache\n"
     "  alphasparse cache clear"},
    {"completion",
     "  alphasparse completion bash\n"
     "  alphasparse completion zsh"},
    {"manual",
     "  alphasparse manual | man -l -\n"
     "  alphasparse manual tune"},
}};

}  // namespace

void add_examples(CLI::App& app) {
  for (const auto& [name, lines] : examples) {
    CLI::App& command = *name == '\0' ? app : *app.get_subcommand(name);
    const std::string before = command.get_footer();
    command.footer(fmt::format("{}{}Examples:\n{}", before, before.empty() ? "" : "\n", lines));
  }
}

std::string wrapped_help(const std::string& text) {
  constexpr std::size_t text_begin = 30;  // CLI11's column
  const auto width = static_cast<std::size_t>(std::max(60, terminal_columns(STDOUT_FILENO, 100)));
  std::string lines;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    std::string line = text.substr(first, end - first);
    const std::size_t indent = line.starts_with("  ") ? text_begin : 0;
    while (line.size() > width) {
      const std::size_t blank = line.rfind(' ', width);
      if (blank == std::string::npos || blank <= indent) break;
      lines += line.substr(0, blank) + "\n";
      line = std::string(indent, ' ') + line.substr(blank + 1);
    }
    lines += line + "\n";
    first = end + 1;
  }
  return lines;
}

}  // namespace alphasparse
