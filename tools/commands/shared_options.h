// shared_options: the options that several commands have, each with its doc and its checks.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tools/commands/options.h"

namespace alphasparse {

inline constexpr std::string_view database_doc =
    "Tuning database (else ALPHASPARSE_DB, else alphasparse/tuning.db in XDG_DATA_HOME or "
    "~/.local/share)";

void add_matrix(CLI::App& command, std::string& matrix);
void add_design(CLI::App& command, std::string& design);
void add_folder(CLI::App& command, std::string& folder);
void add_name(CLI::App& command, std::string& name);
void add_prefix(CLI::App& command, std::string& prefix);
void add_device(CLI::App& command, std::string& device);
void add_runtime(CLI::App& command, bool& shared);
void add_dtype(CLI::App& command, DtypeChoice& dtype);
void add_vectors(CLI::App& command, int& vectors);
void add_transpose(CLI::App& command, bool& transpose);
void add_json(CLI::App& command, bool& json);
void add_cache(CLI::App& command, CacheRegime& regime);
void add_nonfinite(CLI::App& command, bool& exact);
void add_order(CLI::App& command, bool& own);
void add_quiet(CLI::App& command, bool& quiet);
void add_wide(CLI::App& command, bool& wide);
void add_report(CLI::App& command, std::string& report, const std::string& doc);

/// An option that is one of two words; `set` gets whether it is the second.
template <class Set>
void add_choice(CLI::App& command, const std::string& name, const std::string& first,
                const std::string& second, const std::string& doc, Set set) {
  const auto take = [=](const std::string& text) {
    if (text != first && text != second)
      throw Error(fmt::format("{} wants {} or {}, not '{}'", name, first, second, text));
    set(text == second);
  };
  command.add_option_function<std::string>(name, take, fmt::format("{} (default {})", doc, first))
      ->type_name(first + "|" + second);
}

/// An option that is a whole number of at least `least`.
template <class Integer>
void add_count(CLI::App& command, const std::string& name, Integer least, Integer& target,
               const std::string& doc) {
  const auto take = [=, &target](const std::string& text) {
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, target);
    if (code != std::errc() || rest != end || target < least)
      throw Error(
          fmt::format("{} wants a whole number of {} or more, not '{}'", name, least, text));
  };
  command.add_option_function<std::string>(name, take, doc)->type_name("N");
}

/// An option that is a number above `above` and up to `most`.
void add_number(CLI::App& command, const std::string& name, double above, double most,
                std::optional<double>& target, const std::string& doc);

}  // namespace alphasparse
