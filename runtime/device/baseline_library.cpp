#include "runtime/device/baseline_library.h"

#include <fmt/format.h>

namespace alphasparse {

namespace {

constexpr std::string_view between = "; ";  // the parts of a note (add_note)
constexpr std::string_view version_head = "version ";
constexpr std::string_view code_path_head = "code path ";
constexpr std::string_view is_missing_text = " is missing: ";

/// The text behind `head` in the part of the note that begins with it; empty: none does.
std::string part_of(std::string_view note, std::string_view head) {
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
std::string in_one_part(std::string text) {
  for (char& c : text) {
    if (c == ';' || static_cast<unsigned char>(c) < ' ') c = ',';
  }
  return text;
}

}  // namespace

std::string library_note(const LibraryFacts& facts) {
  std::string note;
  if (!facts.version.empty()) note = fmt::format("{}{}", version_head, in_one_part(facts.version));
  if (facts.code_path.empty()) return note;
  return fmt::format("{}{}{}{}", note, note.empty() ? "" : between, code_path_head,
                     in_one_part(facts.code_path));
}

LibraryFacts library_of(const std::string& note) {
  return {part_of(note, version_head), part_of(note, code_path_head)};
}

std::string_view how_to_install(std::string_view library) {
  if (library == "MKL") return "pip install mkl";
  if (library == "Eigen") return "apt install libeigen3-dev";
  if (library == "cuSPARSE") return "part of the CUDA toolkit";
  if (library == spmv_op) return "part of CUDA 13.3";
  return "";
}

Failure library_missing(std::string_view library, std::string_view looked_for,
                        std::string_view naming) {
  return {Status::launch_error,
          fmt::format("{}{}{}; install it ({}){}{}", library, is_missing_text, looked_for,
                      how_to_install(library), naming.empty() ? "" : ", or ", naming)};
}

bool is_library_missing(std::string_view library, const std::string& reason) {
  return reason.starts_with(fmt::format("{}{}", library, is_missing_text));
}

}  // namespace alphasparse
