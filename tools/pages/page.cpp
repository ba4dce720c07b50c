#include "tools/pages/page.h"

#include <fmt/format.h>

#include "tools/pages/markup.h"
#include "tools/pages/page_style.h"

namespace alphasparse {

std::string page_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"alphasparse {}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{}</h1>\n<div class=\"lead\">{}</div>\n<nav>",
      ALPHASPARSE_VERSION, escaped(page.title), page_css, escaped(page.title), page.lead);
  for (const PageSection& section : page.sections)
    html += fmt::format("<a href=\"#{}\">{}</a>", section.id, escaped(section.title));
  html += "</nav>\n";
  for (const PageSection& section : page.sections) {
    html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id,
                        escaped(section.title), section.html);
  }
  return html + fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", page_script);
}

}  // namespace alphasparse
