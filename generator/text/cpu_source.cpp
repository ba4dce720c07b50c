#include "generator/text/cpu_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wrapped.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

/// A part of an SpMV, of which every task of a CPU runs its share.
std::string part_text(const std::string& name, const std::string& description, std::int64_t parts,
                      const Code& body, const std::string& format = "f",
                      const std::string& x = "x") {
  return fmt::format(
      "/// {}\n"
      "/// Units [first_unit, end_unit) of {}: a task's share.\n{}{}}}\n",
      description, parts,
      wrapped(0, fmt::format("static void {}(const Format&{}, const Input{}, const "
                             "Output{}, int first_unit, int end_unit) {{",
                             name, body.reads(format) ? " " + format : "", x.empty() ? "" : " " + x,
                             body.reads("out") ? " out" : "")),
      body.text());
}

/// The first line of a part where x is gathered, in the place of the caller's x.
Code gathered_let(const std::string& format) {
  return code("  const Input x{{{}.gathered_x()}};\n", Code::named(format));
}

/// Nearly all of x is read along diagonals. Gathered entries are slower in wide registers.
bool reads_in_order(const std::vector<Store>& stores) {
  constexpr std::int64_t gathered_share = 16;  // one of so many entries at most
  std::int64_t all = 0, gathered = 0;
  for (const Store& store : stores) {
    all += store.nnz();
    if (!layout_kind(store).reads(store).x_in_order) gathered += store.nnz();
  }
  return gathered * gathered_share <= all && gathered < all;
}

}  // namespace

CpuSource::CpuSource(const std::vector<Store>& branches)
    : mirrored_(branches.front().mirrored()),
      rows_(branches.front().callers_rows()),
      in_order_(reads_in_order(branches)),
      of_one_task_(std::all_of(branches.begin(), branches.end(),
                               [](const Store& branch) { return branch.launch.one_task; })) {}

std::vector<std::string_view> CpuSource::first_fragments() const {
  if (in_order_) return {"wide"};
  return {};
}

std::vector<std::string_view> CpuSource::last_fragments() const {
  if (!mirrored_) return {"part"};
  return {"part", "copied_rows"};
}

void CpuSource::append(const std::string& name, std::int64_t parts, const std::string& text) {
  if (!parts_.empty()) parts_ += "\n";
  parts_ += text;
  launches_.push_back({name, parts, 0});
}

void CpuSource::add_by_index(const IndexLaunch& launch) {
  Code body = "  for (int index = first_unit; index < end_unit; ++index) {\n";
  body += Code::plain(wrapped(2, launch.statement.text())).read_too(launch.statement) + "  }\n";
  const char* const x = launch.statement.reads("x") ? "x" : "";
  append(launch.name, launch.count,
         part_text(launch.name, launch.description, launch.count, body, "f", x));
}

void CpuSource::add_group(const Group& group) {
  const Branch& branch = *group.front();
  const bool whole = branch.number == 0;
  const std::string name = whole ? "spmv" : fmt::format("spmv_{}", branch.number);
  const Code let =
      whole ? "" : code("  const {}& f = $format.{};\n", branch.struct_name(), branch.name());
  const char* const format = whole ? "f" : "format";
  const Code gathered = gathers_ ? gathered_let(format) : "";
  std::string text = part_text(name, branch.share_description(), branch.body.blocks,
                               let + gathered + branch.body.text, format, gathers_ ? "" : "x");
  const auto add_function = [&](const char* description, const char* type,
                                const std::string& suffix, const Code& expression) {
    if (expression.empty()) return std::string("nullptr");
    const std::string& part = branch.body.tasks.part;
    const bool reads = expression.reads("f");
    const std::string head = fmt::format("static {} {}{}(const Format&{}, int{}) {{", type, name,
                                         suffix, reads ? std::string(" ") + format : "",
                                         expression.reads(part) ? " " + part : "");
    const std::string result = "return " + expression.text() + ";";
    const std::string line = head + " " + result + " }";
    text += fmt::format("\n/// {}\n", description);
    if ((!reads || let.empty()) && line.size() <= columns_max) {
      text += line + "\n";
    } else {
      text += wrapped(0, head) + (reads ? let.text() : "") + wrapped(1, result) + "}\n";
    }
    return name + suffix;
  };
  const std::string weight =
      add_function("The work before a unit, in entries: tasks have equal shares.", "std::int64_t",
                   "_weight", branch.body.tasks.weight);
  const std::string first_row = add_function("The row of y that a unit begins with.", "int",
                                             "_first_row", branch.body.tasks.first_row);
  const std::string end_row =
      add_function("The row behind those that a unit, or one before it, adds to.", "int",
                   "_end_row", branch.body.tasks.end_row);
  append(name, branch.body.blocks, text);
  if (mirrored_) end_rows_[name] = end_row;
  functions_[name] = weight + ", " + first_row + (branch.store().launch.one_task ? ", true" : "");
}

std::string CpuSource::table() const {
  const char* const like_others = of_one_task_ ? "nullptr, nullptr, true" : "nullptr, nullptr";
  std::string text =
      "\n/// The parts of the SpMV, one behind the other.\nstatic const Part parts[] = {\n";
  for (const Launch& launch : launches_) {
    const auto functions = functions_.find(launch.kernel);
    text += fmt::format("    {{{}, {}, {}}},\n", launch.kernel, launch.blocks,
                        functions == functions_.end() ? like_others : functions->second);
  }
  text += "};\n";
  if (!mirrored_) return text;
  text += fmt::format(
      "\n/// The row behind those that a unit of each part adds to.\nconstexpr int row_count = "
      "{};\n"
      "static const CopiedRows::EndRow end_rows[] = {{",
      rows_);
  for (const Launch& launch : launches_) {
    const auto end_row = end_rows_.find(launch.kernel);
    if (&launch != &launches_.front()) text += ", ";
    text += end_row == end_rows_.end() ? "nullptr" : end_row->second;
  }
  return text + "};\n";
}

}  // namespace alphasparse
