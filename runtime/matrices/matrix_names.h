// matrix_names: facts that file names tell of matrices: where a folder is searched, and the name of
// a matrix. Only the content of a file tells its kind (file_kind.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// The path that a matrix on standard input is read by.
inline constexpr const char* standard_input = "/dev/stdin";

/// Whether a file is passed over where a folder or an archive is searched: its name or that of a
/// folder begins with a dot, as ._a.mtx and .ipynb_checkpoints/a.mtx.
bool is_hidden(const std::string& path);

/// Where a matrix is: a file, and the part of an archive or a MATLAB file.
struct MatrixLocation {
  std::string file;
  std::string member;  ///< empty: the only one
};

/// FILE, or FILE:MEMBER. A file that is there is a file, colons or not.
MatrixLocation locate_matrix(const std::string& text);

/// Whether a file of this name is taken for a matrix where a folder is searched: an ending of
/// matrix_endings(), packed or not.
bool has_matrix_ending(std::string_view name);

/// ".mtx, .npz, ...", as messages and help name them.
const char* matrix_endings();

/// A name without folder and endings: "m" for "dir/m.mtx.gz".
std::string stem_of_name(const std::string& name);

/// The name of a matrix: "m" for "dir/m.mtx.gz" and "dir/a.tar.gz:m/m.mtx"; "f_A" for "f.mat:A".
std::string matrix_stem(const std::string& path);

/// The names of several, with those of folders before them where else the names of their C
/// functions would be equal: "s1_m" for "s1/m.mtx". Throws Error (exit 2) for two of one name in
/// one folder.
std::vector<std::string> distinct_names(const std::vector<std::string>& paths);

}  // namespace alphasparse
