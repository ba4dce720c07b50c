#include "runtime/matrices/containers/byte_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/containers/gunzip_stream.h"
#include "runtime/matrices/containers/text_source.h"

namespace alphasparse {

namespace {

class PlainBytes : public ByteSource {
 public:
  PlainBytes(const RegularFile& file, std::string name, const ReadLimits& limits)
      : file_(file), name_(std::move(name)), limits_(limits), left_(file.size()) {}

  std::size_t read(char* to, std::size_t bytes) override {
    require_time(limits_.deadline, name_);
    const Result<std::size_t> count = file_.read(to, bytes);
    if (!count) throw Error(fmt::format("{}: {}", name_, count.reason()));
    left_ = std::max<std::int64_t>(0, left_ - static_cast<std::int64_t>(*count));
    return *count;
  }
  std::int64_t bytes_left_most() const override { return left_; }

 private:
  const RegularFile& file_;
  const std::string name_;
  const ReadLimits& limits_;
  std::int64_t left_;
};

class GzipBytes : public ByteSource {
 public:
  GzipBytes(const RegularFile& file, const std::string& name, const ReadLimits& limits)
      : packed_(file, name, limits), stream_(name, [this]() -> std::string_view {
          return {chunk_.data(), packed_.read(chunk_.data(), chunk_.size())};
        }) {}

  std::size_t read(char* to, std::size_t bytes) override { return stream_.read(to, bytes); }

  std::int64_t bytes_left_most() const override {
    constexpr std::int64_t ratio_max = 1032;  // of deflate
    return ratio_max * (packed_.bytes_left_most() + static_cast<std::int64_t>(chunk_.size()));
  }

 private:
  PlainBytes packed_;
  std::string chunk_ = std::string(packed_chunk_bytes, '\0');
  GunzipStream stream_;
};

}  // namespace

LongBytes load_bytes(const RegularFile& file, const std::string& name, const ReadLimits& limits) {
  std::array<char, 2> first{};
  const ssize_t count = pread(file.descriptor(), first.data(), first.size(), 0);
  if (count == ssize_t{first.size()} && is_gzip({first.data(), first.size()}))
    return {true, std::make_unique<GzipBytes>(file, name, limits)};
  return {false, std::make_unique<PlainBytes>(file, name, limits)};
}

}  // namespace alphasparse
