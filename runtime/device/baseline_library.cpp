#include "runtime/device/baseline_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace alphasparse {

namespace {

constexpr std::string_view between = "; ";  // the parts of a note (add_note)
constexpr std::string_view version_head = "version ";
constexpr std::string_view code_path_head = "code path ";
constexpr std::string_view is_missing_text = " is missing: ";

/// The text behind `head` in the part of the note that begins with it; empty: none does.
std::string find_part(std::string_view note, std::string_view head) {
  while (!note.empty()) {
    const std::size_t end = note.find(between);
    const std::string_view part = note.substr(0, end);
    if (part.starts_with(head)) return std::string(part.substr(head.size()));
    if (end == std::string_view::npos) break;
    note.remove_prefix(end + between.size());
  }
  return "";
}

/// No text of a library may end its part of the note.
std::string drop_breaks(std::string text) {
  for (char& c : text) {
    if (c == ';' || static_cast<unsigned char>(c) < ' ') c = ',';
  }
  return text;
}

}  // namespace

std::string library_note(const LibraryFacts& facts) {
  std::string note;
  if (!facts.version.empty()) note = fmt::format("{}{}", version_head, drop_breaks(facts.version));
  if (facts.code_path.empty()) return note;
  return fmt::format("{}{}{}{}", note, note.empty() ? "" : between, code_path_head,
                     drop_breaks(facts.code_path));
}

LibraryFacts parse_library(const std::string& note) {
  return {find_part(note, version_head), find_part(note, code_path_head)};
}

const BaselineLibrary& library_named(std::string_view name) {
  constexpr std::string_view cpus = "CPUs", nvidia = "GPUs of NVIDIA", amd = "GPUs of AMD";
  static constexpr BaselineLibrary rows[] = {
      {"cuSPARSE", "part of the CUDA toolkit", Target::gpu, Dialect::cuda, nvidia},
      {spmv_op, "part of CUDA 13.3"},
      {"rocSPARSE", "part of ROCm", Target::gpu, Dialect::hip, amd},
      {rocsparse_lrb, "part of ROCm 6.1"},
      {rocsparse_nnzsplit, "part of ROCm 7.2"},
      {rocsparse_sell, "part of ROCm 7.2"},
      {.name = "OpenMP", .install = "", .machines = cpus},
      {.name = "MKL", .install = "pip install mkl", .machines = cpus},
      {.name = "Eigen", .install = "apt install libeigen3-dev", .machines = cpus},
  };
  const auto* const row =
      std::find_if(std::begin(rows), std::end(rows),
                   [&](const BaselineLibrary& library) { return library.name == name; });
  CHECK(row != std::end(rows));
  return *row;
}

Failure library_missing(std::string_view library, std::string_view looked_for,
                        std::string_view naming) {
  return {Status::launch_error,
          fmt::format("{}{}{}; install it ({}){}{}", library, is_missing_text, looked_for,
                      library_named(library).install, naming.empty() ? "" : ", or ", naming)};
}

bool is_library_missing(std::string_view library, const std::string& reason) {
  return reason.starts_with(fmt::format("{}{}", library, is_missing_text));
}

}  // namespace alphasparse
