#include "fanout/project_projection.h"

#include "protocol/base/unreadable.h"

namespace parley::fanout {
namespace {

using protocol::Ok;

// The thread's binding as of its last pass.
struct Binding {
  std::optional<protocol::LbgId> lbg_id;
  std::optional<protocol::LegId> leg_id;
  friend bool operator==(const Binding&, const Binding&) = default;
  static constexpr void Fields(auto& field) {
    using T = Binding;
    field("lbgId", &T::lbg_id, "");
    field("legId", &T::leg_id, "");
  }
};

std::vector<storage::PartitionKey> PartitionsOf(const TenantId& tenant, const Binding& binding) {
  std::vector<storage::PartitionKey> out;
  if (binding.lbg_id) out.push_back(LbgPartition(tenant, *binding.lbg_id));
  if (binding.leg_id) out.push_back(LegPartition(tenant, *binding.leg_id));
  return out;
}

protocol::Result<Binding> ReadBinding(const storage::Reader& reader, const TenantId& tenant,
                                      const ThreadId& thread) {
  Binding binding;
  std::optional<storage::Row> row;
  const auto status = reader.Get(PlacementPartition(tenant, thread), ProjectPlacementKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  if (!row) return binding;
  if (!threads::DecodeStored(row->payload, &binding)) return protocol::UnreadableStored();
  return binding;
}

}  // namespace

// Writes the rows of the thread's binding again.
protocol::Status ProjectProjection::Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                                            Projected* out) {
  PARLEY_TRY(head, threads::RowReader(snapshot, order.tenant).Thread(order.thread));
  if (!head) return Ok();
  PARLEY_TRY(bound, ReadBinding(snapshot, order.tenant, order.thread));
  for (auto& partition : PartitionsOf(order.tenant, bound))
    out->writes.push_back(
        {std::move(partition), ProjectKey(head->item.created_at, order.thread), storage::Row{1, {}}});
  return Ok();
}

protocol::Status ProjectProjection::Project(const storage::Reader& snapshot, const TenantId& tenant,
                                            const ThreadId& thread, const Dirty& dirty, Projected* out) {
  if (!dirty.Has(threads::kHeadChange)) return Ok();
  const threads::RowReader rows(snapshot, tenant);
  PARLEY_TRY(head, rows.Thread(thread));
  if (!head) return Ok();
  PARLEY_TRY(old, ReadBinding(snapshot, tenant, thread));
  const Binding next{head->item.lbg_id, head->item.leg_id};
  if (next == old) return Ok();
  const storage::SortKey sort = ProjectKey(head->item.created_at, thread);
  for (auto& partition : PartitionsOf(tenant, old))
    out->writes.push_back({std::move(partition), sort, std::nullopt});
  for (auto& partition : PartitionsOf(tenant, next))
    out->writes.push_back({std::move(partition), sort, storage::Row{1, {}}});
  out->writes.push_back(
      {PlacementPartition(tenant, thread), ProjectPlacementKey(), storage::Row{1, protocol::Encode(next)}});
  return Ok();
}

}  // namespace parley::fanout
