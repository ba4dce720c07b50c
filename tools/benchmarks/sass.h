// sass: the machine code of kernels as nvdisasm prints it - instructions, and which registers they
// read and write.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// Registers first, first + 1, ... that an operand names.
struct SassRegisters {
  int first = 0;
  int count = 1;
  int operand = 0;  ///< which one, from 0

  bool operator==(const SassRegisters&) const = default;
};

struct SassInstruction {
  int address = 0;
  std::string opcode;                  ///< with its suffixes: "LDG.E.64.CONSTANT"
  std::vector<SassRegisters> written;  ///< none or one
  std::vector<SassRegisters> read;     ///< the general ones, in the order of the operands
  int target = -1;                     ///< of a branch to a label: its address

  /// Whether the opcode is `name`, with or without suffixes.
  bool is(std::string_view name) const;
  bool has_suffix(std::string_view name) const;
  bool loads_globally() const { return is("LDG") || is("LD"); }
};

struct SassKernel {
  std::string name;
  std::vector<SassInstruction> instructions;
};

/// The kernels of what nvdisasm prints of a cubin, in its order.
std::vector<SassKernel> parse_sass(std::string_view text);

}  // namespace alphasparse
