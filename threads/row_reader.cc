#include "threads/row_reader.h"

namespace parley::threads {
namespace {

Error Corrupt() {
  return {ErrorCode::kInternal, "stored data can not be read"};
}
constexpr size_t kNoLimit = SIZE_MAX;

}  // namespace

Error FromStorage(const storage::Status& status) {
  switch (status.code) {
    case storage::StatusCode::kUnavailable:
    case storage::StatusCode::kThrottled:
    case storage::StatusCode::kUnknown:
      return {ErrorCode::kUnavailable, "storage does not answer"};
    default:
      return Corrupt();
  }
}

template <class R>
Result<std::optional<R>> RowReader::Item(const ThreadId& thread, const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(ThreadPartition(tenant_, thread), sort, &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<R>();
  R out;
  if (!DecodeItem(row->payload, &out)) return Corrupt();
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
  if (!DecodeIdempotency(row->payload, &out)) return Corrupt();
  return std::optional(std::move(out));
}

Result<std::optional<ReservationRow>> RowReader::Reservation(const storage::PartitionKey& partition,
                                                             const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(partition, sort, &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<ReservationRow>();
  ReservationRow out;
  if (!DecodeReservation(row->payload, &out)) return Corrupt();
  return std::optional(std::move(out));
}

Result<bool> RowReader::Exists(const ThreadId& thread, const storage::SortKey& sort) const {
  std::optional<storage::Row> row;
  const auto status = reader_.Get(ThreadPartition(tenant_, thread), sort, &row);
  if (!status.ok()) return FromStorage(status);
  return row.has_value();
}

Result<std::vector<int64_t>> RowReader::DeletedAbove(const ThreadId& thread, int64_t msg_no) const {
  std::vector<int64_t> out;
  bool sound = true;
  const storage::SortRange range{DeletedKey(msg_no + 1), RangeOf(storage::ThreadTag::kDeleted).end};
  const auto status = reader_.Scan(ThreadPartition(tenant_, thread), range, storage::Direction::kForward,
                                   kNoLimit, [&](std::string_view sort, storage::RowView) {
                                     int64_t no = 0;
                                     sound = ParseDeletedKey(sort, &no);
                                     out.push_back(no);
                                     return sound;
                                   });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Corrupt();
  return out;
}

Result<std::vector<ParticipantRow>> RowReader::Participants(const ThreadId& thread) const {
  std::vector<ParticipantRow> out;
  bool sound = true;
  const auto status =
      reader_.Scan(ThreadPartition(tenant_, thread), RangeOf(storage::ThreadTag::kParticipant),
                   storage::Direction::kForward, kNoLimit, [&](std::string_view, storage::RowView row) {
                     sound = DecodeItem(row.payload, &out.emplace_back());
                     return sound;
                   });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Corrupt();
  return out;
}

Result<std::vector<UserId>> RowReader::MemberIds(const ThreadId& thread) const {
  PARLEY_TRY(rows, Participants(thread));
  std::vector<UserId> out;
  for (ParticipantRow& row : rows) {
    if (row.active()) out.push_back(std::move(row.item.user_id));
  }
  return out;
}

}  // namespace parley::threads
