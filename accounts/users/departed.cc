#include "accounts/users/departed.h"

#include "protocol/base/reason.h"
#include "storage/engine/item_keys.h"

namespace parley::accounts {

using protocol::Result;

namespace {

const storage::PartitionKey& Notes() {
  static const storage::PartitionKey partition = storage::RecordPartition("departed");
  return partition;
}

storage::SortKey DepartedKey(const protocol::TenantId& tenant, const protocol::UserId& user) {
  return storage::KeyWriter().Tag(storage::ItemTag::kRecord).Text(tenant.value).Text(user.value).Sort();
}

protocol::Error UnreadableRecords() {
  return ErrorFor(protocol::Reason::kStoreUnreadable, "the records cannot be read now");
}

}  // namespace

void NoteDeparted(RecordTransaction& tx, const protocol::UserId& user, std::string_view goes_on_at) {
  tx.tx().Write(Notes(), DepartedKey(tx.tenant(), user), storage::Row{1, std::string(goes_on_at)});
}

void ForgetDeparted(RecordTransaction& tx, const protocol::UserId& user) {
  tx.tx().Write(Notes(), DepartedKey(tx.tenant(), user), std::nullopt);
}

Result<std::optional<std::string>> FindDeparted(const RecordReads& reads, const protocol::UserId& user) {
  std::optional<storage::Row> row;
  if (!reads.reader().Get(Notes(), DepartedKey(reads.tenant(), user), &row).ok()) return UnreadableRecords();
  return row ? std::optional(row->payload) : std::nullopt;
}

Result<std::vector<Departed>> AllDeparted(const storage::Reader& reader, size_t limit) {
  std::vector<Departed> out;
  const auto status = reader.Scan(Notes(), storage::SortRange::All(), storage::Direction::kForward, limit,
                                  [&](std::string_view sort, storage::RowView) {
                                    storage::KeyReader key(sort);
                                    Departed one;
                                    if (key.Tag(storage::ItemTag::kRecord) && key.Text(&one.tenant.value) &&
                                        key.Text(&one.user.value) && key.AtEnd())
                                      out.push_back(std::move(one));
                                    return true;
                                  });
  if (!status.ok()) return UnreadableRecords();
  return out;
}

}  // namespace parley::accounts
