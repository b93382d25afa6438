#include "threads/model/row_reader.h"

#include "protocol/base/reason.h"
#include "protocol/base/unreadable.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

using protocol::UnreadableStored;

constexpr size_t kNoLimit = SIZE_MAX;

}  // namespace

Error FromStorage(const storage::Status& status) {
  switch (status.code) {
    case storage::StatusCode::kUnavailable:
    case storage::StatusCode::kThrottled:
    case storage::StatusCode::kUnknown:
    case storage::StatusCode::kNotInMemory:  // never shown, since the read is repeated
      return ErrorFor(protocol::Reason::kStoreUnreadable, "storage does not answer");
    default:
      return UnreadableStored();
  }
}

template <class R>
Result<std::optional<R>> RowReader::Item(const ThreadId& thread, const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(ThreadPartition(tenant_, thread), sort, &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<R>();
  R out;
  if (!DecodeItem(row->payload, &out)) return UnreadableStored();
  if constexpr (requires { out.row_version; }) out.row_version = row->version;
  return std::optional<R>(std::move(out));
}

Result<std::optional<ThreadRow>> RowReader::Thread(const ThreadId& thread) const {
  return Item<ThreadRow>(thread, ThreadKey());
}
Result<std::optional<ParticipantRow>> RowReader::Participant(const ThreadId& thread,
                                                             const UserId& user) const {
  return Item<ParticipantRow>(thread, ParticipantKey(user));
}
Result<std::optional<MessageRow>> RowReader::Message(const ThreadId& thread, const MessageId& message) const {
  return Item<MessageRow>(thread, MessageKey(message));
}
Result<std::optional<TabRow>> RowReader::Tab(const ThreadId& thread, protocol::TabName tab) const {
  return Item<TabRow>(thread, TabKey(tab));
}
Result<std::optional<CardRow>> RowReader::Card(const ThreadId& thread, const MessageId& message) const {
  return Item<CardRow>(thread, CardKey(message));
}

Result<std::optional<IdempotencyRow>> RowReader::Idempotency(const ThreadId& thread, const UserId& user,
                                                             const ClientId& client) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(ThreadPartition(tenant_, thread), IdempotencyKey(user, client), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<IdempotencyRow>();
  IdempotencyRow out;
  if (!DecodeIdempotency(row->payload, &out)) return UnreadableStored();
  return std::optional(std::move(out));
}

Result<std::optional<ReservationRow>> RowReader::Reservation(const storage::PartitionKey& partition,
                                                             const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(partition, sort, &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<ReservationRow>();
  ReservationRow out;
  if (!DecodeReservation(row->payload, &out)) return UnreadableStored();
  return std::optional(std::move(out));
}

Result<bool> RowReader::Exists(const ThreadId& thread, const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(ThreadPartition(tenant_, thread), sort, &row);
  if (!status.ok()) return FromStorage(status);
  return row.has_value();
}

Result<Uncounted> RowReader::UncountedAbove(const ThreadId& thread, int64_t msg_no) const {
  Uncounted out;
  bool sound = true, folded = false;
  const auto partition = ThreadPartition(tenant_, thread);
  const storage::SortRange blocks{DeletedBlockKey((msg_no + 1) / kBlockMessages),
                                  RangeOf(storage::ThreadTag::kDeletedBlock).end};
  auto status = reader_.Scan(partition, blocks, storage::Direction::kForward, kNoLimit,
                             [&](std::string_view sort, storage::RowView row) {
                               int64_t number = 0;
                               sound = ParseDeletedBlockKey(sort, &number);
                               if (number == kAllFolded) return folded = true;
                               DeletedBlock block;
                               sound = sound && DecodeDeletedBlock(row.payload, &block);
                               if (sound) out.AddBlock(number, std::move(block));
                               return sound;
                             });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return UnreadableStored();
  if (folded) return out;
  const storage::SortRange rows{DeletedKey(msg_no + 1), RangeOf(storage::ThreadTag::kDeleted).end};
  status = reader_.Scan(partition, rows, storage::Direction::kForward, kNoLimit,
                        [&](std::string_view sort, storage::RowView) {
                          int64_t no = 0;
                          sound = ParseDeletedKey(sort, &no);
                          out.AddRow(no);
                          return sound;
                        });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return UnreadableStored();
  return out;
}

Result<std::vector<ParticipantRow>> RowReader::Participants(const ThreadId& thread,
                                                            const std::optional<UserId>& after,
                                                            size_t limit) const {
  std::vector<ParticipantRow> out;
  bool sound = true;
  storage::SortRange range = RangeOf(storage::ThreadTag::kParticipant);
  if (after) range.begin = storage::SortKey(ParticipantKey(*after).bytes() + '\0');  // the next possible key
  const auto status = reader_.Scan(ThreadPartition(tenant_, thread), range, storage::Direction::kForward,
                                   limit, [&](std::string_view, storage::RowView row) {
                                     sound = DecodeItem(row.payload, &out.emplace_back());
                                     return sound;
                                   });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return UnreadableStored();
  return out;
}

Result<std::vector<std::string>> RowReader::ParticipantPayloads(const ThreadId& thread,
                                                                const std::vector<UserId>& users) const {
  std::vector<storage::RowKey> keys;
  for (const UserId& user : users) keys.push_back({ThreadPartition(tenant_, thread), ParticipantKey(user)});
  std::vector<std::optional<storage::Row>> rows;
  if (const auto status = reader_.MultiGet(keys, &rows); !status.ok()) return FromStorage(status);
  std::vector<std::string> out;
  for (auto& row : rows) {
    if (row) out.push_back(std::move(row->payload));
  }
  return out;
}

// A thread may have thousands of members, so this decodes only the fields that it needs.
Result<std::vector<UserId>> RowReader::MemberIds(const ThreadId& thread) const {
  std::vector<UserId> out;
  bool sound = true;
  const auto status =
      reader_.Scan(ThreadPartition(tenant_, thread), RangeOf(storage::ThreadTag::kParticipant),
                   storage::Direction::kForward, kNoLimit, [&](std::string_view, storage::RowView row) {
                     ItemView view;
                     protocol::Document item;
                     sound = ParseItem(row.payload, &view) && DecodeStored(view.wire, &item);
                     const protocol::Value* user = sound ? item.root.Find("userId") : nullptr;
                     const protocol::Value* removed = sound ? item.root.Find("removedAt") : nullptr;
                     sound = sound && user && user->as_text();
                     if (sound && (!removed || removed->is_null()))
                       out.push_back(UserId{protocol::KeyText::UpToNul(*user->as_text())});
                     return sound;
                   });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return UnreadableStored();
  return out;
}

}  // namespace parley::threads
