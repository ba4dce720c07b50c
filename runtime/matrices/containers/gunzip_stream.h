// gunzip_stream: the text of a gzip file, unpacked in order as it is asked for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace alphasparse {

class GunzipStream {
 public:
  /// Gives the next packed bytes, which last until the next call; empty at their end.
  using Packed = std::function<std::string_view()>;

  /// `name` is the file's, for messages.
  GunzipStream(std::string name, Packed packed);
  ~GunzipStream();
  GunzipStream(const GunzipStream&) = delete;
  GunzipStream& operator=(const GunzipStream&) = delete;

  /// Unpacks up to `bytes` of the text: fewer only at its end. Throws Error (exit 2), naming the
  /// line that the text ends in: truncated, damaged, bytes behind the last member.
  std::size_t read(char* to, std::size_t bytes);

 private:
  struct Inflater;

  std::size_t inflate_some(char* to, std::size_t bytes);
  void end_member();
  bool refill();
  [[noreturn]] void fail(const char* reason) const;

  const std::string name_;
  const Packed packed_;
  const std::unique_ptr<Inflater> inflater_;
  std::string_view bytes_;       ///< packed, not read yet
  std::int64_t line_ = 1;        ///< in which the unpacked text ends
  bool follows_member_ = false;  ///< the member that is unpacked is not the first
  bool ended_ = false;
};

}  // namespace alphasparse
