#include "runtime/matrices/matrix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <utility>

#include "generator/result.h"
#include "runtime/matrices/matrix_market.h"
#include "runtime/matrices/npz.h"
#include "runtime/matrices/petsc_binary.h"
#include "runtime/matrices/text_source.h"

namespace alphasparse {

namespace {

constexpr std::size_t beginning_bytes = 1 << 16;

}  // namespace

Matrix read_matrix(const std::string& path, const Patience& patience) {
  try {
    ReadLimits limits;
    limits.patience = patience;
    const std::string beginning = beginning_of(path, beginning_bytes);
    if (beginning.starts_with("%%MatrixMarket")) check_size_line(beginning, path);
    std::string bytes = read_bytes(path, patience);
    if (is_zip(bytes) || is_petsc_binary(bytes)) {
      Entries entries =
          is_zip(bytes) ? parse_npz(bytes, path, limits) : parse_petsc_binary(bytes, path, limits);
      std::string().swap(bytes);  // the matrix needs its room
      return canonical(std::move(entries));
    }
    return parse_canonical(std::move(bytes), path, limits);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: memory ran out while reading", path));
  }
}

bool has_matrix_ending(std::string_view name) {
  static constexpr std::array<std::string_view, 4> endings = {".mtx", ".mtx.gz", ".npz", ".petsc"};
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string matrix_stem(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  for (const char* extension : {".gz", ".mtx", ".npz", ".petsc"}) {
    if (name.extension() == extension && name.stem() != name) name = name.stem();
  }
  return name.empty() ? "matrix" : name.string();
}

}  // namespace alphasparse
