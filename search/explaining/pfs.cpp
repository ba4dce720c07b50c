#include "search/explaining/pfs.h"

#include <map>
#include <set>
#include <string_view>

#include "operators/named_designs.h"
#include "runtime/emulated/gpu_models.h"
#include "search/learning/mean.h"
#include "search/space/known_designs.h"

namespace alphasparse {

namespace {

constexpr double equal_within = 1.001;  // as find_best has it
constexpr double clear_speedup = 1.2;   // of a model's times

struct NamedTexts {
  std::set<std::string> designs, structures;

  NamedTexts() {
    for (const Target target : {Target::gpu, Target::cpu}) {
      for (const CanonicalDesign& design : canonical_named_designs(target)) {
        designs.insert(design.text());
        structures.insert(design.structure());
      }
    }
  }
};

std::optional<double> divide(std::optional<std::int64_t> count, std::optional<std::int64_t> base) {
  if (count.value_or(0) <= 0 || base.value_or(0) <= 0) return std::nullopt;
  return static_cast<double>(*count) / static_cast<double>(*base);
}

PfsSummary summarise(const std::vector<const PfsPair*>& pairs, const NamedTexts& named) {
  PfsSummary summary;
  summary.pairs = static_cast<std::int64_t>(pairs.size());
  GeometricMean speedups, bytes, sectors;
  KnownDesigns designs;
  for (const PfsPair* const pair : pairs) {
    const double speedup = pair->speedup();
    speedups.add(speedup);
    bytes.add(pair->bytes_ratio());
    sectors.add(pair->sectors_ratio());
    ++(speedup > equal_within       ? summary.faster
       : speedup < 1 / equal_within ? summary.behind
                                    : summary.equal);
    if (speedup >= clear_speedup) ++summary.clearly_faster;
    if (!named.designs.contains(pair->best.design)) ++summary.unnamed;
    if (!named.structures.contains(designs.find_structure(pair->best.design)))
      ++summary.other_structures;
  }
  summary.speedup = *speedups.value();
  summary.bytes_ratio = bytes.value();
  summary.sectors_ratio = sectors.value();
  return summary;
}

}  // namespace

NamedOutcome best_named(const Outcomes& outcomes) {
  Outcomes candidates;
  std::map<std::string, std::string_view> names;
  for (const NamedDesign& named : named_designs()) {
    for (const Target target : {Target::gpu, Target::cpu}) {
      if (named.target_line(target).empty()) continue;
      const auto found = outcomes.find(make_canonical(named, target).text());
      if (found == outcomes.end() || !found->second.verified || !found->second.timing) continue;
      names[found->first] = named.name;
      Measurement& outcome = candidates[found->first] = found->second;
      // A duplicate has the time of the kernel that it shares.
      if (outcome.status == Status::duplicate) outcome.status = Status::ok;
    }
  }
  const Measurement* const best = find_best(candidates);
  if (!best) return {};
  return {&outcomes.find(best->design)->second, std::string(names[best->design])};
}

double PfsPair::speedup() const { return pfs.timing->time_us / best.timing->time_us; }

std::optional<double> PfsPair::bytes_ratio() const {
  return divide(best.format_bytes, pfs.format_bytes);
}

std::optional<double> PfsPair::sectors_ratio() const {
  return divide(best.timing->sectors, pfs.timing->sectors);
}

std::vector<PfsSummary> summarise_pfs(const std::vector<PfsPair>& pairs) {
  const NamedTexts named;
  std::vector<PfsSummary> rows;
  for (const TimeKind kind : {TimeKind::measured, TimeKind::modelled}) {
    for (const bool near_floor : {false, true}) {
      std::vector<const PfsPair*> of_row;
      for (const PfsPair& pair : pairs) {
        const bool is_near = pair.best.timing->time_us < near_floor_us(pair.device);
        if (pair.device.kind == kind && is_near == near_floor) of_row.push_back(&pair);
      }
      if (of_row.empty()) continue;
      PfsSummary& row = rows.emplace_back(summarise(of_row, named));
      row.kind = kind;
      row.near_floor = near_floor;
    }
  }
  return rows;
}

}  // namespace alphasparse
