#include "runtime/compilers/host_compiler.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <unordered_map>

#include "runtime/system/child_process.h"

namespace alphasparse {

namespace {

constexpr int gcc_major_min = 12;
constexpr double compile_seconds_max = 60;
constexpr std::int64_t compile_memory_bytes_max = std::int64_t{8} << 30;
constexpr std::uintmax_t disk_bytes_min = 4 << 20;  ///< more than any compilation writes

/// The compiler's predefined macros: name -> value.
std::unordered_map<std::string, std::string> predefined_macros(const std::string& output) {
  std::unordered_map<std::string, std::string> macros;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string define, name, value;
    words >> define >> name;
    std::getline(words >> std::ws, value);
    macros[name] = value;
  }
  return macros;
}

int number_of(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// A kernel is not to blame for a disk that is full or gone: throws where a compilation failed and
/// its folder has no room.
void check_room(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (!error && space.available >= disk_bytes_min) return;
  throw Error(fmt::format("the compiler cannot write into {}: {}; set TMPDIR to another place",
                          folder.string(), error ? error.message() : "the disk is full"));
}

/// The first line that says "error:", else the first line.
std::string first_error(const std::string& text) {
  std::istringstream lines(text);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find("error:") != std::string::npos) return line;
  }
  return first.empty() ? "the compiler says nothing" : first;
}

}  // namespace

HostCompiler find_host_compiler(CompilerUse use) {
  const char* const who =
      use == CompilerUse::emulator ? "the emulator needs" : "kernels for CPUs need";
  const char* named = std::getenv("ALPHASPARSE_CXX");
  HostCompiler compiler;
  compiler.path = named && *named ? named : "g++";
  if (const auto file = find_program(compiler.path)) compiler.path = *file;
  ChildOptions options;
  options.seconds_max = 20;
  options.folder = "/";  // variables such as CPATH may have entries that mean the current folder
  const ChildResult answer =
      run_child({compiler.path, "-E", "-dM", "-x", "c++", "/dev/null"}, options);
  const std::string remedy = "install g++ 12 or later, or name one in ALPHASPARSE_CXX";
  if (!answer.succeeded()) {
    throw Error(ExitCode::no_device, fmt::format("{} g++: {}: {}; {}", who, compiler.path,
                                                 answer.how_it_ended(), remedy));
  }
  auto macros = predefined_macros(answer.output);
  const int major = number_of(macros["__GNUC__"]);
  if (macros.count("__clang__") || major < gcc_major_min) {
    throw Error(ExitCode::no_device,
                fmt::format("{} g++ {} or later, {} is {}; {}", who, gcc_major_min, compiler.path,
                            macros["__VERSION__"], remedy));
  }
  if (use == CompilerUse::emulator && !macros.count("__x86_64__")) {
    throw Error(ExitCode::no_device,
                fmt::format("the emulator runs on x86-64 only, {} builds for something else",
                            compiler.path));
  }
  compiler.version = fmt::format("{}.{}.{}", major, number_of(macros["__GNUC_MINOR__"]),
                                 number_of(macros["__GNUC_PATCHLEVEL__"]));
  return compiler;
}

Result<std::filesystem::path> compile_shared_object(const HostCompiler& compiler,
                                                    const std::filesystem::path& source,
                                                    const std::filesystem::path& object,
                                                    const std::vector<std::string>& flags) {
  std::vector<std::string> command = {compiler.path};
  command.insert(command.end(), flags.begin(), flags.end());
  for (const std::string& word :
       {std::string("-shared"), std::string("-o"), object.string(), source.string()}) {
    command.push_back(word);
  }
  ChildOptions options;
  options.seconds_max = compile_seconds_max;
  options.memory_bytes_max = compile_memory_bytes_max;
  options.folder = object.parent_path();  // ours alone: no header or library of another folder
  options.temporary_folder =
      options.folder;  // what it leaves when it is killed goes with the folder
  const ChildResult answer = run_child(command, options);
  if (!answer.succeeded()) check_room(object.parent_path());
  if (answer.end == ChildEnd::timed_out) {
    return Failure{Status::timeout, fmt::format("{}: {}", compiler.path, answer.how_it_ended())};
  }
  if (answer.end != ChildEnd::exited) {
    return Failure{Status::compile_error,
                   fmt::format("{}: {}", compiler.path, answer.how_it_ended())};
  }
  if (answer.code != 0) return Failure{Status::compile_error, first_error(answer.errors)};
  return object;
}

}  // namespace alphasparse
