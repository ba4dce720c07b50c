#include "tests/fuzz/format_mutator.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "templates/host/format_reader.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/standalone/reseal.h"

namespace alphasparse {
namespace {

/// The words that readers of the metadata decide by.
constexpr std::array words = {"0",          "1",          "-1",     "2",
                              "2147483647", "2147483648", "1e9",    "-9223372036854775808",
                              "null",       "true",       "\"i\"",  "[]",
                              "{}",         ",",          "\"\"",   "[\"+\",\"i\",1]",
                              "[\"*\",",    "[\"%\",",    "[\"/\"", "[\"[]\",\"",
                              "\"min\"",    "\"<\"",      "\"==\"", "\"least\":",
                              "\"bits\"",   "\"run\"",    "yes",    "\\u0041"};

/// The length of a number, a name or another string in JSON, from `at` on.
std::size_t word_length(const std::string& text, std::size_t at) {
  const char* const inside = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.\"+";
  const std::size_t end = text.find_first_not_of(inside, at);
  return (end == text.npos ? text.size() : end) - at;
}

std::string quoted(const std::string& text) {
  std::string string = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') string += '\\';
    string += c;
  }
  return string + '"';
}

std::uint64_t length_of(const std::string& file) {
  std::uint64_t length = 0;
  if (file.size() >= sizeof length) std::memcpy(&length, file.data(), sizeof length);
  return length;
}

}  // namespace

FormatParts::FormatParts(const std::string& input) : kernel(input.substr(0, 2)) {
  const std::string file = input.substr(2);
  const std::uint64_t length = length_of(file);
  const std::string header = file.substr(8, length);
  const std::string all = file.substr(8 + header.size());
  host::Header parsed = host::parse_header(header, all.size());
  metadata = {parsed.metadata.begin(), parsed.metadata.end()};
  tensors = std::move(parsed.tensors);
  for (const host::Tensor& tensor : tensors) {
    data.push_back(all.substr(tensor.begin, tensor.end - tensor.begin));
  }
}

std::string FormatParts::header() const {
  std::string text = "{\"__metadata__\":{";
  for (const auto& [name, value] : metadata) {
    text += (text.back() == '{' ? "" : ",") + quoted(name) + ":" + quoted(value);
  }
  text += '}';
  std::size_t end = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t begin = end;
    end += data[i].size();
    text += "," + quoted(tensors[i].name) + ":{\"dtype\":\"" + tensors[i].type + "\",\"shape\":[" +
            std::to_string(data[i].size() / host::element_bytes(tensors[i].type)) +
            "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
  }
  return text + "}";
}

std::string mended_format(const std::string& kernel, std::string header,
                          const std::vector<std::string>& data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  for (const std::string& part : data) file += part;
  reseal(file);
  return kernel + file;
}

std::string FormatMutator::mutated(FormatParts parts) {
  const bool texts = below(10) < static_cast<std::size_t>(metadata_mutations_of_ten);
  const std::size_t way = below(10);
  for (std::size_t left = 1 + below(3); left > 0 && way < 9; --left) {
    texts || parts.tensors.empty() ? change_text(parts) : change_entry(parts);
  }
  if (way == 8 && !parts.data.empty()) stretch(parts);
  std::string header = parts.header();
  if (way == 9) header[below(header.size())] = static_cast<char>(32 + below(95));
  return mended_format(parts.kernel, std::move(header), parts.data);
}

/// Mostly one that kernels read: the rest is checked alike for every design.
std::size_t FormatMutator::some_tensor(const FormatParts& parts) {
  const auto is_read = [](const std::string& name) {
    return name.find(".source") == name.npos && name.find("canonical_") == name.npos;
  };
  std::size_t at = below(parts.tensors.size());
  for (int tries = 0; tries < 3 && !is_read(parts.tensors[at].name); ++tries) {
    at = below(parts.tensors.size());
  }
  return at;
}

/// One bit, or an entry: it becomes a number near 0, the largest, one that stands elsewhere or one
/// beside that. Or a run of entries becomes its first or last one, which leaves ascending ones so.
void FormatMutator::change_entry(FormatParts& parts) {
  const std::size_t at = some_tensor(parts);
  const std::size_t bytes = std::min<std::size_t>(host::element_bytes(parts.tensors[at].type), 4);
  std::string& data = parts.data[at];
  if (data.size() < bytes || data.empty()) return;
  if (below(3) == 0) return level_run(data, bytes);
  if (below(3) == 0) {
    data[below(data.size())] ^= static_cast<char>(1 << below(8));
    return;
  }
  std::uint32_t number = static_cast<std::uint32_t>(below(5)) - 2;
  const auto entry = [&] { return data.data() + below(data.size() / bytes) * bytes; };
  if (below(2) == 0) std::memcpy(&number, entry(), bytes);
  if (below(4) == 0) number += static_cast<std::uint32_t>(below(3)) - 1;
  if (below(16) == 0) number = below(2) == 0 ? INT32_MAX : 1U << 31;
  std::memcpy(entry(), &number, bytes);
}

void FormatMutator::level_run(std::string& data, std::size_t bytes) {
  const std::size_t count = data.size() / bytes, first = below(count);
  const std::size_t length =
      1 + below(below(4) == 0 ? count - first : std::min<std::size_t>(count - first, 4));
  const std::string entry = data.substr((first + (below(2) == 0 ? length - 1 : 0)) * bytes, bytes);
  for (std::size_t i = first; i < first + length; ++i) data.replace(i * bytes, bytes, entry);
}

void FormatMutator::stretch(FormatParts& parts) {
  const std::size_t at = below(parts.data.size());
  const std::size_t bytes = host::element_bytes(parts.tensors[at].type);
  std::string& data = parts.data[at];
  if (below(2) == 0 && data.size() >= bytes) {
    data.resize(data.size() - bytes);
  } else {
    data.append(bytes, '\0');
  }
}

/// Mostly of the two lists of computed arrays: a word becomes another, or one of the same text; a
/// part is taken out, or stands twice.
void FormatMutator::change_text(FormatParts& parts) {
  auto chosen =
      std::next(parts.metadata.begin(), static_cast<std::ptrdiff_t>(below(parts.metadata.size())));
  if (below(4) > 0) chosen = parts.metadata.find(below(4) == 0 ? "steps" : "computed");
  if (chosen == parts.metadata.end() || chosen->first == "checksum") return;
  std::string& text = chosen->second;
  const auto place = [&] { return below(text.size() + 1); };
  const std::size_t at = place(), other = place();
  const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
  switch (below(5)) {
    case 0:
      text.replace(at, word_length(text, at), words[below(words.size())]);
      break;
    case 1:
      text.replace(at, word_length(text, at), text.substr(other, word_length(text, other)));
      break;
    case 2:
      text.insert(at, words[below(words.size())]);
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:
      text.insert(other, text.substr(at, length));
      break;
  }
}

}  // namespace alphasparse
