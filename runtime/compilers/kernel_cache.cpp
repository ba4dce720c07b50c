#include "runtime/compilers/kernel_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = {'a', 's', 'k', 'e', 'r', 'n', 'e', 'l'};
constexpr std::uint32_t format_version = 1;
constexpr const char* suffix = ".kernel";
constexpr const char* temporary_suffix = ".tmp";
constexpr auto temporary_age_max = std::chrono::hours(1);  // older ones: their writer died

/// What an entry opens with; the payload follows.
struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t payload_bytes;
  XXH128_canonical_t checksum;  // of the payload
};
static_assert(sizeof(Header) == 40 && std::is_trivially_copyable_v<Header>);

XXH128_canonical_t checksum_of(const std::string& bytes) {
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

/// Reads back what put_number and put_text wrote; `good` turns false at the first thing missing.
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
  Header header = {{}, format_version, 0, payload.size(), checksum_of(payload)};
  std::memcpy(header.magic, magic, sizeof magic);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

std::optional<CompiledKernel> parse_entry(const std::string& key, const std::string& bytes) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string payload = bytes.substr(sizeof header);
  const XXH128_canonical_t checksum = checksum_of(payload);
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

/// A file descriptor, closed with us.
struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

/// A whole file, or nothing where it cannot be read.
std::optional<std::string> read_whole(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts;
  if (file.number < 0 || fstat(file.number, &facts) != 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = read(file.number, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

/// Writes and syncs a new file; false, with errno, where that fails.
bool write_whole(const fs::path& path, const std::string& bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.number < 0) return false;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t put = write(file.number, bytes.data() + written, bytes.size() - written);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    written += static_cast<std::size_t>(put);
  }
  return fsync(file.number) == 0;
}

/// A name in the folder that no other writer takes.
fs::path temporary_path(const fs::path& directory) {
  static std::atomic<int> counter = 0;
  return directory / fmt::format("{}-{}{}", getpid(), counter++, temporary_suffix);
}

/// An entry of the folder with what eviction needs to know.
struct Aged {
  fs::file_time_type used;
  std::int64_t bytes;
  fs::path path;
};

/// Every entry; removes what killed writers left behind.
std::vector<Aged> scan(const fs::path& directory) {
  std::vector<Aged> entries;
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - temporary_age_max;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // by another process, meanwhile: not ours to count
    const fs::file_time_type used = fs::last_write_time(at->path(), gone);
    const std::uintmax_t bytes = gone ? 0 : fs::file_size(at->path(), gone);
    if (gone) continue;
    if (at->path().extension() == suffix) {
      entries.push_back({used, static_cast<std::int64_t>(bytes), at->path()});
    } else if (at->path().extension() == temporary_suffix && used < oldest) {
      fs::remove(at->path(), gone);
    }
  }
  return entries;
}

}  // namespace

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
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  const fs::path own = variable("ALPHASPARSE_CACHE");
  if (!own.empty()) return own;
  const fs::path shared = variable("XDG_CACHE_HOME");
  if (shared.is_absolute()) return shared / "alphasparse";
  const fs::path home = variable("HOME");
  if (home.is_absolute()) return home / ".cache" / "alphasparse";
  return std::nullopt;
}

KernelCache::KernelCache(fs::path directory, std::int64_t bytes_max, Warn warn)
    : directory_(std::move(directory)), bytes_max_(bytes_max), warn_(std::move(warn)) {}

std::optional<CompiledKernel> KernelCache::find(const std::string& key) {
  const fs::path path = directory_ / (key + suffix);
  const std::optional<std::string> bytes = read_whole(path);
  if (!bytes) return std::nullopt;
  std::optional<CompiledKernel> compiled = parse_entry(key, *bytes);
  if (compiled) utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return compiled;
}

void KernelCache::store(const std::string& key, const CompiledKernel& compiled) {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return warn(fmt::format("cannot make {}: {}", directory_.string(), error.message()));
  const std::string bytes = entry_bytes(key, compiled);
  make_room(static_cast<std::int64_t>(bytes.size()));
  const fs::path temporary = temporary_path(directory_);
  const fs::path path = directory_ / (key + suffix);
  if (write_whole(temporary, bytes) && rename(temporary.c_str(), path.c_str()) == 0) return;
  const int code = errno;
  unlink(temporary.c_str());
  warn(fmt::format("cannot write {}: {}", path.string(), std::strerror(code)));
}

void KernelCache::make_room(std::int64_t bytes_added) {
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_until_scan_ -= bytes_added;
  if (bytes_until_scan_ >= 0) return;
  std::vector<Aged> entries = scan(directory_);
  std::sort(entries.begin(), entries.end(),
            [](const Aged& left, const Aged& right) { return left.used < right.used; });
  std::int64_t bytes = bytes_added;
  for (const Aged& entry : entries) bytes += entry.bytes;
  // Where it is full, a tenth is freed at once, so that not every store scans the folder again.
  const std::int64_t target = bytes > bytes_max_ ? bytes_max_ / 10 * 9 : bytes_max_;
  for (const Aged& entry : entries) {
    if (bytes <= target) break;
    std::error_code error;
    fs::remove(entry.path, error);
    bytes -= entry.bytes;
  }
  // Other processes add too: look again before long.
  bytes_until_scan_ = std::min(bytes_max_ - bytes, bytes_max_ / 16);
}

void KernelCache::warn(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!warned_) warn_("kernel cache: " + text + "; going on without it");
  warned_ = true;
}

KernelCache* user_kernel_cache() {
  static const std::unique_ptr<KernelCache> cache = [] {
    const auto warn = [](const std::string& text) { spdlog::warn(text); };
    const std::optional<std::filesystem::path> directory = cache_directory();
    if (directory) {
      return std::make_unique<KernelCache>(*directory, KernelCache::bytes_max_default, warn);
    }
    warn("kernel cache: HOME is not set; going on without it (ALPHASPARSE_CACHE names a folder)");
    return std::unique_ptr<KernelCache>();
  }();
  return cache.get();
}

}  // namespace alphasparse
