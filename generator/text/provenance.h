// provenance: the comment at the head of an emitted file. It tells the design, the matrix, the
// commands that make, build and run the file, and where its kernel stands.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/text/standalone.h"

namespace alphasparse {

/// Text for a comment's line: a backslash or its trigraph may join the next one.
std::string comment_text(std::string_view text);

/// A command of words for a shell, as a person copies it from a comment, a page or a terminal: as
/// it is, or the reason why none of these may show it.
std::string copied_command(const std::string& command);

/// A file as a command line takes it: none of its names is an option.
std::string quote_file(const std::string& file);

std::string matrix_line(const Kernel& kernel, const StandaloneInfo& info);

/// NAME.cu or NAME.cpp.
std::string source_name(const Kernel& kernel, const StandaloneInfo& info);

using CommentLines = std::vector<std::pair<const char*, std::string>>;

/// "name     text", a line each.
std::string write_comment(const CommentLines& lines);

/// Lines that describe a kernel, the commands that make it again, and `building`: the use of the
/// file.
CommentLines kernel_lines(const Kernel& kernel, const StandaloneInfo& info,
                          const CommentLines& building);

/// The file's comment, its directives and its kernel: all that a reader of the kernel needs.
std::string opening(const Kernel& kernel, const StandaloneInfo& info, const std::string& directives,
                    const std::string& kernel_text);

}  // namespace alphasparse
