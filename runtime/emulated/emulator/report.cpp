#include "runtime/emulated/emulator/report.h"

#include <istream>
#include <ostream>
#include <sstream>

namespace alphasparse::emulator {

namespace {

struct Field {
  const char* name;
  std::int64_t LaunchCounts::*member;
};

constexpr Field fields[] = {
    {"blocks", &LaunchCounts::blocks},
    {"warps", &LaunchCounts::warps},
    {"resident_warps", &LaunchCounts::resident_warps},
    {"basic_blocks", &LaunchCounts::basic_blocks},
    {"basic_block_lanes", &LaunchCounts::basic_block_lanes},
    {"memory_instructions", &LaunchCounts::memory_instructions},
    {"collectives", &LaunchCounts::collectives},
    {"sectors", &LaunchCounts::sectors},
    {"lines", &LaunchCounts::lines},
    {"l2_sectors", &LaunchCounts::l2_sectors},
    {"l2_scattered", &LaunchCounts::l2_scattered},
    {"dram_sectors", &LaunchCounts::dram_sectors},
    {"touched_sectors", &LaunchCounts::touched_sectors},
    {"shared_passes", &LaunchCounts::shared_passes},
    {"shared_instructions", &LaunchCounts::shared_instructions},
    {"shared_reads", &LaunchCounts::shared_reads},
    {"atomic_lanes", &LaunchCounts::atomic_lanes},
    {"atomic_passes", &LaunchCounts::atomic_passes},
    {"atomic_hottest", &LaunchCounts::atomic_hottest},
    {"longest_warp", &LaunchCounts::longest_warp},
    {"longest_collectives", &LaunchCounts::longest_collectives},
    {"longest_shared_reads", &LaunchCounts::longest_shared_reads},
    {"longest_basic_blocks", &LaunchCounts::longest_basic_blocks},
    {"longest_begins", &LaunchCounts::longest_begins},
    {"longest_block", &LaunchCounts::longest_block},
};

constexpr std::int64_t ArrayCounts::*array_fields[] = {
    &ArrayCounts::sectors,       &ArrayCounts::instructions,  &ArrayCounts::l2_sectors,
    &ArrayCounts::dram_sectors,  &ArrayCounts::reads,         &ArrayCounts::missed,
    &ArrayCounts::longest_reads, &ArrayCounts::longest_missed};

bool read_launch(std::istringstream& tokens, LaunchCounts& counts) {
  for (const Field& field : fields) {
    std::string name;
    if (!std::getline(tokens >> std::ws, name, '=') || name != field.name) return false;
    if (!(tokens >> counts.*field.member)) return false;
  }
  return true;
}

}  // namespace

void write_counts(std::ostream& out, const LaunchCounts& counts) {
  out << "launch";
  for (const Field& field : fields) out << ' ' << field.name << '=' << counts.*field.member;
  out << '\n';
  for (const ArrayCounts& array : counts.arrays) {
    out << "array " << array.name;
    for (const auto field : array_fields) out << ' ' << array.*field;
    out << '\n';
  }
}

bool read_report(std::istream& in, std::vector<LaunchCounts>& launches) {
  for (std::string line; std::getline(in, line);) {
    std::istringstream tokens(line);
    std::string token;
    tokens >> token;
    if (token == "launch") {
      if (!read_launch(tokens, launches.emplace_back())) return false;
    } else if (token == "array" && !launches.empty()) {
      ArrayCounts& array = launches.back().arrays.emplace_back();
      tokens >> array.name;
      for (const auto field : array_fields) tokens >> array.*field;
      if (!tokens) return false;
    } else {
      return false;
    }
  }
  return !launches.empty();
}

}  // namespace alphasparse::emulator
