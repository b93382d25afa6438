// Typed reads of a thread's rows over any storage::Reader: a snapshot, the table, or the executor's overlay.
// Only this class translates storage faults into wire errors.
//
// Thread contract: stateless; may be used on any thread on which its reader may.
#pragma once

#include <optional>
#include <vector>

#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/rows.h"
#include "threads/model/uncounted.h"

namespace parley::threads {

using protocol::Error;
using protocol::ErrorCode;
template <class T>
using Result = protocol::Result<T>;

// kUnavailable, kThrottled and kUnknown become UNAVAILABLE; all others become INTERNAL. Storage's detail is
// left out.
Error FromStorage(const storage::Status& status);

class RowReader {
 public:
  RowReader(const storage::Reader& reader, TenantId tenant) : reader_(reader), tenant_(std::move(tenant)) {}

  Result<std::optional<ThreadRow>> Thread(const ThreadId& thread) const;
  Result<std::optional<ParticipantRow>> Participant(const ThreadId& thread, const UserId& user) const;
  Result<std::optional<MessageRow>> Message(const ThreadId& thread, const MessageId& message) const;
  Result<std::optional<TabRow>> Tab(const ThreadId& thread, protocol::TabName tab) const;
  Result<std::optional<CardRow>> Card(const ThreadId& thread, const MessageId& message) const;
  Result<std::optional<IdempotencyRow>> Idempotency(const ThreadId& thread, const UserId& user,
                                                    const ClientId& client) const;
  Result<std::optional<ReservationRow>> Reservation(const storage::PartitionKey& partition,
                                                    const storage::SortKey& sort) const;
  Result<bool> Exists(const ThreadId& thread, const storage::SortKey& sort) const;
  // The uncounted messages above `msg_no`.
  Result<Uncounted> UncountedAbove(const ThreadId& thread, int64_t msg_no) const;
  // Ids of the present members, ascending.
  Result<std::vector<UserId>> MemberIds(const ThreadId& thread) const;
  // Participant rows, including removed ones, in order of userId: all, or the first `limit` after one.
  Result<std::vector<ParticipantRow>> Participants(const ThreadId& thread,
                                                   const std::optional<UserId>& after = {},
                                                   size_t limit = SIZE_MAX) const;
  // The payloads of these users' rows, in the same order; missing rows are left out.
  Result<std::vector<std::string>> ParticipantPayloads(const ThreadId& thread,
                                                       const std::vector<UserId>& users) const;

  const storage::Reader& raw() const { return reader_; }
  const TenantId& tenant() const { return tenant_; }

 private:
  template <class R>
  Result<std::optional<R>> Item(const ThreadId& thread, const storage::SortKey& sort) const;
  const storage::Reader& reader_;
  const TenantId tenant_;
};

}  // namespace parley::threads
