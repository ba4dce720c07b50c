// loader_fuzz: whatever the bytes of a format file, the loader of a standalone kernel gives one
// line of reason, or a format of which every index that is followed lies in its array.
//
// The first two bytes of an input choose the kernel: every named design with and without compact,
// on small matrices. The rest are a file's bytes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string_view>

#include "generator/computed_facts.h"
#include "generator/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/computed_metadata.h"
#include "runtime/formats/format_file.h"
#include "templates/host/loader.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// Facts as the standalone file has them, from the file that was written with the kernel.
struct Facts {
  explicit Facts(const Kernel& kernel, const host::Header& header) : computed(header) {
    for (const Array& array : kernel.arrays) {
      arrays.push_back({array.name.c_str(), element_safetensors_name(array.type), array.count,
                        array.least, array.most, array.ascending, array.is_dictionary(),
                        array.rounded});
    }
    facts = {kernel.design.c_str(),
             dtype_name(kernel.dtype),
             kernel.rows,
             kernel.cols,
             kernel.nnz,
             kernel.mirrored,
             header.text("pattern").c_str(),
             header.text("values").c_str(),
             header.text("generator").c_str(),
             header.text("prefix").c_str(),
             arrays.data(),
             arrays.size(),
             nullptr,
             0,
             computed.computed.data(),
             computed.computed.size(),
             computed.steps.data(),
             computed.steps.size()};
  }

  ComputedMetadata computed;
  std::vector<host::ArrayFacts> arrays;
  host::FormatFacts facts;
};

struct Subject {
  Kernel kernel;
  host::Header header;
  std::unique_ptr<Facts> facts;
  std::string file;
};

std::vector<Subject> make_subjects() {
  std::vector<Subject> subjects;
  const TestFolder folder;
  for (const NamedMatrix& entry : battery()) {
    if (entry.matrix.nnz() == 0 || entry.matrix.nnz() > 150) continue;
    for (const NamedDesign& named : named_designs()) {
      const Design plain = *parse_design(std::string(named.line));
      std::vector<std::string> lines = {print_design(plain)};
      for (const char* const passes :
           {"compact", "compact columns=deltas", "compact columns=packed"}) {
        lines.push_back(print_design(with_compact(plain, parse_design(passes)->steps.front())));
      }
      for (const std::string& line : lines) {
        auto kernel = Designer(entry.matrix).build(line, Dtype::f32);
        if (!kernel) continue;  // it has no steps, or its format is too large
        Subject subject{std::move(*kernel), {}, nullptr, {}};
        write_format_file(folder / "a", subject.kernel, entry.matrix, fingerprints(entry.matrix));
        subject.file = contents(folder / "a");
        subject.header = host::FormatReader((folder / "a").string()).header();
        subject.facts = std::make_unique<Facts>(subject.kernel, subject.header);
        subjects.push_back(std::move(subject));
      }
    }
  }
  return subjects;
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = make_subjects();
  return all;
}

/// A file in memory; its path.
std::string in_memory(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("loader_fuzz", 0);
  CHECK(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size));
  return "/proc/self/fd/" + std::to_string(file);
}

/// An update of the values reads canonical[nnz] through these and nothing else.
void follow_values(const Subject& subject, const host::LoadedFormat& format) {
  const std::vector<float> canonical(static_cast<std::size_t>(subject.kernel.nnz), 1);
  float sum = 0;
  for (const host::LoadedArray& array : format.arrays) {
    for (const std::int32_t nz : array.source) sum += nz < 0 ? 0 : canonical.at(nz);
    for (const std::int32_t code : array.code) {
      if (code >= 0) sum += canonical.at(array.source.at(code));
    }
  }
  CHECK(sum >= 0);
}

/// The integers of the format by the generator's own evaluation, which knows nothing of the
/// loader's.
class Reader {
 public:
  Reader(const Subject& subject, const host::LoadedFormat& format)
      : kernel_(subject.kernel), format_(format) {}

  std::optional<std::int64_t> entry(const std::string& name, std::int64_t i) const {
    for (std::size_t k = 0; k < kernel_.arrays.size(); ++k) {
      if (kernel_.arrays[k].name == name) return stored(k, i);
    }
    for (const ComputedArray& array : kernel_.computed) {
      if (array.name == name && i >= 0 && i < array.count) return computed(array, i);
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> computed(const ComputedArray& array, std::int64_t i) const {
    return value(array.entry, i,
                 [this](const std::string& name, std::int64_t at) { return entry(name, at); });
  }

 private:
  std::optional<std::int64_t> stored(std::size_t k, std::int64_t i) const {
    const Array& array = kernel_.arrays[k];
    if (i < 0 || i >= array.count) return std::nullopt;
    const int bytes = element_bytes(array.type);
    std::uint32_t word = 0;
    std::memcpy(&word, format_.arrays[k].bytes.data() + i * bytes, static_cast<std::size_t>(bytes));
    return array.type == ElementType::i32 ? std::int64_t{static_cast<std::int32_t>(word)}
                                          : std::int64_t{word};
  }

  const Kernel& kernel_;
  const host::LoadedFormat& format_;
};

void follow_columns(const Subject& subject, const host::LoadedFormat& format) {
  const Reader reader(subject, format);
  for (const ComputedArray* const array : arrays_to_check(subject.kernel)) {
    for (std::int64_t i = 0; i < array->count; ++i) {
      const auto entry = reader.computed(*array, i);
      CHECK(entry && *entry >= array->range->least && *entry <= array->range->most);
    }
  }
}

}  // namespace

std::vector<std::string> format_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < subjects().size(); ++i) {
    seeds.push_back({static_cast<char>(i % 256), static_cast<char>(i / 256)});
    seeds.back() += subjects()[i].file;
  }
  return seeds;
}

FormatFuzzCounts& format_fuzz_counts() {
  static FormatFuzzCounts counts;
  return counts;
}

}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const Subject& subject = subjects()[(data[0] + 256 * data[1]) % subjects().size()];
  const std::string path = in_memory(data + 2, size - 2);
  try {
    host::FormatReader(path).read_data({});
    ++format_fuzz_counts().whole;
    const host::LoadedFormat format = host::load_format(path, subject.facts->facts, true);
    ++format_fuzz_counts().taken;
    follow_values(subject, format);
    follow_columns(subject, format);
  } catch (const host::BadFile& error) {
    CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
