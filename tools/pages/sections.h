// sections: the parts of the pages that need more than a table.
#pragma once
#include <string>

#include "tools/pages/page.h"
#include "tools/pages/report_pages.h"

namespace alphasparse {

/// "modelled" or "measured", as a mark.
std::string kind_tag(TimeKind kind);

/// A picture of a pattern, PNG.
std::string pattern_html(const std::string& png, const std::string& name);

PageSection matrix_section(const InputMatrix& input, Dtype dtype);
PageSection design_section(const TunePage& page);
PageSection bytes_section(const TunePage& page);
PageSection search_section(const TunePage& page);
PageSection roofline_section(const TunePage& page);
PageSection ablation_section(const TunePage& page);
PageSection source_section(const TunePage& page);
PageSection use_section(const TunePage& page);

}  // namespace alphasparse
