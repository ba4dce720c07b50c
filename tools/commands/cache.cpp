// cache: the size of the cache, and its removal.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/compilers/cache_folder.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/system/machine/memory.h"
#include "tools/commands/commands.h"
#include "tools/console/print.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

struct Sum {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;

  void add(const CacheEntry& entry) {
    ++entries;
    bytes += entry.bytes;
  }
};

struct Kind {
  CacheKind kind;
  const char* key;  ///< in JSON
};
constexpr std::array<Kind, 4> kinds = {{{CacheKind::kernels, "compiled"},
                                        {CacheKind::python, "python"},
                                        {CacheKind::verdicts, "emulator"},
                                        {CacheKind::leftovers, "leftovers"}}};

/// The content of the cache, after removals.
struct Contents {
  std::string folder;
  std::int64_t limit_bytes = 0;
  std::array<Sum, kinds.size()> of_kind;  ///< by the index of CacheKind
  Sum all, removed;
};

/// `before` is the content before them.
Contents list_contents(const std::filesystem::path& folder, std::int64_t limit_bytes,
                       const std::vector<CacheEntry>& before) {
  Contents contents{folder.string(), limit_bytes, {}, {}, {}};
  for (const CacheEntry& entry : cache_entries(folder)) {
    contents.of_kind[static_cast<std::size_t>(entry.kind)].add(entry);
    contents.all.add(entry);
  }
  for (const CacheEntry& entry : before) {
    std::error_code error;
    if (!std::filesystem::exists(entry.path, error)) contents.removed.add(entry);
  }
  return contents;
}

std::string contents_json(const Contents& contents) {
  const auto sum_json = [](const Sum& sum) {
    return nlohmann::ordered_json{{"entries", sum.entries}, {"bytes", sum.bytes}};
  };
  nlohmann::ordered_json json = {{"schema", json_schema_version},
                                 {"folder", contents.folder},
                                 {"limit_bytes", contents.limit_bytes}};
  for (const auto& [kind, key] : kinds)
    json[key] = sum_json(contents.of_kind[static_cast<std::size_t>(kind)]);
  json["all"] = sum_json(contents.all);
  json["removed"] = sum_json(contents.removed);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string contents_text(const Contents& contents, CacheAction action) {
  std::string text = contents.folder + "\n";
  const auto add_line = [&](std::string_view name, const Sum& sum) {
    text += fmt::format("  {:<24}{:>8}  {:>10}\n", name, sum.entries, byte_count_text(sum.bytes));
  };
  for (const auto& [kind, key] : kinds)
    add_line(cache_kind_name(kind), contents.of_kind[static_cast<std::size_t>(kind)]);
  add_line("all", contents.all);
  if (action != CacheAction::show) add_line("removed", contents.removed);
  text +=
      fmt::format("  {:<24}{:>8}  {:>10}\n", "limit", "", byte_count_text(contents.limit_bytes));
  if (action == CacheAction::clear && contents.all.entries > 0)
    text += "What is left is in use by other processes, or cannot be removed.\n";
  return text;
}

}  // namespace

void run_cache(const CacheCommand& command) {
  const auto folder = cache_directory();
  if (!folder)
    throw Error(ExitCode::no_device,
                "there is no cache, HOME is not set; set ALPHASPARSE_CACHE to a folder");
  const Result<std::int64_t> limit = cache_bytes_max();
  if (!limit) throw Error(limit.reason());
  std::vector<CacheEntry> before;
  if (command.action != CacheAction::show) before = cache_entries(*folder);
  if (command.action == CacheAction::trim) make_cache_room(*folder, *limit, 0);
  if (command.action == CacheAction::clear) {
    for (const CacheEntry& entry : before) remove_cache_entry(entry);
  }
  const Contents contents = list_contents(*folder, *limit, before);
  print_report(command.json,
               command.json ? contents_json(contents) : contents_text(contents, command.action));
}

}  // namespace alphasparse
