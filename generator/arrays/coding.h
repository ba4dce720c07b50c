// coding: how an integer array is stored in fewer bytes, so that any entry is found by itself.
//
// A coding is an expression over the index and the arrays that it reads. A layout may read integers
// in any order, so no array is decoded from its beginning. The deltas of a thread's run are the
// exception: the thread adds them up (column_steps.h). A coding is one file under codings/ and one
// line in coding.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/arrays/expression.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/model.h"

namespace alphasparse {

/// Which coding a pass may use.
enum class CodingChoice {
  full,    ///< none: 32 bits an entry
  fewest,  ///< of packed, narrow and runs the one with the fewest bytes
  part,    ///< inside another coding: packed, or narrow, which is decoded faster
  packed,  ///< as many bits as the entries of a chunk need
  narrow,  ///< 8 or 16 bits beside a line, or a line for each chunk
  runs,    ///< a bit that says where a run of neighbours begins, and where each run lies
  bytes,   ///< 0, 8, 16 or 32 bits, as the entries need that are read at once; 0: a run
  deltas,  ///< columns only: from one entry of a thread to the next, these packed
};

/// One array that a coding stores.
struct CodedPart {
  std::string name;                     ///< NAME_base, ...
  ElementType type = ElementType::i32;  ///< i32: a structure array itself; u32: words
  std::vector<std::int32_t> entries;    ///< of words the bits
  std::string doc;
  bool is_packable = false;  ///< i32 only: may be coded again
};

struct CodedArray {
  std::string how;   ///< "packed by 128"
  Expression entry;  ///< over `parts`
  std::vector<CodedPart> parts;
  std::string header = {};  ///< not empty: the first two parts are read together, entry by entry;
                            ///< where none of them is computed, this array has both in turn
};

/// The array `name` in a coding, or nothing where that coding cannot hold it. The coded arrays need
/// not be smaller than 32 bits an entry: the caller compares coded_bytes.
std::optional<CodedArray> packed_coding(const std::string& name, const Integers& entries);
std::optional<CodedArray> narrow_coding(const std::string& name, const Integers& entries);
std::optional<CodedArray> run_coding(const std::string& name, const Integers& entries);
/// The narrow coding in the memory of the entries, which are empty then. Without a coding they
/// stay as they are.
std::optional<CodedArray> take_narrow_coding(const std::string& name, Integers& entries);
/// The bytes coding, in chunks of so many lanes, and no less than 8.
std::optional<CodedArray> byte_coding(const std::string& name, const Integers& entries, int lanes);

/// Puts one array in the place of the first two parts. It holds the entries of both in turn.
void join_header(CodedArray& coded);

/// Bytes of an array's parts; models stand for some, lines alone or those of all kinds.
std::int64_t coded_bytes(const CodedArray& coded, bool all_models);

/// The coding with the fewest bytes of those that the choice allows, if that is fewer than 32 bits
/// an entry. `lanes` entries are read at once.
std::optional<CodedArray> best_coding(const std::string& name, const Integers& entries,
                                      CodingChoice choice, bool all_models, int lanes = 32);

/// The same. The coding takes the memory of the entries, or frees it, and leaves them empty.
/// Without a coding they stay as they are. A copy of the columns would double the memory of a large
/// matrix.
std::optional<CodedArray> take_best_coding(const std::string& name, Integers& entries,
                                           CodingChoice choice, bool all_models, int lanes);

/// Steps of lines to try: 0, 1 and the mean step.
std::vector<std::int32_t> find_slopes(const Integers& entries);

}  // namespace alphasparse
