// fake_compiler: the compiler behind the fakes of NVRTC and of hiprtc. It has g++ compile a
// kernel's source as the emulator does. Its image is the shared object that comes out, which the
// fake of the driver can run. Registers are no compiler's finding.
#pragma once
#include <optional>
#include <string>
#include <vector>

/// A function that a host may launch.
struct FakeEntry {
  std::string name;
  int threads_max = 1024;  ///< of a block, where the source has a number; else the driver's
  int registers = 0;       ///< fewer where a block of its bounds would not find as many
};

struct FakeImage {
  std::string bytes;
  std::vector<FakeEntry> kernels;
};

/// The first error of a source.
struct FakeError {
  int line = 0, column = 0;  ///< 0: it is of the whole
  std::string text;
};

/// Compiles a source whose design is its first line that is a comment. Nothing or an image.
/// Faults that the test wants, and those of the source, are in `error`; throws for others.
std::optional<FakeImage> fake_compile(const std::string& source, const std::string& arch,
                                      FakeError& error);

/// The name of the file that this library was loaded from: by it a test has another compiler.
std::string fake_compiler_file();
