#include "runtime/compilers/host_compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/processes/shell_tokens.h"

namespace alphasparse {

namespace {

constexpr const char* hint =
    "install g++ 12 or later (Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++), "
    "or name one in ALPHASPARSE_CXX";
constexpr int gcc_major_min = 12;
constexpr int compile_seconds_max = 60;
constexpr std::int64_t compile_memory_bytes_max = std::int64_t{8} << 30;

/// The compiler's predefined macros: name -> value.
std::unordered_map<std::string, std::string> predefined_macros(const std::string& output) {
  std::unordered_map<std::string, std::string> macros;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream tokens(line);
    std::string define, name, value;
    tokens >> define >> name;
    std::getline(tokens >> std::ws, value);
    macros[name] = value;
  }
  return macros;
}

int parse_number(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Of a line "FILE:LINE:COLUMN: error: TEXT" whether it is about this file. A "fatal error" is not:
/// a header is missing, or a disk is full.
bool blames(std::string_view line, std::string_view file) {
  if (!line.starts_with(file)) return false;
  line.remove_prefix(file.size());
  constexpr std::string_view mark = ": error: ";
  const std::size_t end = line.find(mark);
  if (end == std::string_view::npos || !line.starts_with(':')) return false;
  const std::string_view location = line.substr(1, end - 1);
  return is_number(location.substr(0, location.find(':')));
}

/// The errors of a compiler that gave up.
struct Complaint {
  std::string source_error;  ///< the first error of the sources; empty: there is none
  std::string other;         ///< the first line that gives another reason
};

/// `files` are the names of the generated source in messages.
Complaint find_complaint(const std::string& text, const std::vector<std::string>& files) {
  Complaint found;
  std::istringstream lines(text);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    const bool is_ours = std::any_of(files.begin(), files.end(),
                                     [&](const std::string& file) { return blames(line, file); });
    const bool is_error = line.find("error: ") != std::string::npos ||
                          line.find("internal compiler error") != std::string::npos ||
                          line.find("ld returned") != std::string::npos;
    if (is_ours && found.source_error.empty()) found.source_error = line;
    if (!is_ours && is_error && found.other.empty()) found.other = line;
  }
  if (found.source_error.empty() && found.other.empty())
    found.other = first.empty() ? "it says nothing" : first;
  return found;
}

/// The words of ALPHASPARSE_CXX or g++. Paths of programs become absolute: the compiler runs in
/// other folders.
std::vector<std::string> compiler_command() {
  const char* const named = std::getenv("ALPHASPARSE_CXX");
  const std::string text = named && *named ? named : "g++";
  if (const auto file = find_program(text)) return {*file};
  std::vector<std::string> tokens = shell_tokens(text).value_or(std::vector<std::string>{text});
  if (tokens.empty()) return {text};
  for (std::string& token : tokens) {
    const bool may_be_program = &token == &tokens.front() || token.find('/') != std::string::npos;
    if (!may_be_program || token.starts_with('-')) continue;
    if (const auto file = find_program(token)) token = *file;
  }
  return tokens;
}

std::vector<std::string> with_options(std::vector<std::string> command,
                                      const std::vector<std::string>& options) {
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

}  // namespace

std::string HostCompiler::text() const { return fmt::format("{}", fmt::join(command, " ")); }

const std::vector<std::string>& shared_object_flags() {
  static const std::vector<std::string> all = {"-std=c++17", "-O3", "-march=native", "-fopenmp",
                                               "-fPIC"};
  return all;
}

Result<HostCompiler> named_host_compiler() {
  HostCompiler compiler{compiler_command(), ""};
  if (find_program(compiler.command.front())) return compiler;
  return Failure{Status::pruned,
                 fmt::format("the compiler {} is missing: {}", compiler.text(), hint)};
}

HostCompiler find_host_compiler(CompilerUse use) {
  const char* const who =
      use == CompilerUse::emulator ? "the emulator needs" : "kernels for CPUs need";
  HostCompiler compiler;
  compiler.command = compiler_command();
  ChildOptions options;
  options.seconds_max = 20;
  options.folder = "/";  // entries of variables such as CPATH may be the current folder
  const ChildResult answer =
      run_child(with_options(compiler.command, {"-E", "-dM", "-x", "c++", "/dev/null"}), options);
  if (!answer.succeeded()) {
    const std::string said = answer.errors.substr(0, answer.errors.find('\n'));
    throw Error(ExitCode::no_device,
                fmt::format("{} g++: {}: {}{}{}; {}", who, compiler.text(), answer.how_it_ended(),
                            said.empty() ? "" : ": ", said, hint));
  }
  auto macros = predefined_macros(answer.output);
  const int major = parse_number(macros["__GNUC__"]);
  if (macros.count("__clang__") || major < gcc_major_min) {
    throw Error(ExitCode::no_device,
                fmt::format("{} g++ {} or later, {} is {}; {}", who, gcc_major_min, compiler.text(),
                            macros.count("__VERSION__") ? macros["__VERSION__"] : "none", hint));
  }
  if (use == CompilerUse::emulator && !macros.count("__x86_64__")) {
    throw Error(ExitCode::no_device,
                fmt::format("the emulator runs on x86-64 only, {} builds for something else",
                            compiler.text()));
  }
  compiler.version = fmt::format("{}.{}.{}", major, parse_number(macros["__GNUC_MINOR__"]),
                                 parse_number(macros["__GNUC_PATCHLEVEL__"]));
  return compiler;
}

Result<std::filesystem::path> compile_shared_object(const HostCompiler& compiler,
                                                    const std::filesystem::path& source,
                                                    const std::filesystem::path& object,
                                                    const std::vector<std::string>& flags) {
  std::vector<std::string> command = with_options(compiler.command, flags);
  for (const std::string& token :
       {std::string("-shared"), std::string("-o"), object.string(), source.string()}) {
    command.push_back(token);
  }
  ChildOptions options;
  // A busy machine, or one that was stopped for a while, takes longer for the same work.
  options.cpu_seconds_max = compile_seconds_max;
  options.seconds_max = 1.5 * compile_seconds_max;
  options.memory_bytes_max = compile_memory_bytes_max;
  options.folder = object.parent_path();  // ours alone: no header or library of another folder
  options.temporary_folder =
      options.folder;  // its temporary files go with the folder, even when it is killed
  const ChildResult answer = run_child(command, options);
  if (answer.succeeded()) return object;
  if (answer.end == ChildEnd::timed_out && answer.seconds < options.seconds_max) {
    return Failure{Status::timeout, fmt::format("{}: {}", compiler.text(), answer.how_it_ended())};
  }
  Complaint complaint;
  if (answer.end == ChildEnd::exited) {
    if (answer.errors.find("CPU time limit exceeded") != std::string::npos) {
      return Failure{Status::timeout, fmt::format("{}: more than {} s of processor time",
                                                  compiler.text(), compile_seconds_max)};
    }
    complaint = find_complaint(answer.errors, {source.string(), "kernel.cu", "launches"});
    if (complaint.other.empty()) return Failure{Status::compile_error, complaint.source_error};
  }
  throw environment_error(fmt::format(
      "{} cannot compile in {}: {}{}; mend the compiler ({} names another), or set TMPDIR to a "
      "folder with room",
      compiler.text(), object.parent_path().string(), answer.how_it_ended(),
      complaint.other.empty() ? "" : ": " + complaint.other, compiler.variable));
}

}  // namespace alphasparse
