// format_driver: runs loader_fuzz over mutated format files, the same ones every time.
//
//   loader_fuzz_short [COUNT [SECONDS]]
//   loader_fuzz_short FILE                one input, to repeat a failure
//
// Most mutations change what a tensor holds; others a tensor's length or the header. Lengths,
// offsets and the checksum are mended, so that most files come past them; less than half is a
// failure. A target that fails aborts; the input is left in failed_input in the current folder.
#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "templates/host/format_reader.h"
#include "tests/fuzz/format_fuzz.h"

using namespace alphasparse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string current_input;

/// On abort the input is worth more than anything else; the process is lost in any case.
void keep_input(int) {
  if (FILE* file = std::fopen("failed_input", "wb")) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
  }
}

void run(std::string input) {
  current_input = std::move(input);
  const std::vector<std::uint8_t> bytes(current_input.begin(), current_input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::uint64_t length_of(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  return length;
}

/// A seed, taken apart.
struct File {
  std::string kernel;    // two bytes
  std::string metadata;  // the header up to its first tensor
  std::vector<host::Tensor> tensors;
  std::vector<std::string> data;  // of each tensor

  explicit File(const std::string& seed) : kernel(seed.substr(0, 2)) {
    const std::string file = seed.substr(2);
    const std::uint64_t length = length_of(file);
    const std::string header = file.substr(8, length);
    tensors = host::parse_header(header, file.size() - 8 - length).tensors;
    metadata = header.substr(0, header.find("},\"") + 1);
    for (const host::Tensor& tensor : tensors) {
      data.push_back(file.substr(8 + length + tensor.begin, tensor.end - tensor.begin));
    }
  }

  /// With lengths and offsets as they should be.
  std::string header() const {
    std::string text = metadata;
    std::size_t end = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::size_t begin = end;
      end += data[i].size();
      text += ",\"" + tensors[i].name + "\":{\"dtype\":\"" + tensors[i].type + "\",\"shape\":[" +
              std::to_string(data[i].size() / host::element_bytes(tensors[i].type)) +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    }
    return text + "}";
  }
};

/// The input of a header and data, with its length and checksum right.
std::string mended(const std::string& kernel, std::string header,
                   const std::vector<std::string>& data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  for (const std::string& part : data) file += part;
  const std::string name = "\"checksum\":\"";
  const std::size_t at = file.find(name);
  if (at != std::string::npos && at + name.size() + host::checksum_digits <= file.size()) {
    file.replace(at + name.size(), host::checksum_digits, host::checksum_digits, '0');
    host::Checksum checksum;
    checksum.add(file.data(), file.size());
    file.replace(at + name.size(), host::checksum_digits, checksum.digits());
  }
  return kernel + file;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) {
    for (const std::string& seed : seeds) files_.emplace_back(seed);
  }

  std::string next() {
    File file = files_[below(files_.size())];
    const std::size_t way = below(10);
    for (std::size_t left = 1 + below(3); left > 0 && way < 9; --left) change(file);
    if (way == 8) stretch(file);
    std::string header = file.header();
    if (way == 9) header[below(header.size())] = static_cast<char>(32 + below(95));
    return mended(file.kernel, std::move(header), file.data);
  }

 private:
  // Not a standard distribution: those differ between libraries.
  std::size_t below(std::size_t count) { return random_() % count; }

  std::string& tensor_of(File& file) { return file.data[below(file.data.size())]; }

  /// A byte, or four of them: a number near 0, or one that stands elsewhere.
  void change(File& file) {
    std::string& data = tensor_of(file);
    if (data.empty()) return;
    if (data.size() < 4 || below(3) == 0) {
      data[below(data.size())] ^= static_cast<char>(1 << below(8));
      return;
    }
    std::int32_t number = static_cast<std::int32_t>(below(5)) - 2;
    const std::size_t to = below(data.size() / 4) * 4, from = below(data.size() / 4) * 4;
    if (below(2) == 0) std::memcpy(&number, data.data() + from, sizeof number);
    if (below(4) == 0) number += static_cast<std::int32_t>(below(3)) - 1;
    if (below(16) == 0) number = below(2) == 0 ? INT32_MAX : INT32_MIN;
    std::memcpy(data.data() + to, &number, sizeof number);
  }

  void stretch(File& file) {
    const std::size_t at = below(file.data.size());
    const std::size_t bytes = host::element_bytes(file.tensors[at].type);
    std::string& data = file.data[at];
    if (below(2) == 0 && data.size() >= bytes) {
      data.resize(data.size() - bytes);
    } else {
      data.append(bytes, '\0');
    }
  }

  std::vector<File> files_;
  std::mt19937_64 random_{20};
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 2 && std::atol(arguments[1]) == 0) {
    std::ifstream file(arguments[1], std::ios::binary);
    run({std::istreambuf_iterator<char>(file), {}});
    return 0;
  }
  signal(SIGABRT, keep_input);
  const long count = argument_count > 1 ? std::atol(arguments[1]) : 500'000;
  const std::chrono::seconds seconds(argument_count > 2 ? std::atol(arguments[2]) : 5);
  const std::vector<std::string> seeds = format_seeds();
  for (const std::string& seed : seeds) run(seed);
  const FormatFuzzCounts& counts = format_fuzz_counts();
  if (counts.taken != static_cast<long>(seeds.size())) {
    std::fprintf(stderr, "only %ld of %zu seeds are taken\n", counts.taken, seeds.size());
    return 1;
  }
  const FormatFuzzCounts before = counts;
  Mutator mutator(seeds);
  const auto end = std::chrono::steady_clock::now() + seconds;
  long done = 0;
  for (; done < count && std::chrono::steady_clock::now() < end; ++done) run(mutator.next());
  const long whole = counts.whole - before.whole;
  std::printf("%zu seeds and %ld mutations: %.1f%% past header and checksum, %.1f%% taken\n",
              seeds.size(), done, 100.0 * whole / done,
              100.0 * (counts.taken - before.taken) / done);
  return 2 * whole >= done ? 0 : 1;
}
