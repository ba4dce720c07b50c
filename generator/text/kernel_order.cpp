#include "generator/text/kernel_order.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "generator/text/fragment_pieces.h"

namespace alphasparse {

namespace {

constexpr std::string_view behind_mark = "// The other definitions follow.\n";

/// So few lines of definitions stand in front themselves.
constexpr std::int64_t few_lines = 60;

using Names = std::set<std::string>;

enum class Section { nowhere, behind, declared, front };

struct Placed {
  Piece piece;
  Section section = Section::nowhere;
};

bool is_forward(const Piece& piece) {
  return piece.code.starts_with("struct ") && piece.code.find('{') == std::string::npos;
}

/// Each statement in one line.
std::string without_breaks(const std::string& code) {
  std::string line;
  for (const char c : code) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

class Order {
 public:
  Order(const std::vector<std::string>& fragments, const std::string& kernel,
        const std::string& table)
      : kernel_(without_breaks(kernel)), reached_(find_identifiers(kernel)), named_(reached_) {
    for (const std::string& fragment : fragments) {
      fragment_begins_.push_back(pieces_.size());
      for (Piece& piece : split_pieces(fragment)) {
        if (piece.kind == Piece::Kind::first) types_.insert(piece.name);
        pieces_.push_back({std::move(piece)});
      }
    }
    reached_.merge(find_identifiers(table));
    keep();
    move_to_front(line_count() <= few_lines);
  }

  KernelOrder take() {
    KernelOrder order;
    std::string includes;
    std::string heading, of_fragment;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      auto& [piece, section] = pieces_[i];
      if (std::find(fragment_begins_.begin(), fragment_begins_.end(), i) !=
          fragment_begins_.end()) {
        heading.clear();
        of_fragment = piece.heading;
      }
      heading += piece.heading;
      if (section == Section::nowhere) continue;
      if (piece.kind == Piece::Kind::include) {
        includes += piece.code;
        continue;
      }
      if (section == Section::front) append(order.front, note(heading, piece) + piece.code);
      if (section == Section::declared) {
        const bool is_namesake = of_fragment.starts_with("// " + piece.name + ":");
        const std::string& own = piece.comment.empty() ? heading : piece.comment;
        const std::string summary = first_paragraph(is_namesake ? of_fragment : own);
        if (is_namesake) of_fragment.clear();  // other functions of this name have their own
        append(order.front, summary + write_declaration(piece));
        const std::string comment = note(heading, piece);
        append(order.behind, (comment == summary ? "" : comment) + write_definition(piece));
      }
      if (section == Section::behind) append(order.behind, note(heading, piece) + piece.code);
      heading.clear();
    }
    if (!includes.empty()) order.front = includes + "\n" + order.front;
    if (!order.behind.empty()) order.behind = std::string(behind_mark) + "\n" + order.behind;
    return order;
  }

 private:
  /// Whether the kernel reaches a piece: by its name, and a function by its types too, because
  /// functions of one name differ in these.
  bool is_reached(const Piece& piece) const {
    if (piece.kind == Piece::Kind::include) return true;
    if (!piece.marks.empty() && !has_one(piece.marks)) return false;
    if (piece.kind != Piece::Kind::operation && !reached_.contains(piece.name)) return false;
    return std::all_of(piece.types.begin(), piece.types.end(), [&](const std::string& name) {
      return !types_.contains(name) || reached_.contains(name);
    });
  }

  bool has_one(const std::vector<std::string>& marks) const {
    const auto holds = [&](std::string_view all) {
      for (std::size_t end = 0; end != std::string_view::npos; all.remove_prefix(end + 3)) {
        end = all.find(" & ");
        if (kernel_.find(all.substr(0, end)) == std::string::npos) return false;
        if (end == std::string_view::npos) break;
      }
      return true;
    };
    return std::any_of(marks.begin(), marks.end(), holds);
  }

  void keep() {
    for (bool more = true; more;) {
      more = false;
      for (auto& [piece, section] : pieces_) {
        if (section != Section::nowhere || !is_reached(piece)) continue;
        section = Section::behind;
        reached_.insert(piece.names.begin(), piece.names.end());
        more = true;
      }
    }
  }

  /// Whether the kernel has the sign of an operator. Templates find it behind themselves too.
  bool has_sign(const Piece& operation) const {
    constexpr std::string_view name = "operator";
    const std::size_t first = operation.head.find(name) + name.size();
    const std::string sign = operation.head.substr(first, operation.head.find('(', first) - first);
    return kernel_.find(" " + sign + " ") != std::string::npos;
  }

  /// The lines of all pieces that are kept.
  std::int64_t line_count() const {
    std::int64_t lines = 0;
    for (const auto& [piece, section] : pieces_) {
      if (section != Section::nowhere)
        lines += std::count(piece.code.begin(), piece.code.end(), '\n') + 1;
    }
    return lines;
  }

  /// Pieces that the front names stand in it, functions as declarations; or all pieces as they are.
  void move_to_front(bool all) {
    for (auto& [piece, section] : pieces_) {
      if (all && section == Section::behind && !piece.names.contains("Format"))
        section = Section::front;
    }
    for (bool more = true; more;) {
      more = false;
      for (auto& [piece, section] : pieces_) {
        if (section != Section::behind) continue;
        const bool by_types = piece.kind == Piece::Kind::operation;
        const bool named =
            by_types ? has_sign(piece) && std::all_of(piece.types.begin(), piece.types.end(),
                                                      [&](const std::string& name) {
                                                        return !types_.contains(name) ||
                                                               named_.contains(name);
                                                      })
                     : named_.contains(piece.name);
        if (!named || is_forward(piece)) continue;
        const bool declared = piece.kind != Piece::Kind::first;
        section = declared ? Section::declared : Section::front;
        const Names& more_names = declared ? piece.called : piece.names;
        named_.insert(more_names.begin(), more_names.end());
        more = true;
      }
    }
    for (auto& [piece, section] : pieces_) {
      if (is_forward(piece)) section = Section::nowhere;
    }
  }

  static std::string note(const std::string& heading, const Piece& piece) {
    // A fragment's own comment is that of its first piece, unless that has one of its own.
    const bool apart = !heading.empty() && !piece.comment.empty();
    return heading + (apart ? "\n" : "") + piece.comment;
  }

  static std::string first_paragraph(const std::string& comment) {
    return comment.substr(0, std::min(comment.find("//\n"), comment.size()));
  }

  static void append(std::string& text, const std::string& piece) {
    if (!text.empty()) text += "\n";
    text += piece;
  }

  std::string kernel_;
  std::vector<Placed> pieces_;
  std::vector<std::size_t> fragment_begins_;
  Names types_, reached_, named_;
};

}  // namespace

KernelOrder kernel_order(const std::vector<std::string>& fragments, const std::string& kernel,
                         const std::string& table) {
  return Order(fragments, kernel, table).take();
}

std::size_t end_of_kernels(std::string_view source) {
  const std::size_t mark = source.rfind(behind_mark);
  return mark == std::string_view::npos ? source.size() : mark - 1;
}

}  // namespace alphasparse
