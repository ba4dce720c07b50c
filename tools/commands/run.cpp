// run: builds an emitted kernel as its own program, which checks and times itself.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/child_process.h"
#include "tools/commands/commands.h"
#include "tools/console/print.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

/// The output of a command; throws an Error of this code with the first line of its complaint.
std::string run_output(const std::vector<std::string>& command, ExitCode code) {
  ChildOptions options;
  options.seconds_max = 600;
  const ChildResult ended = run_child(command, options);
  if (ended.succeeded()) return ended.output;
  const std::string& said = ended.errors.empty() ? ended.output : ended.errors;
  throw Error(code, fmt::format("{}: {}: {}", printable(command.front()), ended.how_it_ended(),
                                printable(said.substr(0, said.find('\n')))));
}

std::vector<std::string> find_compiler(const fs::path& source) {
  if (source.extension() == ".cu") return {"nvcc", "-std=c++17", "-O3", "-arch=native"};
  std::vector<std::string> command = find_host_compiler(CompilerUse::cpu).command;
  const std::vector<std::string>& flags = shared_object_flags();
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

}  // namespace

void run_run(const RunCommand& command) {
  const fs::path source = fs::absolute(command.source);
  const fs::path format = fs::path(source).replace_extension(".safetensors");
  const bool is_source = source.extension() == ".cu" || source.extension() == ".cpp";
  if (!is_source || !fs::is_regular_file(source) || !fs::is_regular_file(format))
    throw Error(
        fmt::format("{}: is no emitted kernel with its format beside it; name the .cu or "
                    ".cpp that tune or emit wrote",
                    command.source));
  const TemporaryFolder folder;
  const std::string program = (folder.path() / "kernel").string();
  std::vector<std::string> compile = find_compiler(source);
  compile.insert(compile.end(), {"-DALPHASPARSE_MAIN", source.string(), "-o", program});
  run_output(compile, ExitCode::no_device);
  print_report(false, run_output({program, format.string()}, ExitCode::nothing_verified));
}

}  // namespace alphasparse
