#include "tools/commands/work_claims.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "runtime/database/database.h"
#include "runtime/system/files/content_key.h"
#include "tools/console/shards.h"

namespace alphasparse {

namespace {

constexpr double claim_seconds = 60;
constexpr double prolong_seconds = 15;

std::string random_holder() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

WorkClaims::WorkClaims(const TuneCommand& command, std::string database, DeviceInfo device)
    : command_(command),
      database_(std::move(database)),
      device_(std::move(device)),
      holder_(random_holder()) {}

/// Two matrices, or two questions about one, are two works.
std::string WorkClaims::find_work(const std::string& file) const {
  const std::string requested = fmt::format(
      "{} {} {} {} {} {} {} {} {}", dtype_name(command_.dtype.or_default()),
      regime_name(command_.regime), command_.values_vary, command_.may_round, command_.own_order,
      command_.deterministic, command_.nonfinite_exact, command_.transpose, command_.vectors);
  return content_key({content_digest(file), requested, device_.gpu, device_.version,
                      time_kind_name(device_.kind)});
}

bool WorkClaims::take(const std::string& file) {
  const std::string work = find_work(file);
  if (!Database::open(database_).claim(work, holder_, claim_seconds)) return false;
  taken_[file] = work;
  return true;
}

void WorkClaims::release(const std::string& file) {
  const auto taken = taken_.find(file);
  if (taken == taken_.end()) return;
  Database::open(database_).release(taken->second, holder_);
  taken_.erase(taken);
}

void WorkClaims::prolong() {
  if (taken_.empty() || clock_.seconds() - prolonged_ < prolong_seconds) return;
  prolonged_ = clock_.seconds();
  Database database = Database::open(database_);
  for (const auto& [file, work] : taken_) database.claim(work, holder_, claim_seconds);
}

}  // namespace alphasparse
