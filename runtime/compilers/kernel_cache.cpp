#include "runtime/compilers/kernel_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "runtime/compilers/cache_folder.h"
#include "runtime/system/files/home.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/files/regular_file.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = {'a', 's', 'k', 'e', 'r', 'n', 'e', 'l'};
constexpr std::uint32_t format_version = 1;
constexpr std::string_view suffix = ".kernel";

/// The beginning of an entry; the payload follows.
struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t payload_bytes;
  XXH128_canonical_t checksum;  // of the payload
};
static_assert(sizeof(Header) == 40 && std::is_trivially_copyable_v<Header>);

XXH128_canonical_t make_checksum(const std::string& bytes) {
  XXH128_canonical_t checksum;
  XXH128_canonicalFromHash(&checksum, XXH3_128bits(bytes.data(), bytes.size()));
  return checksum;
}

void put_number(std::string& out, std::int64_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, static_cast<std::int64_t>(text.size()));
  out.append(text);
}

/// Reads numbers and texts that put_number and put_text wrote; `good` turns false at the first
/// thing missing.
struct Reader {
  std::string_view left;
  bool good = true;

  std::int64_t number() {
    std::int64_t value = 0;
    const std::string_view bytes = take(sizeof value);
    if (good) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(static_cast<std::uint64_t>(number())); }
  std::string_view take(std::uint64_t bytes) {
    good = good && bytes <= left.size();
    if (!good) return {};
    const std::string_view taken = left.substr(0, bytes);
    left.remove_prefix(bytes);
    return taken;
  }
};

constexpr int KernelFacts::*fact_fields[] = {
    &KernelFacts::registers,   &KernelFacts::spill_store_bytes, &KernelFacts::spill_load_bytes,
    &KernelFacts::stack_bytes, &KernelFacts::shared_bytes,      &KernelFacts::constant_bytes};

std::string entry_bytes(const std::string& key, const CompiledKernel& compiled) {
  std::string payload;
  put_text(payload, key);
  put_number(payload, static_cast<std::int64_t>(compiled.kernels.size()));
  for (const KernelFacts& kernel : compiled.kernels) {
    put_text(payload, kernel.name);
    for (const auto field : fact_fields) put_number(payload, kernel.*field);
  }
  put_text(payload, {reinterpret_cast<const char*>(compiled.cubin.data()), compiled.cubin.size()});
  Header header = {{}, format_version, 0, payload.size(), make_checksum(payload)};
  std::memcpy(header.magic, magic, sizeof magic);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

std::optional<CompiledKernel> parse_entry(const std::string& key, const std::string& bytes) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string payload = bytes.substr(sizeof header);
  const XXH128_canonical_t checksum = make_checksum(payload);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 || header.version != format_version ||
      header.payload_bytes != payload.size() ||
      std::memcmp(&header.checksum, &checksum, sizeof checksum) != 0) {
    return std::nullopt;
  }
  Reader reader{payload};
  if (reader.text() != key) return std::nullopt;
  CompiledKernel compiled;
  const std::int64_t kernel_count = reader.number();
  for (std::int64_t index = 0; reader.good && index < kernel_count; ++index) {
    KernelFacts kernel;
    kernel.name = reader.text();
    for (const auto field : fact_fields) kernel.*field = static_cast<int>(reader.number());
    compiled.kernels.push_back(std::move(kernel));
  }
  const std::string_view cubin = reader.text();
  if (!reader.good || !reader.left.empty()) return std::nullopt;
  const auto* const first = reinterpret_cast<const std::byte*>(cubin.data());
  compiled.cubin.assign(first, first + cubin.size());
  return compiled;
}

}  // namespace

std::string strip(const std::string& source) {
  std::string code;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comment = line.find("//");
    if (comment < line.find('"')) line.resize(comment);  // behind a quote it may be none
    line.resize(line.find_last_not_of(' ') + 1);
    if (line.empty() && comment != std::string::npos) continue;  // long comments have more lines
    code += line + "\n";
  }
  return code;
}

std::string cache_key(const CompileRequest& request) {
  std::string all;
  for (const std::string* part : {&request.source, &request.arch, &request.compiler}) {
    put_text(all, *part);
  }
  put_text(all, ALPHASPARSE_VERSION);
  for (const std::string& option : request.options) put_text(all, option);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<fs::path> cache_directory() {
  const std::optional<fs::path> own = path_in_variable("ALPHASPARSE_CACHE");
  if (!own) return std::nullopt;
  if (!own->empty()) return fs::absolute(*own);
  const char* const shared = std::getenv("XDG_CACHE_HOME");
  if (shared != nullptr && fs::path(shared).is_absolute()) return fs::path(shared) / "alphasparse";
  const std::optional<fs::path> home = home_folder();
  return home ? std::optional(*home / ".cache" / "alphasparse") : std::nullopt;
}

KernelCache::KernelCache(fs::path directory, std::int64_t bytes_max, Warn warn)
    : directory_(std::move(directory)), bytes_max_(bytes_max), warn_(std::move(warn)) {}

std::optional<CompiledKernel> KernelCache::find(const std::string& key) {
  const Result<RegularFile> file = RegularFile::open_own(make_path(key));
  if (!file) return std::nullopt;
  const Result<std::string> bytes = file->read(static_cast<std::size_t>(file->size()));
  if (!bytes) return std::nullopt;
  std::optional<CompiledKernel> compiled = parse_entry(key, *bytes);
  if (compiled) futimens(file->descriptor(), nullptr);
  return compiled;
}

void KernelCache::store(const std::string& key, const CompiledKernel& compiled) {
  if (const std::error_code error = make_own_folder(directory_))
    return warn(fmt::format("cannot make {}: {}", directory_.string(), error.message()));
  const std::string bytes = entry_bytes(key, compiled);
  make_room(static_cast<std::int64_t>(bytes.size()));
  const fs::path path = make_path(key);
  if (const std::error_code error = publish_own_file(path, bytes))
    warn(fmt::format("cannot write {}: {}", path.string(), error.message()));
}

Result<CompiledKernel> KernelCache::find_or(const std::string& key,
                                            const std::function<Result<CompiledKernel>()>& make) {
  if (std::optional<CompiledKernel> found = find(key)) return std::move(*found);
  Result<CompiledKernel> compiled = make();
  if (compiled) store(key, *compiled);
  return compiled;
}

Result<std::string> KernelCache::code_or(const std::string& key,
                                         const std::function<Result<std::string>()>& make) {
  const Result<CompiledKernel> entry = find_or(key, [&]() -> Result<CompiledKernel> {
    const Result<std::string> code = make();
    if (!code) return code.failure();
    CompiledKernel made;
    const auto* const first = reinterpret_cast<const std::byte*>(code->data());
    made.cubin.assign(first, first + code->size());
    return made;
  });
  if (!entry) return entry.failure();
  return std::string(reinterpret_cast<const char*>(entry->cubin.data()), entry->cubin.size());
}

void KernelCache::forget(const std::string& key) {
  std::error_code ignored;  // another process may have removed it
  fs::remove(make_path(key), ignored);
}

fs::path KernelCache::make_path(const std::string& key) const {
  return directory_ / fmt::format("{}{}", key, suffix);
}

void KernelCache::make_room(std::int64_t bytes_added) {
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_until_scan_ -= bytes_added;
  if (bytes_until_scan_ >= 0) return;
  const std::int64_t bytes = make_cache_room(directory_, bytes_max_, bytes_added);
  // Other processes add too: look again before long.
  bytes_until_scan_ = std::min(bytes_max_ - bytes, bytes_max_ / 16);
}

void KernelCache::warn(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!warned_) warn_("kernel cache: " + text + "; going on without it");
  warned_ = true;
}

std::unique_ptr<KernelCache> open_user_cache(KernelCache::Warn warn) {
  const std::optional<fs::path> directory = cache_directory();
  if (!directory) {
    warn(
        "kernel cache: there is no place for it, HOME is not set; going on without it; set "
        "ALPHASPARSE_CACHE to a folder");
    return nullptr;
  }
  const Result<std::int64_t> bytes_max = cache_bytes_max();
  if (!bytes_max) warn(bytes_max.reason());
  return std::make_unique<KernelCache>(*directory, bytes_max ? *bytes_max : cache_bytes_max_default,
                                       std::move(warn));
}

}  // namespace alphasparse
