#include "tools/benchmarks/sass_loads.h"

#include <algorithm>
#include <set>

namespace alphasparse {
namespace {

/// A backward branch and what is between it and its label.
std::vector<SassRange> loops_of(const SassKernel& kernel) {
  std::vector<SassRange> loops;
  for (std::size_t at = 0; at < kernel.instructions.size(); ++at) {
    const SassInstruction& branch = kernel.instructions[at];
    if (branch.target < 0) continue;
    const auto first =
        std::find_if(kernel.instructions.begin(), kernel.instructions.end(),
                     [&](const SassInstruction& one) { return one.address >= branch.target; });
    const auto index = static_cast<std::size_t>(first - kernel.instructions.begin());
    if (index <= at) loops.push_back({index, at + 1, true});
  }
  return loops;
}

/// What is known of registers while a range is walked through.
class LoadWalk {
 public:
  void step(const SassInstruction& instruction, SassLoads& counted) {
    if (waits(instruction)) {
      counted.in_flight.push_back(issued_);
      issued_ = 0;
      outstanding_.clear();
    }
    if (is_product(instruction)) {
      if (counted.nonzeros++ == 0) counted.ahead_of_the_product = counted.loads;
    }
    ++counted.instructions;
    counted.local_accesses += instruction.is("LDL") || instruction.is("STL");
    if (instruction.loads_globally()) {
      ++counted.loads;
      ++issued_;
      counted.constant_loads += instruction.has_suffix("CONSTANT");
    }
    write(instruction);
  }

 private:
  using Set = std::set<int>;

  static bool any_of(const Set& set, const SassRegisters& registers) {
    const auto found = set.lower_bound(registers.first);
    return found != set.end() && *found < registers.first + registers.count;
  }

  /// How many of operands 1 and 2, which follow the result, are loaded values.
  int loaded_factors(const SassInstruction& instruction) const {
    return static_cast<int>(std::count_if(
        instruction.read.begin(), instruction.read.end(), [&](const SassRegisters& registers) {
          return registers.operand <= 2 && any_of(loaded_, registers);
        }));
  }

  /// For what is on its way; who writes where a load will write waits too.
  bool waits(const SassInstruction& instruction) const {
    const auto is_outstanding = [&](const SassRegisters& registers) {
      return any_of(outstanding_, registers);
    };
    return std::any_of(instruction.read.begin(), instruction.read.end(), is_outstanding) ||
           std::any_of(instruction.written.begin(), instruction.written.end(), is_outstanding);
  }

  bool is_product(const SassInstruction& instruction) const {
    if (instruction.is("FFMA") || instruction.is("DFMA")) return loaded_factors(instruction) > 0;
    const bool is_product = instruction.is("FMUL") || instruction.is("DMUL");
    return is_product && loaded_factors(instruction) == 2;
  }

  /// A result that is a loaded value still.
  bool keeps_value(const SassInstruction& instruction) const {
    const bool moves = instruction.is("MOV") || instruction.is("IMAD.MOV") ||
                       instruction.is("F2F") || instruction.is("SEL") || instruction.is("FSEL");
    const auto is_loaded = [&](const SassRegisters& registers) {
      return any_of(loaded_, registers);
    };
    return moves && std::any_of(instruction.read.begin(), instruction.read.end(), is_loaded);
  }

  void write(const SassInstruction& instruction) {
    const bool holds_loaded =
        instruction.loads_globally() || instruction.is("LDS") || keeps_value(instruction);
    for (const SassRegisters& registers : instruction.written) {
      for (int number = registers.first; number < registers.first + registers.count; ++number) {
        loaded_.erase(number);
        if (holds_loaded) loaded_.insert(number);
        if (instruction.loads_globally()) outstanding_.insert(number);
      }
    }
  }

  int issued_ = 0;   ///< loads since the last wait
  Set outstanding_;  ///< registers that these will write
  Set loaded_;       ///< registers that hold a loaded value
};

int loads_in(const SassKernel& kernel, const SassRange& range) {
  const auto begin = kernel.instructions.begin();
  return static_cast<int>(std::count_if(
      begin + static_cast<std::ptrdiff_t>(range.first),
      begin + static_cast<std::ptrdiff_t>(range.end),
      [](const SassInstruction& instruction) { return instruction.loads_globally(); }));
}

}  // namespace

SassRange main_loop(const SassKernel& kernel) {
  std::vector<SassRange> loading;
  for (const SassRange& loop : loops_of(kernel)) {
    if (loads_in(kernel, loop) > 0) loading.push_back(loop);
  }
  const auto has_another_inside = [&](const SassRange& outer) {
    return std::any_of(loading.begin(), loading.end(), [&](const SassRange& inner) {
      return inner != outer && outer.first <= inner.first && inner.end <= outer.end;
    });
  };
  SassRange most{0, kernel.instructions.size(), false};
  int loads = 0;
  for (const SassRange& loop : loading) {
    if (has_another_inside(loop) || loads_in(kernel, loop) <= loads) continue;
    most = loop;
    loads = loads_in(kernel, loop);
  }
  return most;
}

SassLoads loads_of(const SassKernel& kernel, const SassRange& range) {
  LoadWalk walk;
  SassLoads counted;
  for (int round = range.repeats ? 2 : 1; round > 0; --round) {
    counted = {};
    for (std::size_t at = range.first; at < range.end; ++at)
      walk.step(kernel.instructions[at], counted);
  }
  return counted;
}

}  // namespace alphasparse
