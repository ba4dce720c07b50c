#include "runtime/matrices/containers/archive_member.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/containers/archive.h"
#include "runtime/matrices/containers/companions.h"
#include "runtime/matrices/containers/unpack_limits.h"
#include "runtime/matrices/file_kind.h"

namespace alphasparse {

namespace {

bool may_be_matrix(FileKind kind) {
  return kind != FileKind::other && kind != FileKind::other_text;
}

/// Whether `wanted` is a name that people use for a file of an archive.
bool is_named(const std::string& path, const std::string& wanted) {
  return path == wanted || path.ends_with("/" + wanted) || stem_of_name(path) == wanted;
}

class MemberFinder {
 public:
  MemberFinder(std::string_view archive, const std::string& name, const ReadLimits& limits)
      : archive_(archive), name_(name), limits_(limits) {}

  ArchiveMember only(const ReadNote& note) {
    list();
    const std::vector<std::string> companions = find_companions(matrices_);
    std::vector<std::string> candidates;
    for (const std::string& path : matrices_) {
      if (std::find(companions.begin(), companions.end(), path) == companions.end())
        candidates.push_back(path);
    }
    if (candidates.empty()) reject_none();
    if (candidates.size() > 1) reject_several(candidates, "");
    if (note && !companions.empty()) note(fmt::format("{}: {}", name_, left_out_text(companions)));
    return read([&](const std::string& path) { return path == candidates.front(); }, "");
  }

  ArchiveMember named(const std::string& wanted) {
    list();
    // A colon may part a file of the archive from the wanted part of it.
    const std::size_t colon = wanted.rfind(':');
    for (const std::size_t length : {wanted.size(), colon}) {
      if (length == wanted.npos) continue;
      const std::string part = wanted.substr(0, length);
      std::vector<std::string> found;
      for (const std::string& path : all_) {
        if (path == part)
          return read([&](const std::string& at) { return at == part; }, suffix(wanted, length));
        if (is_named(path, part)) found.push_back(path);
      }
      if (found.size() > 1) reject_several(found, part);
      if (found.size() == 1)
        return read([&](const std::string& at) { return at == found.front(); },
                    suffix(wanted, length));
    }
    throw Error(fmt::format("{} has no file {}; it holds {}", name_, printable(wanted),
                            listed(matrices_.empty() ? all_ : matrices_)));
  }

 private:
  static std::string suffix(const std::string& wanted, std::size_t length) {
    return length == wanted.size() ? "" : wanted.substr(length + 1);
  }

  /// Notes every file, and which are matrices.
  void list() {
    ArchiveReader reader(archive_, name_, Unpack::files, limits_.deadline);
    constexpr std::size_t names_most = 1 << 24;
    std::size_t name_bytes = 0;
    while (reader.next()) {
      std::string beginning;
      reader.read(beginning, kind_bytes);
      name_bytes += reader.member().size() + 1;
      if (name_bytes > names_most)
        throw Error(fmt::format("{}: is an archive of too many files", name_));
      all_.push_back(reader.member());
      if (may_be_matrix(detect_kind(beginning)) && !is_hidden(reader.member()))
        matrices_.push_back(reader.member());
    }
  }

  template <class Wanted>
  ArchiveMember read(const Wanted& is_wanted, std::string rest) {
    ArchiveReader reader(archive_, name_, Unpack::files, limits_.deadline);
    while (reader.next()) {
      if (!is_wanted(reader.member())) continue;
      const std::string location = reader.location();
      return {reader.read_all(limits_.memory_bytes, unpack_watch(location, limits_)), location,
              std::move(rest)};
    }
    throw Error(fmt::format("{}: cannot be read twice alike", name_));
  }

  static std::string listed(const std::vector<std::string>& paths) {
    constexpr std::size_t shown_most = 6, name_most = 80;
    std::string text;
    for (std::size_t i = 0; i < paths.size() && i < shown_most; ++i)
      text += (i == 0 ? "" : ", ") + printable(paths[i].substr(0, name_most));
    if (paths.size() > shown_most) text += fmt::format(", and {} more", paths.size() - shown_most);
    return paths.empty() ? "no files" : text;
  }

  [[noreturn]] void reject_none() const {
    throw Error(
        fmt::format("{}: is an archive without a matrix; it holds {}", name_, listed(all_)));
  }

  [[noreturn]] void reject_several(const std::vector<std::string>& paths,
                                   const std::string& named) const {
    throw Error(fmt::format("{}: is an archive of {} matrices{}; name one, as {}:{}: {}", name_,
                            paths.size(), named.empty() ? "" : " named " + printable(named), name_,
                            printable(paths.front()), listed(paths)));
  }

  std::string_view archive_;
  const std::string& name_;
  const ReadLimits& limits_;
  std::vector<std::string> all_, matrices_;
};

}  // namespace

ArchiveMember archive_member(std::string_view archive, const std::string& name,
                             const std::string& member, const ReadLimits& limits,
                             const ReadNote& note) {
  MemberFinder finder(archive, name, limits);
  return member.empty() ? finder.only(note) : finder.named(member);
}

}  // namespace alphasparse
