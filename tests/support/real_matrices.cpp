#include "tests/support/real_matrices.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/result.h"

namespace alphasparse {

namespace {

std::string folder() {
  const char* named = std::getenv("ALPHASPARSE_MATRICES");
  if (named != nullptr) return named;
  return ALPHASPARSE_SOURCE_DIR "/../shared/matrices";
}

std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
  return cells;
}

}  // namespace

std::vector<RealMatrix> real_matrices() {
  if (!std::filesystem::is_directory(folder())) {
    std::fprintf(stderr, "skipped: no folder of real matrices (%s)\n", folder().c_str());
    return {};
  }
  const std::string index = folder() + "/INDEX.tsv";
  std::ifstream file(index);
  std::string line;
  if (!std::getline(file, line)) throw Error(index + ": cannot be read or is empty");
  const std::vector<std::string> columns = tab_separated(line);
  std::vector<RealMatrix> matrices;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = tab_separated(line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < columns.size() && i < cells.size(); ++i) row[columns[i]] = cells[i];
    const std::string path = folder() + "/" + row.at("file");
    matrices.push_back({row.at("name"), path, std::stoll(row.at("rows")),
                        std::stoll(row.at("cols")), std::stoll(row.at("expanded_nnz")),
                        std::stoll(row.at("gz_bytes")), row.at("field") == "complex"});
  }
  return matrices;
}

}  // namespace alphasparse
