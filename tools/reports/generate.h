// generate: a matrix of known statistics as a file, and the statistics that it has in fact.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

/// The command line that makes the same matrix: "alphasparse generate rmat --rows 10 ...".
std::string generate_command_line(const SyntheticOptions& options);

/// A statistic of the matrix made.
struct Obtained {
  std::string name;
  double requested = 0;
  double got = 0;
};

std::vector<Obtained> obtained_statistics(const SyntheticOptions& options, const Matrix& matrix);

struct GenerateReport {
  const SyntheticOptions& options;
  const Matrix& matrix;
  std::string file;
};

std::string generate_text(const GenerateReport& report);
std::string generate_json(const GenerateReport& report);

/// The archetypes with their defaults and limits, and the twins.
std::string synthetic_list_text();
std::string synthetic_list_json();

}  // namespace alphasparse
