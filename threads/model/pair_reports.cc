#include "threads/model/pair_reports.h"

#include <algorithm>

#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

storage::PartitionKey PairPartition(const TenantId& tenant, const UserId& a, const UserId& b) {
  return UserPartition(tenant, std::min(a, b));
}

}  // namespace

bool HoldsReport(const ThreadRow& head) {
  const auto& open = head.hidden.open_cards.value;
  return open && std::any_of(open->items.begin(), open->items.end(),
                             [](const OpenCard& card) { return card.only_for.value && !card.of_case.value; });
}

std::optional<PairWrite> PairWriteOf(const TenantId& tenant, const Decision& decision) {
  if (!decision.reported || !decision.head) return std::nullopt;
  const protocol::Thread& thread = decision.head->item;
  const auto parties = PartiesOf(thread);
  if (!parties || parties->one == parties->other) return std::nullopt;
  const auto& [a, b] = *parties;
  PairWrite out{PairPartition(tenant, a, b), {SafetyKey(std::max(a, b), thread.thread_id), std::nullopt}};
  if (*decision.reported) out.write.row = storage::Row{1, {}};
  return out;
}

Result<bool> IsPairReported(const RowReader& rows, const protocol::Thread& thread) {
  const auto parties = PartiesOf(thread);
  if (!parties) return false;
  return IsPairReported(rows, parties->one, parties->other);
}

Result<bool> IsPairReported(const RowReader& rows, const UserId& a, const UserId& b) {
  if (a == b) return false;
  bool found = false;
  const auto status =
      rows.raw().Scan(PairPartition(rows.tenant(), a, b), SafetyRange(std::max(a, b)),
                      storage::Direction::kForward, 1, [&](std::string_view, storage::RowView) {
                        found = true;
                        return false;
                      });
  if (!status.ok()) return FromStorage(status);
  return found;
}

}  // namespace parley::threads
