// format_lanes: the entries that the lanes of a gang read at once, on a CPU.
//
// Entries that are stored are neighbours in memory. Some computed entries are told for all lanes at
// once, by the expression of one entry over other types (templates/lanes/chunks.h). A quotient is
// one number where a run of entries lies within a chunk. A remainder is a run again, and a number
// that is added to neighbours shifts them. Other entries are computed lane by lane.
#include <fmt/format.h>

#include "generator/arrays/format_struct.h"

namespace alphasparse {

namespace {

using Kind = Expression::Kind;

bool divides_index(const Expression& e, int gang) {
  return e.parts[0].kind == Kind::index && e.parts[1].kind == Kind::number && gang > 0 &&
         e.parts[1].number % gang == 0;
}

}  // namespace

FormatStruct::OverLanes FormatStruct::over_lanes(const Expression& e, bool whole_runs) const {
  switch (e.kind) {
    case Kind::number:
      return OverLanes::one;
    case Kind::index:
      return OverLanes::run;
    case Kind::quotient:
      return whole_runs && divides_index(e, gang_) ? OverLanes::one : OverLanes::unknown;
    case Kind::remainder:
      return whole_runs && divides_index(e, gang_) ? OverLanes::run : OverLanes::unknown;
    case Kind::sum:
      return sum_over_lanes(e, whole_runs);
    case Kind::entry:
      return entry_over_lanes(e, whole_runs);
    case Kind::product: {
      const bool known = over_lanes(e.parts[0], whole_runs) == OverLanes::one &&
                         over_lanes(e.parts[1], whole_runs) == OverLanes::one;
      return known ? OverLanes::one : OverLanes::unknown;
    }
    case Kind::bits:
    case Kind::fields:
    case Kind::bytes: {
      const bool known = over_lanes(e.parts[0], whole_runs) == OverLanes::one &&
                         over_lanes(e.parts[1], whole_runs) == OverLanes::run;
      return known ? OverLanes::many : OverLanes::unknown;
    }
    default:
      return OverLanes::unknown;
  }
}

/// A shifted run behind one that is not whole would read elsewhere than in x.
FormatStruct::OverLanes FormatStruct::sum_over_lanes(const Expression& sum, bool whole_runs) const {
  OverLanes a = over_lanes(sum.parts[0], whole_runs), b = over_lanes(sum.parts[1], whole_runs);
  if (a == OverLanes::one) std::swap(a, b);
  if (b == OverLanes::one) return a == OverLanes::values ? OverLanes::unknown : a;
  const bool shifts = (a == OverLanes::run && b == OverLanes::many) ||
                      (a == OverLanes::many && b == OverLanes::run);
  return shifts && whole_runs ? OverLanes::many : OverLanes::unknown;
}

FormatStruct::OverLanes FormatStruct::entry_over_lanes(const Expression& entry,
                                                       bool whole_runs) const {
  const FormatMember& member = find(entry.array);
  const OverLanes at = over_lanes(entry.parts[0], whole_runs);
  const bool is_value = this->is_value(member);
  if (at == OverLanes::one) return is_value ? OverLanes::unknown : OverLanes::one;
  if (at == OverLanes::many && is_value && member.as<StoredArray>()) return OverLanes::values;
  if (at != OverLanes::run || is_value) return OverLanes::unknown;
  if (member.as<StoredArray>()) return OverLanes::many;
  const auto* const computed = member.as<ComputedEntry>();
  if (!computed || entry.parts[0].kind != Kind::index) return OverLanes::unknown;
  const OverLanes how = over_lanes(resolved(computed->entry), whole_runs);
  return how == OverLanes::one ? OverLanes::many : how;  // its lanes are told one by one
}

bool FormatStruct::is_read_at_once(const FormatMember& member, bool whole_runs) const {
  const auto* const computed = member.as<ComputedEntry>();
  if (!computed) return false;
  const OverLanes how = over_lanes(resolved(computed->entry), whole_runs);
  return how != OverLanes::unknown && how != OverLanes::one;
}

/// The lanes read the member, and with it all members that its function reads.
void FormatStruct::note_lanes(const std::string& name, bool whole_runs, bool of_any_gang) {
  const FormatMember& member = find(name);
  if (member.is_trivial()) return;
  MemberReads& reads = reads_[member.name];
  reads.lanes = true;
  reads.in_parts = reads.in_parts || !whole_runs;
  reads.of_any_gang = reads.of_any_gang || of_any_gang;
  const auto* const computed = member.as<ComputedEntry>();
  if (!computed) return;
  if (!is_read_at_once(member, !reads.in_parts)) return note(name);  // lane by lane
  for_each(resolved(computed->entry), [&](const Expression& part) {
    if (part.has_words()) reads_[find(part.array).name].inside = true;
    if (part.kind != Kind::entry) return;
    switch (over_lanes(part.parts[0], whole_runs)) {
      case OverLanes::one:
        return note(part.array);
      case OverLanes::run:
        return note_lanes(part.array, whole_runs, of_any_gang);
      default:
        reads_[find(part.array).name].by_codes = true;
    }
  });
}

Code FormatStruct::read_lanes(const std::string& name, const Code& index, bool whole_runs) {
  const FormatMember& member = find(name);
  if (const auto* const computed = member.as<ComputedEntry>()) {
    if (computed->is_identity()) return index;
    if (computed->is_constant()) {
      return code("each({}, [](int) {{ return {}; }})", index, write_code(computed->entry));
    }
  }
  note_lanes(name, whole_runs);
  return code("$f.{}({})", member.name, index);
}

Code FormatStruct::read_runs(const std::string& name, const Code& index) {
  const Code read = read_lanes(name, index, false);
  if (!find(name).is_trivial()) note_lanes(name, false, true);
  return read;
}

}  // namespace alphasparse
