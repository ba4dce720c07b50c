#include "generator/text/fragment_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/arrays/spelling.h"
#include "generator/text/fragment_pieces.h"
#include "generator/text/host_text.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

class Collector {
 public:
  Collector(const Operands& operands, Target target)
      : operands_(operands), spelling_(find_spelling(target)) {}

  void add(std::string_view name) {
    if (std::find(done_.begin(), done_.end(), name) != done_.end()) return;
    done_.emplace_back(name);
    std::string body;
    std::string_view rest = find_text(name);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      add_line(rest.substr(0, end), body);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    while (body.ends_with("\n\n")) body.pop_back();
    texts_.push_back(std::move(body));
  }

  std::vector<std::string> take() { return std::move(texts_); }

 private:
  /// Of the operands' own folder, where the fragment is there.
  std::string_view find_text(std::string_view name) const {
    const auto path = [&](const char* folder) {
      return fmt::format("{}{}{}{}", spelling_.fragment_folder, folder, name,
                         spelling_.fragment_ending);
    };
    const std::string own = path(operands_.fragment_folder());
    return template_text(has_template(own) ? own : path(""));
  }

  std::string with_operands(std::string_view line) const {
    return replaced(line, {{"ALPHASPARSE_VALUE", number_type(operands_.dtype).real_name()},
                           {"ALPHASPARSE_VECTORS", std::to_string(operands_.vectors)},
                           {"ALPHASPARSE_PASS_COLUMNS", std::to_string(operands_.pass_columns)}});
  }

  void add_line(std::string_view line, std::string& body) {
    static constexpr std::string_view include = "#include \"";
    if (line.starts_with(include)) {
      line.remove_prefix(include.size());
      const std::string folder = fmt::format("templates/{}", spelling_.fragment_folder);
      if (line.starts_with(folder)) line.remove_prefix(folder.size());
      add(line.substr(0, line.rfind(spelling_.fragment_ending)));
      return;
    }
    const bool stays =
        line.starts_with(spelling_.kept_directive) && line != spelling_.dropped_directive;
    if (line.starts_with("#") && !stays) return;
    // The comment that opens a file belongs to the function below it, where that has none of its
    // own.
    const bool opens = line.starts_with("template") || line.starts_with("__device__") ||
                       line.starts_with("INLINE");
    if (opens && body.ends_with("\n\n") && body.find("\n\n") == body.size() - 2) body.pop_back();
    if (line.empty() && (body.empty() || body.ends_with("\n\n"))) return;
    body += line.find("ALPHASPARSE_") == std::string_view::npos ? line : with_operands(line);
    body += '\n';
  }

  const Operands operands_;
  const Spelling& spelling_;
  std::vector<std::string> done_;
  std::vector<std::string> texts_;
};

}  // namespace

std::vector<std::string> fragment_texts(const std::vector<std::string_view>& names,
                                        const Operands& operands, Target target) {
  Collector collector(operands, target);
  for (const std::string_view name : names) collector.add(name);
  return collector.take();
}

std::string fragment_text(const std::vector<std::string_view>& names, const Operands& operands,
                          Target target) {
  std::string text;
  for (const std::string& one : fragment_texts(names, operands, target)) {
    if (!text.empty()) text += "\n";
    for (std::string_view rest = one; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (!line.starts_with(mark_opening)) text += line;
    }
  }
  return text;
}

}  // namespace alphasparse
