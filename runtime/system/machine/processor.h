// processor: the facts that /proc/cpuinfo gives on the processor.
#pragma once
#include <filesystem>
#include <string>

namespace alphasparse {

/// The value of the first line that begins with the field; empty where there is none.
std::string cpuinfo_field(const std::string& field);

/// All that -march=native hangs on: models, families, parts, and their flags (Features on aarch64),
/// each line once. Virtual machines hide flags of a processor but keep its name.
std::string processor_text(const std::filesystem::path& cpuinfo = "/proc/cpuinfo");

}  // namespace alphasparse
