// page: one file of HTML that stands for itself - no network, no fonts, light and dark, for screens
// from 400 pixels on and for paper.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

struct PageSection {
  std::string id;     ///< of its anchor
  std::string title;  ///< plain
  std::string html;
};

struct Page {
  std::string title;  ///< plain
  std::string lead;   ///< HTML below the title: the page's summary
  std::vector<PageSection> sections;
};

/// A complete file.
std::string page_html(const Page& page);

}  // namespace alphasparse
