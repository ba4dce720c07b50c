// option_values: the meaning of the texts behind options.
#pragma once
#include <string>
#include <string_view>

#include "generator/arrays/matrix.h"
#include "tools/commands/options.h"
#include "tools/console/shards.h"

namespace alphasparse {

/// A check of CLI11's: the message for an empty text.
std::string reject_empty(const std::string& text);

/// The same for a file that will be a page of HTML and whose name does not end in .html.
std::string reject_no_page(const std::string& file);

/// The path of a matrix that a word means: - is standard input.
std::string matrix_path(const std::string& text);

/// Seconds of "60", "60s", "5m", "1.5h" or "250ms"; above 0, or 0 where that is a time, and at most
/// so many hours. Throws Error (exit 2) that names the option.
double parse_time(const std::string& text, std::string_view option = "--time", double hours_max = 8,
                  bool zero_is_a_time = false);

/// The stage of --stage: "store", "format", "body", "source", "ptx" or "asm". Throws Error (exit
/// 2).
ShowStage parse_stage(const std::string& text);

/// "2/8": both whole numbers, the first from 1 to the second. Throws Error (exit 2).
Shard parse_shard(const std::string& text);

}  // namespace alphasparse
