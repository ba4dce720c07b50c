// loader_fuzz: for any bytes of a format file, the loader of a standalone kernel gives one line of
// reason or a format. In such a format, every index that is followed lies in its array. The loader
// takes the files that the tool's own loader takes, which evaluates expressions, and no others.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "generator/text/computed_checks.h"
#include "runtime/formats/loader_facts.h"
#include "templates/host/format_reader.h"
#include "tests/fuzz/emitted_loaders.h"
#include "tests/fuzz/format_fuzz.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 0;

namespace {

const LoaderFacts& facts_of(std::size_t subject) {
  static std::map<std::size_t, std::unique_ptr<LoaderFacts>> all;
  std::unique_ptr<LoaderFacts>& known = all[subject];
  if (!known) {
    const auto& [name, kernel, file] = format_subjects()[subject];
    known = std::make_unique<LoaderFacts>(kernel, header_of(file));
  }
  return *known;
}

/// An update of the values reads canonical[nnz] through these and nothing else.
void follow_values(const Kernel& kernel, const host::LoadedFormat& format) {
  const std::vector<float> canonical(static_cast<std::size_t>(kernel.nnz), 1);
  float sum = 0;
  for (const host::LoadedArray& array : format.arrays) {
    for (const std::int32_t nz : array.source) sum += nz < 0 ? 0 : canonical.at(nz);
    for (const std::int32_t code : array.code) {
      if (code >= 0) sum += canonical.at(array.source.at(code));
    }
  }
  CHECK(sum >= 0);
}

/// Follows the rules that the kernel's author states for its arrays, entry by entry.
class Follower {
 public:
  Follower(const Kernel& kernel, const host::LoadedFormat& format)
      : kernel_(kernel), format_(format) {}

  void follow_stored() const {
    for (std::size_t k = 0; k < kernel_.arrays.size(); ++k) {
      const Array& array = kernel_.arrays[k];
      if (array.is_value()) continue;
      std::int64_t before = array.least;
      for (std::int64_t i = 0; i < array.count; ++i) {
        const std::int64_t entry = *stored(k, i);
        CHECK(entry >= array.least && entry <= array.most);
        CHECK(!array.ascending || entry >= before);
        before = entry;
      }
    }
  }

  void follow_computed() const {
    for (const ComputedArray* const array : arrays_to_check(kernel_)) {
      for (std::int64_t i = 0; i < array->count; ++i) {
        const auto entry = of(array->entry, i);
        CHECK(entry && *entry >= array->range->least && *entry <= array->range->most);
      }
    }
  }

  void follow_steps() const {
    for (const StepWalk& walk : kernel_.steps) {
      for (std::int64_t parent = 0; parent < walk.parents; ++parent) follow_parent(walk, parent);
    }
  }

 private:
  /// Follows a parent as the kernel's threads do: each from its first column, a step at each of its
  /// positions.
  void follow_parent(const StepWalk& walk, std::int64_t parent) const {
    const auto threads = of(walk.first_thread, parent), after = of(walk.first_thread, parent + 1);
    const auto begin = of(walk.first_position, parent), end = of(walk.first_position, parent + 1);
    CHECK(threads && after && begin && end);
    for (std::int64_t thread = *threads; thread < *after; ++thread) {
      std::int64_t at = *begin + (thread - *threads);
      if (at >= *end) break;
      auto column = of(walk.first, thread);
      for (; at < *end; at += walk.stride) {
        const auto step = of(walk.step, at);
        CHECK(column && step);
        *column += *step;
        CHECK(*column >= walk.least && *column <= walk.most);
      }
    }
  }

  std::optional<std::int64_t> of(const Expression& expression, std::int64_t i) const {
    return value(expression, i,
                 [this](const std::string& name, std::int64_t at) { return entry(name, at); });
  }

  std::optional<std::int64_t> entry(const std::string& name, std::int64_t i) const {
    for (std::size_t k = 0; k < kernel_.arrays.size(); ++k) {
      if (kernel_.arrays[k].name == name) return stored(k, i);
    }
    for (const ComputedArray& array : kernel_.computed) {
      if (array.name == name && i >= 0 && i < array.count) return of(array.entry, i);
    }
    return std::nullopt;
  }

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

void follow(const Kernel& kernel, const host::LoadedFormat& format) {
  follow_values(kernel, format);
  const Follower follower(kernel, format);
  follower.follow_stored();
  follower.follow_computed();
  follower.follow_steps();
}

}  // namespace
}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const std::size_t subject = subject_of(data);
  const std::string path = file_of(data, size);
  const char* const refusal = emitted_refusal(subject, path.c_str());
  CHECK(!refusal || std::string_view(refusal).find('\n') == std::string_view::npos);
  try {
    host::FormatReader(path).read_data({});
    ++format_fuzz_counts().whole;
    const host::LoadedFormat format = facts_of(subject).load(path, true);
    if (refusal)
      throw Error("the emitted loader refuses what the tool takes: " + std::string(refusal));
    ++format_fuzz_counts().taken;
    follow(format_subjects()[subject].kernel, format);
  } catch (const host::BadFile& error) {
    if (!refusal)
      throw Error("the emitted loader takes what the tool refuses: " + std::string(error.what()));
  }
  return 0;
}
