#include "tools/pages/markup.h"

#include <fmt/format.h>

#include <boost/locale/utf.hpp>
#include <cmath>

namespace alphasparse {

std::string escaped(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  std::string html;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = at;
    const auto code = Utf8::decode(at, text.end());
    if (!boost::locale::utf::is_valid_codepoint(code)) {
      html += "\xEF\xBF\xBD";
      at = begin + 1;
    } else if (code == '<') {
      html += "&lt;";
    } else if (code == '>') {
      html += "&gt;";
    } else if (code == '&') {
      html += "&amp;";
    } else if (code == '"') {
      html += "&quot;";
    } else if ((code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0)) {
      html += ' ';
    } else {
      html.append(begin, at);
    }
  }
  return html;
}

std::string grouped(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string time_text(double us) {
  return us < 9999.5 ? fmt::format("{:.4g} µs", us) : fmt::format("{:.4g} ms", us / 1000);
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = fmt::format("data:{};base64,", media_type);
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
  };
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const unsigned triple = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    const std::size_t known = std::min<std::size_t>(bytes.size() - at, 3);
    for (std::size_t digit = 0; digit < 4; ++digit)
      uri += digit <= known ? digits[triple >> (18 - 6 * digit) & 63] : '=';
  }
  return uri;
}

std::string table_html(const std::vector<Column>& columns,
                       const std::vector<std::vector<Cell>>& rows, bool sortable) {
  std::string html = fmt::format("<div class=\"wide\" tabindex=\"0\"><table{}>\n<thead><tr>",
                                 sortable ? " class=\"sortable\"" : "");
  for (const Column& column : columns) {
    html += fmt::format("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"number\"" : "",
                        escaped(column.title));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += "<td";
      if (columns[i].is_number) html += " class=\"number\"";
      if (row[i].value) html += fmt::format(" data-value=\"{:.9g}\"", *row[i].value);
      html += fmt::format(">{}</td>", row[i].html);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string filter_html(std::string_view label, std::string_view hint) {
  return fmt::format(
      "<p class=\"filter\" hidden><label>{} <input type=\"search\" placeholder=\"{}\"></label> "
      "<span class=\"quiet\" role=\"status\"></span></p>\n",
      escaped(label), escaped(hint));
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<dl>\n";
  for (const auto& [term, fact] : facts)
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(term), escaped(fact));
  return html + "</dl>\n";
}

std::string paragraph_html(std::string_view text) {
  return fmt::format("<p>{}</p>\n", escaped(text));
}

}  // namespace alphasparse
