// files: folders, contents and commands of tests.
#pragma once
#include <filesystem>
#include <string>

namespace alphasparse {

/// A folder of its own for one test, removed with its contents.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path& path);
/// The text of a file of the source tree, by its path there.
std::string source_text(const std::string& name);

void set_contents(const std::filesystem::path& path, const std::string& text);

bool contains(const std::string& text, const std::string& part);

/// The output and the status of a shell command.
struct CommandOutcome {
  int status = 0;      ///< exit status; 128 + the signal that ended it
  std::string output;  ///< of both streams
};

CommandOutcome run_command(const std::string& command);

}  // namespace alphasparse
