// main: a program that checks its kernel on the format file, against a plain SpMV on the host, and
// times it, on the current device or the processor at hand.
//
//   NAME [FILE.safetensors] [--repeat SAMPLES]
//
// Exit codes: 0 right, 1 a wrong result, 2 it could not run.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

int main(int count, char** arguments) {
  std::string path = alphasparse::host::format_file;
  long samples = 0;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool is_help = argument == "--help" || argument == "-h";
    char* end = nullptr;
    if (argument == "--repeat" && i + 1 < count) {
      samples = std::strtol(arguments[++i], &end, 10);
    }
    const bool bad_number = end && (*end != '\0' || samples < 1 || samples > 1000000);
    if (bad_number || (!end && argument.rfind("-", 0) == 0)) {
      std::fprintf(is_help ? stdout : stderr, "usage: %s [FILE.safetensors] [--repeat SAMPLES]\n",
                   arguments[0]);
      return is_help ? 0 : 2;
    }
    if (!end) path = argument;
  }
  try {
    return alphasparse::host::check_and_time(path, static_cast<int>(samples));
  } catch (const alphasparse::host::BadFile& error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
