#include "fanout/wakes.h"

namespace parley::fanout {

storage::Status ReadWakes(const storage::Reader& reader, const TenantId& tenant, protocol::Time from,
                          size_t limit, std::vector<Wake>* out) {
  bool sound = true;
  storage::SortRange range = storage::SortRange::All();
  range.begin = storage::KeyWriter().Number(static_cast<uint64_t>(from.ms)).Sort();
  auto status = reader.Scan(WakePartition(tenant), range, storage::Direction::kForward, limit,
                            [&](std::string_view sort, storage::RowView) {
                              return sound = ParseWakeKey(sort, &out->emplace_back());
                            });
  if (status.ok() && !sound)
    status = {storage::StatusCode::kCorrupt, "a row in order of time cannot be read"};
  return status;
}

}  // namespace parley::fanout
