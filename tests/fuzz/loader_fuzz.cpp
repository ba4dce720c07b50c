// loader_fuzz: for any bytes of a format file, the loader of a kernel gives one line of reason or a
// format with the structure of the kernel's own file: no entry that is followed is another one.
//
// With ALPHASPARSE_PLANTED the loader takes the digest that each file names for the kernel's. The
// fuzz must find that, or its silence says nothing.
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "templates/host/loader.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/read_format.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 1;

namespace {

struct Subject {
  std::unique_ptr<LoaderFacts> facts;
  host::LoadedFormat own;  ///< the kernel's own file
};

const Subject& subject(std::size_t number, const std::string& seed_path) {
  static std::map<std::size_t, Subject> all;
  Subject& known = all[number];
  if (!known.facts) {  // seeds come first
    const auto& [name, kernel, file] = format_subjects()[number];
    known.facts = std::make_unique<LoaderFacts>(kernel, header_of(file));
    known.own = host::load_format(seed_path, known.facts->facts(), true);
  }
  return known;
}

void check_same_structure(const Kernel& kernel, const host::LoadedFormat& format,
                          const host::LoadedFormat& own) {
  CHECK(format.row_first == own.row_first && format.col == own.col);
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    const host::LoadedArray &array = format.arrays[i], &same = own.arrays[i];
    CHECK(array.source == same.source && array.code == same.code);
    CHECK(array.bytes.size() == same.bytes.size());
    CHECK(kernel.arrays[i].is_value() || array.bytes == same.bytes);
  }
}

}  // namespace
}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const std::size_t number = subject_of(data);
  const std::string path = file_of(data, size);
  const Subject& known = subject(number, path);
  host::FormatFacts facts = known.facts->facts();
  try {
    host::FormatReader reader(path);
    reader.read_data(false);
    ++format_fuzz_counts().whole;
    if (std::getenv("ALPHASPARSE_PLANTED"))
      facts.structure = reader.header().text("structure").c_str();
    const host::LoadedFormat format = host::load_format(path, facts, true);
    ++format_fuzz_counts().taken;
    check_same_structure(format_subjects()[number].kernel, format, known.own);
  } catch (const host::BadFile& error) {
    CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
