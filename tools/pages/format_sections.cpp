// format_sections: the design, the bytes of its format, its kernel, and how to use it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/c_names.h"
#include "generator/text/kernel_order.h"
#include "generator/text/standalone.h"
#include "operators/designer.h"
#include "runtime/system/machine/memory.h"
#include "tools/pages/chart.h"
#include "tools/pages/design_graph.h"
#include "tools/pages/highlight.h"
#include "tools/pages/markup.h"
#include "tools/pages/sections.h"
#include "tools/reports/show.h"

namespace alphasparse {

namespace {

constexpr std::size_t source_bytes_max = 300'000;

std::string code_html(const std::string& text) {
  return fmt::format("<pre><code>{}</code></pre>\n", escaped(text));
}

/// CSR's three arrays of this matrix.
std::vector<Bar> csr_bars(const Kernel& kernel) {
  const std::int64_t offsets = 4 * (std::int64_t{kernel.rows} + 1);
  std::vector<Bar> bars;
  for (const auto& [name, bytes] :
       {std::pair{"row offsets", offsets}, std::pair{"columns", 4 * kernel.nnz},
        std::pair{"values", kernel.value_type().bytes * kernel.nnz}}) {
    bars.push_back({std::string("CSR: ") + name,
                    byte_count_text(bytes),
                    static_cast<double>(bytes),
                    6,
                    false,
                    {},
                    {}});
  }
  return bars;
}

std::vector<Cell> make_row(const Array& array) {
  const auto bytes = static_cast<std::int64_t>(array.bytes.size());
  return {{fmt::format("<code>{}</code>", escaped(array.name))},
          {element_name(array.type)},
          {grouped(array.count), static_cast<double>(array.count)},
          {byte_count_text(bytes), static_cast<double>(bytes)},
          {escaped(array.doc)}};
}

std::vector<Cell> make_row(const Kernel& kernel, const ComputedArray& array) {
  return {{fmt::format("<code>{}</code>", escaped(array.name))},
          {escaped(array.how)},
          {grouped(array.count), static_cast<double>(array.count)},
          {fmt::format("computed, saves {}",
                       byte_count_text(std::max<std::int64_t>(
                           0, full_bytes(kernel, array) - stored_bytes(kernel, array)))),
           0},
          {escaped(array.doc)}};
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename(); }

std::string code_box_html(const std::string& code) {
  return fmt::format("<pre class=\"source\"><code>{}</code></pre>\n", highlighted(code));
}

/// Where the first kernel begins in the source, with the comment and other lines that stand
/// directly before it; 0 where it is not found.
std::size_t kernel_begin(const Kernel& kernel) {
  if (kernel.launches.empty()) return 0;
  const std::size_t name = kernel.source.find(" " + kernel.launches.front().kernel + "(");
  if (name == std::string::npos) return 0;
  const std::size_t blank_line = kernel.source.rfind("\n\n", name);
  return blank_line == std::string::npos ? 0 : blank_line + 2;
}

}  // namespace

PageSection design_section(const TunePage& page) {
  const Kernel& kernel = page.kernel;
  Designer designer(page.report.input.matrix, kernel.target);
  return {
      "design", "The design",
      fmt::format("<pre class=\"line-of-text\"><code>{}</code></pre>\n", escaped(kernel.design)) +
          "<p class=\"quiet\">Steps from top to bottom. Blue ones convert the matrix, amber "
          "ones map it to threads, green ones say how it is summed.</p>\n" +
          design_graph_html(designer, *parse_design(kernel.design))};
}

PageSection bytes_section(const TunePage& page) {
  const Kernel& kernel = page.kernel;
  std::vector<Bar> bars;
  std::vector<std::vector<Cell>> rows;
  for (const Array& array : kernel.arrays) {
    const auto bytes = static_cast<std::int64_t>(array.bytes.size());
    bars.push_back(
        {array.name, byte_count_text(bytes), static_cast<double>(bytes), 0, false, {}, array.doc});
    rows.push_back(make_row(array));
  }
  for (const ComputedArray& array : kernel.computed) rows.push_back(make_row(kernel, array));
  const std::vector<Bar> csr = csr_bars(kernel);
  bars.insert(bars.end(), csr.begin(), csr.end());
  const double ratio = static_cast<double>(kernel.format_bytes()) /
                       static_cast<double>(page.report.result.csr_bytes);
  return {"bytes", "The format, array by array",
          paragraph_html(fmt::format("Kernels read {}, {:.2f} times the bytes of CSR ({}).",
                                     byte_count_text(kernel.format_bytes()), ratio,
                                     byte_count_text(page.report.result.csr_bytes))) +
              bars_html(bars) +
              table_html({{"array"}, {"type"}, {"entries", true}, {"bytes", true}, {"an entry is"}},
                         rows)};
}

PageSection source_section(const TunePage& page) {
  const std::string& source = page.kernel.source;
  const std::size_t begin = kernel_begin(page.kernel), end = end_of_kernels(source);
  const auto folded = [&](std::size_t first, std::size_t last, const char* summary) {
    const auto lines = std::count(source.begin() + first, source.begin() + last, '\n');
    return fmt::format(
        "<details><summary>The {} lines {}</summary>\n{}</details>\n", lines, summary,
        code_box_html(source.substr(first, std::min(last - first, source_bytes_max))));
  };
  const std::string shown = source.substr(begin, std::min(end - begin, source_bytes_max));
  std::string html = code_box_html(shown);
  if (begin > 0) html += folded(0, begin, "before it: types and declarations");
  if (end < source.size()) html += folded(end, source.size(), "behind it: the functions it calls");
  if (shown.size() < end - begin) {
    html += paragraph_html(fmt::format("The first {} of {}; {} has the rest.",
                                       byte_count_text(static_cast<std::int64_t>(shown.size())),
                                       byte_count_text(static_cast<std::int64_t>(end - begin)),
                                       file_name(page.report.files.source)));
  }
  return {"kernel", "The kernel", html};
}

PageSection use_section(const TunePage& page) {
  const TuneReport& report = page.report;
  const bool is_cpu = page.kernel.target == Target::cpu;
  const std::string source = file_name(report.files.source);
  const std::string format = file_name(report.files.format);
  const std::string program = std::filesystem::path(source).stem();
  const std::string prefix = report.files.prefix;
  std::string html = paragraph_html(
      "The files lie in " + std::filesystem::path(report.files.source).parent_path().string() +
      ". Alone, the kernel checks and times itself:");
  const std::string build = build_command(find_spelling(page.kernel.target, page.kernel.dialect),
                                          report.result.device.arch, source, program);
  html += code_html(build + "\n" + program_command(program));
  html += paragraph_html("In a program of your own, in C or C++:");
  html += code_html(fmt::format(
      "#include \"{}\"\n\nalphasparse_handle* handle;\n{}_load(\"{}\", &handle);\n"
      "{}_spmv(handle, x, y, 1, 0{});  // y = A x",
      file_name(report.files.header), prefix, format, prefix, is_cpu ? "" : ", stream"));
  html += paragraph_html("With CMake:");
  html += code_html(
      fmt::format("find_package(alphasparse REQUIRED)\nalphasparse_add_kernel(app {})", source));
  html += paragraph_html("In Python:");
  html +=
      code_html(fmt::format("import alphasparse\nk = alphasparse.load(\"{}\")\ny = k @ x", format));
  return {"use", "Build and use it", html};
}

}  // namespace alphasparse
