#include "tests/support/files.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/result.h"

namespace alphasparse {

TestFolder::TestFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "alphasparse-XXXXXX").string();
  CHECK(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TestFolder::~TestFolder() {
  // A worker that is about to end may remove its own folder below at the same time.
  constexpr int attempts = 10;
  std::error_code error;
  for (int i = 0; i < attempts; ++i) {
    std::filesystem::remove_all(path_, error);
    if (!error) return;
  }
}

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string source_text(const std::string& name) {
  return contents(std::filesystem::path(ALPHASPARSE_SOURCE_DIR) / name);
}

void set_contents(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::remove(path);  // a file written over is flushed to the disk: slow
  std::ofstream file(path, std::ios::binary);
  file << text;
  CHECK(file.good());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

CommandOutcome run_command(const std::string& command) {
  std::FILE* pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  CHECK(pipe != nullptr);
  CommandOutcome outcome;
  char part[4096];
  while (const std::size_t bytes = std::fread(part, 1, sizeof part, pipe)) {
    outcome.output.append(part, bytes);
  }
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace alphasparse
