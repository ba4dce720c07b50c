// tune_options: the options of `alphasparse tune`.
#pragma once
#include "tools/commands/options.h"

namespace CLI {
class App;
}

namespace alphasparse {

void add_tune(CLI::App& app, TuneCommand& tune);

}  // namespace alphasparse
