// reader_seeds: small files of each kind that is read, for reader_fuzz.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace alphasparse {

/// A file in parts that may be damaged one by one before they are packed, so that checksums and
/// lengths around them are right.
struct ReaderSeed {
  std::vector<std::string> parts;
  std::function<std::string(const std::vector<std::string>& parts)> pack;
};

/// The seeds of a reader: market, boeing, matlab, npz, petsc, smtx or container.
std::vector<ReaderSeed> reader_seeds(const std::string& reader);

}  // namespace alphasparse
