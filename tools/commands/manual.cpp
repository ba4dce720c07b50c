// manual: the manual page of all commands, and a page of Markdown for each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/result.h"
#include "tools/commands/command_texts.h"
#include "tools/commands/commands.h"

namespace alphasparse {

namespace {

struct Variable {
  const char* name;
  const char* doc;
};

constexpr Variable variables[] = {
    {"ALPHASPARSE_DB", "The tuning database, unless --db names one."},
    {"ALPHASPARSE_CACHE",
     "Folder of compiled kernels (else alphasparse in XDG_CACHE_HOME or "
     "~/.cache)."},
    {"ALPHASPARSE_CACHE_MAX", "How large that folder may become (else 500MB)."},
    {"ALPHASPARSE_CXX",
     "The C++ compiler that kernels for CPUs and the emulator are compiled by "
     "(else g++); several words are a command, as CXX of make."},
    {"ALPHASPARSE_HIP_CLANG", "The clang that compiles kernels for GPUs of AMD (else clang-19)."},
    {"ALPHASPARSE_LIBCUDA", "NVIDIA's driver library."},
    {"ALPHASPARSE_LIBNVRTC", "NVRTC, or several between colons."},
    {"ALPHASPARSE_LIBCUSPARSE", "cuSPARSE, which is measured beside kernels for GPUs."},
    {"ALPHASPARSE_LIBAMDHIP64", "AMD's driver library of HIP, or several between colons."},
    {"ALPHASPARSE_LIBHIPRTC", "hiprtc, likewise."},
    {"ALPHASPARSE_LIBROCSPARSE",
     "rocSPARSE, likewise; it is measured beside kernels for AMD's GPUs."},
    {"ALPHASPARSE_LIBMKL", "MKL's libmkl_rt.so, which is measured beside kernels for CPUs."},
    {"ALPHASPARSE_EIGEN", "Folder of Eigen's headers, likewise."},
    {"ALPHASPARSE_EMULATOR", "The emulator's program."},
    {"ALPHASPARSE_KERNEL_SECONDS", "How long a GPU's kernel may run before it is ended."},
    {"SLURM_CPUS_PER_TASK", "A limit of the cores that are used."},
    {"TMPDIR", "Where temporary files go (else /tmp)."},
};

constexpr std::array<Variable, 5> statuses = {{
    {"0", "All went well."},
    {"2", "Usage, an input that cannot be used, or a design that is not legal."},
    {"3", "No design was verified, or times could not be taken."},
    {"4", "A device or a compiler is missing."},
    {"5", "The database cannot be used."},
}};

/// Text of troff: no backslash, full stop or quote that it would take for its own.
std::string roff(const std::string& text) {
  std::string safe;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
    begins = c == '\n';
  }
  return safe;
}

std::string roff_entry(const std::string& term, const std::string& doc) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(doc));
}

std::string write_term(const OptionText& option) {
  std::string term = fmt::format("{}", fmt::join(option.names, ", "));
  const bool is_operand = !option.names.front().starts_with("-");
  if (!is_operand && !option.value.empty()) term += " " + option.value;
  return term + (option.is_repeated ? "..." : "");
}

std::string roff_command(const CommandText& command) {
  std::string text = fmt::format(".SS {}\n{}\n.PP\n.B {}\n", roff(command.name),
                                 roff(command.doc + "."), roff(usage_text(command)));
  for (const std::vector<OptionText>* list : {&command.operands, &command.options}) {
    for (const OptionText& option : *list) text += roff_entry(write_term(option), option.doc);
  }
  if (!command.footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  for (const CommandText& inner : command.commands) text += roff_command(inner);
  return text;
}

std::string manual_page() {
  std::string text =
      ".TH ALPHASPARSE 1 \"\" \"alphasparse " ALPHASPARSE_VERSION
      "\" \"User Commands\"\n.SH NAME\nalphasparse \\- designs sparse matrix\\-vector multiply "
      "kernels\n.SH SYNOPSIS\n.B alphasparse\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\nFinds for one "
      "sparse matrix the fastest verified kernel of y = alpha*A*x + beta*y, for a GPU or for "
      "this CPU, and writes it as source with a C interface.\n.SH COMMANDS\n";
  for (const CommandText& command : command_texts()) text += roff_command(command);
  text += ".SH EXIT STATUS\n";
  for (const Variable& status : statuses) text += roff_entry(status.name, status.doc);
  text += ".SH ENVIRONMENT\n";
  for (const Variable& variable : variables) text += roff_entry(variable.name, variable.doc);
  return text;
}

/// A cell of a table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string markdown_command(const CommandText& command, const std::string& heading) {
  std::string text = fmt::format("{} alphasparse {}\n{}.\n\n    {}\n\n", heading, command.name,
                                 command.doc, usage_text(command));
  if (!command.operands.empty() || !command.options.empty()) text += "| | |\n|---|---|\n";
  for (const std::vector<OptionText>* list : {&command.operands, &command.options}) {
    for (const OptionText& option : *list) {
      text += fmt::format("| `{}` | {}{} |\n", cell(write_term(option)), cell(option.doc),
                          option.is_required ? "; required" : "");
    }
  }
  if (!command.footer.empty()) {
    text += "\n    ";
    for (const char c : command.footer) text += c == '\n' ? "\n    " : std::string(1, c);
    text += "\n";
  }
  for (const CommandText& inner : command.commands)
    text += "\n" + markdown_command(inner, heading + "#");
  return text;
}

}  // namespace

void run_manual(const ManualCommand& command) {
  if (command.command.empty()) {
    fmt::print("{}", manual_page());
    return;
  }
  std::string names;
  for (const CommandText& one : command_texts()) {
    if (one.name == command.command) {
      fmt::print("<!-- made by: alphasparse manual {} -->\n{}", one.name,
                 markdown_command(one, "#"));
      return;
    }
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw Error(fmt::format("no command '{}': {}", command.command, names));
}

}  // namespace alphasparse
