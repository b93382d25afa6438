#include "fanout/upkeep.h"

#include "fanout/keys.h"
#include "protocol/base/clusters.h"
#include "protocol/base/varint.h"

namespace parley::fanout {

using storage::KeyReader;
using storage::KeyWriter;

namespace {

// WARNING: on disk, never renumber. Lower numbers belong to placements (keys.cc), 7 to renewal.cc.
constexpr uint8_t kAside = 5;
constexpr uint8_t kRepair = 6;

bool ParseAside(std::string_view sort, storage::RowView row, AsideThread* out) {
  KeyReader key(sort);
  out->why = row.payload;
  return key.Tag(kAside) && key.Text(&out->projection) && key.Id(&out->thread.ulid) && key.AtEnd();
}
bool ParseRepair(std::string_view sort, storage::RowView row, RepairRecord* out) {
  KeyReader key(sort);
  uint64_t ms = 0;
  if (!key.Tag(kRepair) || !key.Number(&out->number) || !key.AtEnd() ||
      !protocol::TakeVarint(&row.payload, &ms))
    return false;
  out->at.ms = static_cast<int64_t>(ms);
  out->what = row.payload;
  return true;
}

}  // namespace

storage::PartitionKey UpkeepPartition(const TenantId& tenant) {
  return PlacementPartition(tenant, ThreadId{});
}
storage::SortKey AsideKey(std::string_view projection, const ThreadId& thread) {
  return KeyWriter().Tag(kAside).Text(protocol::KeyText::UpToNul(projection)).Id(thread.ulid).Sort();
}
storage::SortKey RepairKey(uint64_t number) {
  return KeyWriter().Tag(kRepair).Number(number).Sort();
}

storage::DerivedWrite AsideWrite(const AsideThread& aside) {
  return {UpkeepPartition(aside.tenant), AsideKey(aside.projection, aside.thread),
          storage::Row{1, aside.why}};
}
storage::DerivedWrite BackWrite(std::string_view projection, const TenantId& tenant, const ThreadId& thread) {
  return {UpkeepPartition(tenant), AsideKey(projection, thread), std::nullopt};
}

bool IsAside(const storage::Reader& reader, const TenantId& tenant, const ThreadId& thread) {
  const KeyWriter any = KeyWriter().Tag(kAside);
  bool aside = false;
  auto status =
      reader.Scan(UpkeepPartition(tenant), storage::SortRange::Prefix(KeyWriter(any).Sort()),
                  storage::Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                    AsideThread one;
                    aside = ParseAside(sort, row, &one) && one.thread == thread;
                    return !aside;
                  });
  return aside || !status.ok();
}

storage::Status RecordRepair(const storage::Reader& reader, const TenantId& tenant, protocol::Time at,
                             std::string what, std::vector<storage::DerivedWrite>* out) {
  RepairRecord last;
  auto status =
      reader.Scan(UpkeepPartition(tenant), storage::SortRange::Prefix(KeyWriter().Tag(kRepair).Sort()),
                  storage::Direction::kReverse, 1, [&](std::string_view sort, storage::RowView row) {
                    ParseRepair(sort, row, &last);
                    return false;
                  });
  if (!status.ok()) return status;
  const uint64_t number = last.number + 1;
  std::string payload;
  protocol::AppendVarint(&payload, static_cast<uint64_t>(at.ms));
  what.resize(protocol::FirstBytes(what, kRepairTextMax).size());
  out->push_back({UpkeepPartition(tenant), RepairKey(number), storage::Row{1, payload + what}});
  if (number > kRepairsKept)
    out->push_back({UpkeepPartition(tenant), RepairKey(number - kRepairsKept), std::nullopt});
  return {};
}

storage::Status ReadUpkeep(const storage::Reader& reader, const TenantId& tenant, Upkeep* out) {
  return reader.Scan(UpkeepPartition(tenant), storage::SortRange::All(), storage::Direction::kForward,
                     SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                       AsideThread aside;
                       RepairRecord repair;
                       if (ParseAside(sort, row, &aside)) {
                         aside.tenant = tenant;
                         out->aside.push_back(std::move(aside));
                       } else if (ParseRepair(sort, row, &repair)) {
                         out->repairs.emplace_back(tenant, std::move(repair));
                       }
                       return true;
                     });
}

}  // namespace parley::fanout
