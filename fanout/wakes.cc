#include "fanout/wakes.h"

namespace parley::fanout {

storage::Status ReadWakes(const storage::Reader& reader, const TenantId& tenant, size_t limit,
                          std::vector<Wake>* out) {
  bool sound = true;
  auto status = reader.Scan(WakePartition(tenant), storage::SortRange::All(), storage::Direction::kForward,
                            limit, [&](std::string_view sort, storage::RowView) {
                              return sound = ParseWakeKey(sort, &out->emplace_back());
                            });
  if (status.ok() && !sound)
    status = {storage::StatusCode::kCorrupt, "a row in order of time can not be read"};
  return status;
}

}  // namespace parley::fanout
