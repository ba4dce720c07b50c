// format_fuzz: the code shared by the targets that read format files. It has the kernels of these
// files, and the answers to the driver that mutates the files.
//
// The first two bytes of an input choose the kernel among those that the target lists. The rest are
// a file's bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// A kernel, and the format file that was written with it.
struct FormatSubject {
  std::string name;  ///< of the design, and the target
  Kernel kernel;
  std::string file;
};

const std::vector<FormatSubject>& format_subjects();

/// The subjects that format_subjects() lists: each target defines its own.
std::vector<FormatSubject> make_format_subjects();

/// Adds the named designs for a target, each by itself and with these steps, on a matrix: those
/// that can be built.
void add_named_subjects(const Matrix& matrix, Target target, const std::vector<const char*>& passes,
                        std::vector<FormatSubject>& subjects, Dtype dtype = Dtype::f32);

/// Adds one design, where it can be built.
void add_subject(const std::string& name, const Matrix& matrix, const std::string& line,
                 std::vector<FormatSubject>& subjects, Dtype dtype = Dtype::f32);

/// The header of a format file.
host::Header header_of(const std::string& file);

/// An input's subject, by its number in format_subjects(); it has two bytes at least.
std::size_t subject_of(const std::uint8_t* input);

/// The bytes behind the first two as a file in memory; its path.
std::string file_of(const std::uint8_t* input, std::size_t size);

/// An input for each subject, unchanged.
std::vector<std::string> format_seeds();

/// How far the inputs so far have come.
struct FormatFuzzCounts {
  long whole = 0;  ///< past the header, the offsets and the checksum
  long taken = 0;

  struct OfSubject {
    long inputs = 0, taken = 0;
  };
  std::map<std::size_t, OfSubject> of = {};  ///< by number; of targets that count them
};
FormatFuzzCounts& format_fuzz_counts();

/// Each target says how many of ten of its mutations are of the metadata, not of the tensors.
extern const int metadata_mutations_of_ten;

}  // namespace alphasparse
