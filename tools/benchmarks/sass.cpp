#include "tools/benchmarks/sass.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace alphasparse {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The text up to `mark`, which is taken off `rest` with it.
std::string_view taken(std::string_view& rest, char mark) {
  const std::string_view part = rest.substr(0, rest.find(mark));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The general registers that an operand names: R4 of "-R4.reuse", R2 and R3 of
/// "desc[UR4][R2.64+0x8]"; none of "UR4", "RZ" or "c[0x0][0x210]".
std::vector<SassRegisters> registers_in(std::string_view operand) {
  std::vector<SassRegisters> found;
  for (std::size_t at = 0; at < operand.size(); ++at) {
    const bool inside_a_word = at > 0 && (is_letter(operand[at - 1]) || is_digit(operand[at - 1]));
    if (operand[at] != 'R' || inside_a_word) continue;
    SassRegisters registers;
    const char* const end = operand.data() + operand.size();
    const auto [behind, error] = std::from_chars(operand.data() + at + 1, end, registers.first);
    if (error != std::errc()) continue;
    const std::string_view suffix(behind, static_cast<std::size_t>(end - behind));
    if (suffix.starts_with(".64")) registers.count = 2;
    found.push_back(registers);
  }
  return found;
}

/// Registers of the value that a memory instruction moves.
int moved_registers(const SassInstruction& instruction) {
  if (instruction.has_suffix("128")) return 4;
  return instruction.has_suffix("64") ? 2 : 1;
}

bool is_double(const SassInstruction& instruction) {
  return instruction.is("DFMA") || instruction.is("DADD") || instruction.is("DMUL") ||
         instruction.is("DSETP");
}

bool stores(const SassInstruction& instruction) {
  return instruction.is("STG") || instruction.is("ST") || instruction.is("STS") ||
         instruction.is("STL") || instruction.is("RED");
}

bool is_load(const SassInstruction& instruction) {
  return instruction.loads_globally() || instruction.is("LDS") || instruction.is("LDL") ||
         instruction.is("LDC");
}

/// Registers that the first one named by an instruction stands for, where it is the result.
int result_registers(const SassInstruction& instruction) {
  if (is_load(instruction)) return moved_registers(instruction);
  const bool to_double = instruction.is("F2F") && instruction.has_suffix("F64") &&
                         instruction.opcode.find("F64") < instruction.opcode.find("F32");
  const bool wide = is_double(instruction) || to_double || instruction.has_suffix("WIDE") ||
                    (instruction.is("I2F") && instruction.has_suffix("F64"));
  return wide ? 2 : 1;
}

/// Whether the result is a predicate, or there is none, so that every register is read.
bool only_reads(const SassInstruction& instruction) {
  const std::string_view name(instruction.opcode.data(),
                              std::min(instruction.opcode.find('.'), instruction.opcode.size()));
  static const std::set<std::string_view> all = {"R2P", "R2UR", "BRX", "JMX", "BAR", "CCTL"};
  return stores(instruction) || name.ends_with("SETP") || all.contains(name);
}

void add_operands(SassInstruction& instruction, std::string_view operands) {
  bool result_is_known = only_reads(instruction);
  for (int index = 0; !operands.empty(); ++index) {
    const std::string_view operand = trimmed(taken(operands, ','));
    const bool is_memory = operand.find('[') != std::string_view::npos;
    const bool is_zero = operand.starts_with("RZ");
    for (SassRegisters registers : registers_in(operand)) {
      registers.operand = index;
      if (!result_is_known && !is_memory) {
        registers.count = result_registers(instruction);
        instruction.written.push_back(registers);
        result_is_known = true;
        continue;
      }
      const bool is_stored = stores(instruction) && !is_memory;
      if (is_double(instruction)) registers.count = 2;
      if (is_stored) registers.count = moved_registers(instruction);
      instruction.read.push_back(registers);
    }
    if (is_zero) result_is_known = true;
  }
  // The addend of a wide product has two registers, as its result.
  if (instruction.has_suffix("WIDE") && instruction.read.size() > 1)
    instruction.read.back().count = 2;
}

/// "`(.L_x_7)" of a line is .L_x_7; empty where it names no label.
std::string_view label_in(std::string_view line) {
  const std::size_t first = line.find("`(");
  if (first == std::string_view::npos) return {};
  line.remove_prefix(first + 2);
  return line.substr(0, line.find(')'));
}

/// "/*0010*/ @!P1 FADD R5, R5, R26 ;", or nothing where the line is none.
std::optional<SassInstruction> parse_instruction(std::string_view line) {
  if (!line.starts_with("/*")) return std::nullopt;
  SassInstruction instruction;
  const auto [behind, error] =
      std::from_chars(line.data() + 2, line.data() + line.size(), instruction.address, 16);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(behind - line.data()));
  if (!line.starts_with("*/")) return std::nullopt;
  line = trimmed(line.substr(2));
  line = trimmed(line.substr(0, line.find(';')));
  if (line.starts_with('@')) {
    taken(line, ' ');
    line = trimmed(line);
  }
  instruction.opcode = taken(line, ' ');
  if (instruction.opcode.empty()) return std::nullopt;
  add_operands(instruction, line);
  return instruction;
}

}  // namespace

bool SassInstruction::is(std::string_view name) const {
  return opcode.starts_with(name) && (opcode.size() == name.size() || opcode[name.size()] == '.');
}

bool SassInstruction::has_suffix(std::string_view name) const {
  std::string_view rest = opcode;
  taken(rest, '.');
  while (!rest.empty()) {
    if (taken(rest, '.') == name) return true;
  }
  return false;
}

std::vector<SassKernel> parse_sass(std::string_view text) {
  std::vector<SassKernel> kernels;
  std::map<std::string, int, std::less<>> places;  // of labels, by their kernel's address
  std::vector<std::pair<std::size_t, std::string>> branches;  // of the kernel at hand
  std::vector<std::string> labels;                            // that the next instruction has
  const auto end_kernel = [&] {
    for (const auto& [index, label] : branches) {
      const auto place = places.find(label);
      if (place != places.end()) kernels.back().instructions[index].target = place->second;
    }
    branches.clear();
    places.clear();
    labels.clear();
  };
  while (!text.empty()) {
    const std::string_view line = trimmed(taken(text, '\n'));
    if (line.starts_with(".text.") && line.ends_with(":")) {
      end_kernel();
      kernels.push_back({std::string(line.substr(6, line.size() - 7)), {}});
    } else if (kernels.empty()) {
      continue;
    } else if (line.ends_with(":")) {
      labels.emplace_back(line.substr(0, line.size() - 1));
    } else if (auto instruction = parse_instruction(line)) {
      for (std::string& label : labels) places[std::move(label)] = instruction->address;
      labels.clear();
      if (const std::string_view label = label_in(line); instruction->is("BRA") && !label.empty())
        branches.emplace_back(kernels.back().instructions.size(), label);
      kernels.back().instructions.push_back(std::move(*instruction));
    }
  }
  end_kernel();
  return kernels;
}

}  // namespace alphasparse
