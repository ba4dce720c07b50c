// kernel: the generator's result, which the runtime takes - CUDA source, its arrays and its
// launches.
//
// One list of arrays serves all. Its order is the order of the pointers in the source's `Format`,
// of the tensors in the format file, and of the copies to a device.
//
// Every kernel of a source for GPUs has the same parameters:
//
//   extern "C" __global__ void NAME(POINTERS, const Value* x, Value* y, Value alpha, Value beta)
//   extern "C" __global__ void NAME(POINTERS, const Real* x, long long ldx, Real* y, long long ldy,
//                                   Real alpha, Real beta)  for several vectors
//
//   POINTERS  those of Format, each by itself: one an array, in the order of Kernel::arrays, and
//             between them one a workspace; branches nest structs, which changes nothing
//   x, y      [cols] and [rows], which do not overlap
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/target.h"
#include "generator/arrays/canonical_values.h"
#include "generator/arrays/expression.h"
#include "generator/arrays/fragment.h"
#include "generator/arrays/matrix.h"
#include "generator/arrays/vectors_order.h"

namespace alphasparse {

/// One array of a format.
struct Array {
  std::string name;  ///< as in the kernel, without its trailing underscore; unique in the format
  ElementType type = ElementType::i32;
  std::int64_t count = 0;
  std::vector<std::byte> bytes;  ///< [count * element_bytes(type)], little-endian; empty where they
                                 ///< are still to be made
  std::string doc;               ///< one line: the meaning of an entry; bit layout of packed words

  /// Value arrays only: canonical index of each entry's value, or -1 for a pad (value 0). Empty
  /// otherwise.
  std::vector<std::int32_t> value_source;

  /// Value arrays only: the canonical values from which `bytes` are still to be made
  /// (stored_values.h). They must live until then. None: nothing is left to make.
  CanonicalValues made_from;

  /// Dictionaries only: [nnz] the entry that holds each canonical value, -1 where another array
  /// does; value_source then names the first of them. Empty otherwise.
  std::vector<std::int32_t> value_code;

  /// Value arrays only: floats that stand for values of 64 bits, exact or not, and the largest
  /// relative error of one of them.
  bool rounded = false;
  double value_error = 0;

  /// The bytes of its elements, whether they are there or not.
  std::int64_t stored_bytes() const { return count * element_bytes(type); }

  bool is_dictionary() const { return !value_code.empty(); }
  /// The type of its values in a kernel of `dtype`: a complex one may store real values.
  const NumberType& find_number(Dtype dtype) const {
    return number_type(is_complex(type) ? dtype : number_type(dtype).real);
  }
  /// Whether it holds floats in a kernel of `dtype` that computes with more than that.
  bool is_single(Dtype dtype) const {
    return type == find_number(dtype).narrow && type != find_number(dtype).element;
  }
  bool is_value() const { return is_float(type); }
};

/// Takes a part of an array's bytes.
using TakeBytes = std::function<void(std::span<const std::byte> part)>;

/// Calls take(part) with the bytes of an array in their order. Bytes that are still to be made are
/// made a part at a time (stored_values.cpp). All of them would take as much memory as the columns
/// of the matrix, or more.
void for_bytes(const Array& array, const TakeBytes& take);

/// The text `how` of a computed array with the entries of another array.
inline constexpr const char* same_entries = "the same entries";

/// An array that kernels compute, from its index or from other arrays, instead of loading it. No
/// tensor holds it; the format file names it, so that it can be decoded by other languages.
struct ComputedArray {
  std::string name;
  Expression entry;
  std::string how;         ///< the kind of model or coding: "linear", "packed by 128"
  std::int64_t count = 0;  ///< entries
  std::string doc;         ///< as of an Array
};

/// Columns that threads add up from steps. The threads of parent p, from first_thread(p) up to
/// first_thread(p + 1), take turns at the positions from first_position(p) up to that of p + 1.
struct StepWalk {
  std::string name;  ///< of the columns: no array has them
  Expression first;  ///< over a thread: the column that its steps begin with
  Expression step;   ///< over a position
  Expression first_thread;
  Expression first_position;
  std::int64_t parents = 0;
  std::int64_t stride = 1;  ///< between two positions of a thread
  std::int64_t pad = 0;     ///< the column of positions that no thread comes to
};

/// Scratch memory that one launch writes and a later one of the same SpMV reads. The loader of a
/// format allocates it once, without contents; no file holds it.
struct Workspace {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;
  std::string doc;           ///< one line: the meaning of an entry
  std::int64_t pointer = 0;  ///< its index among the pointers of Format; the arrays have the others

  std::int64_t bytes() const { return count * element_bytes(type); }
};

/// A pad that is added up: row `row` adds 0 * x[column], and has that column.
struct PadRead {
  std::int32_t row = 0;
  std::int32_t column = 0;

  bool operator==(const PadRead&) const = default;
};

/// The values of y where x has an Inf or NaN, the least strict last.
enum class NonFinite {
  exact,   ///< those of IEEE arithmetic
  pads,    ///< NaN in the place of an Inf in rows with pads that meet an Inf of x; else exact
  spread,  ///< NaN or Inf in rows, too, that do not have the column
};

const char* nonfinite_name(NonFinite values);  ///< "exact", "pads", "spread"

/// Its meaning for the caller, as a line.
const char* nonfinite_doc(NonFinite values);

/// The arrays of a format that tell the own order of the vectors, which kernels do not read. Where
/// both are the same there is the first alone.
inline constexpr const char *own_rows_array = "own_row", *own_columns_array = "own_column";

/// One kernel launch: a one-dimensional grid. Launches run in order, each after the one before has
/// ended. On a CPU: a part.
struct Launch {
  std::string kernel;       ///< its name in the source
  std::int64_t blocks = 0;  ///< >= 1; on a CPU: units that tasks share out
  int threads = 0;          ///< of a block, a multiple of 32, at most 1024; on a CPU 0
  int first_column = 0;     ///< of X and Y: the launches of a pass over A follow each other
  InFlight in_flight = {};  ///< as its fragments say
  /// Values wait for their columns, at which a branch looks first. No kernel of ours does.
  bool values_wait = false;
};

/// The target of one pointer of Format; the other is null.
struct FormatPointer {
  const Array* array = nullptr;
  const Workspace* workspace = nullptr;

  /// Its member of Format: "branch_1.column_".
  std::string member() const { return (array ? array->name : workspace->name) + "_"; }
};

/// How the declaration of a kernel for GPUs begins.
inline constexpr std::string_view kernel_linkage = "extern \"C\"";

/// A complete SpMV, y = alpha * A * x + beta * y, for one matrix.
struct Kernel {
  std::string design;  ///< canonical design text
  Dtype dtype = default_dtype;
  int vectors = 1;       ///< columns of X and Y; 1: vectors x and y
  int pass_columns = 1;  ///< of them that one pass over A takes (operands.h)
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int64_t nnz = 0;
  Target target = Target::gpu;
  Dialect dialect = Dialect::cuda;  ///< of a source for GPUs
  std::string source;  ///< CUDA C++, no #include; the device part of the standalone file. For a CPU
                       ///< C++17 that ends with a table of its parts (templates/lanes/part.h)
  /// Where a kernel stands in `source`: its comment and, behind that, its declaration, which begins
  /// with `kernel_linkage`.
  struct Start {
    std::size_t comment = 0, declaration = 0;
  };
  std::vector<Start> starts;  ///< of each kernel for GPUs, in order
  std::string vendor;  ///< not empty: no source, but this call of the vendor's library on the
                       ///< arrays (baseline_kernels.h)
  std::vector<Array> arrays;          ///< in the order of Format's pointers
  std::vector<Workspace> workspaces;  ///< by ascending pointer
  std::vector<ComputedArray> computed;
  std::vector<StepWalk> steps;   ///< one for each branch with steps for columns
  std::vector<Launch> launches;  ///< at least one
  bool adds_in_any_order =
      false;  ///< some row is summed by atomics: results may differ in the last bits

  Mirror mirror = Mirror::none;  ///< unless none, a stored entry off the diagonal stands for its
                                 ///< mirror image too

  std::shared_ptr<const VectorsOrder> own_order;  ///< of its x and y; null: the caller's

  double value_error = 0;  ///< largest relative error of a stored value; 0: none was rounded

  bool spreads_rounding =
      false;  ///< sums cross rows and are subtracted again: errors, Inf and NaN spread

  bool reads_fill = false;  ///< zeros that fill up blocks meet an x that their rows do not read,
                            ///< where Inf and NaN then spread

  bool adds_pads = false;  ///< some pad is added up, and its column meets its x

  /// Lists those pads, of each thread that adds some one, by rows and columns of the matrix, which
  /// must still be there. Empty where none is added up, or where the list will not be needed any
  /// more.
  std::function<std::vector<PadRead>()> list_pads;

  /// Its values of y where x has an Inf or NaN.
  NonFinite nonfinite() const;

  /// Real numbers in a stored value: 2 of a complex one.
  int value_parts() const;

  /// The type of a stored value, unless it is narrower.
  const NumberType& value_type() const {
    return number_type(value_parts() == 2 ? dtype : number_type(dtype).real);
  }

  /// Whether the threads of a CPU's team have rows of y for themselves, as mirror images ask for.
  bool has_copied_rows() const { return mirror != Mirror::none && target == Target::cpu; }

  /// Bytes of every array that the kernels load, counted once, without workspaces.
  std::int64_t format_bytes() const;

  /// The pointers of Format, in order; they point into this object.
  std::vector<FormatPointer> pointers() const;
};

/// Makes the bytes of an array, or of all arrays of a kernel, where they are still to be made.
void make_bytes(Array& array);
void make_bytes(Kernel& kernel);

}  // namespace alphasparse
