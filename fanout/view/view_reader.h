// Defines the reader of the messaging view, and the rows hidden from it.
#pragma once

#include "storage/engine/item_reads.h"
#include "threads/model/access.h"
#include "threads/model/row_reader.h"

namespace parley::fanout {

// Reads as the tenant's back end: a service that does not act as a user.
class ViewReader {
 public:
  explicit ViewReader(const storage::ItemReads& reads)
      : reads_(reads),
        caller_{reads.tenant, {}, threads::Role::kService},
        rows_(reads.reader, reads.tenant) {}

  const storage::Reader& raw() const { return reads_.reader; }
  protocol::Time now() const { return reads_.now; }
  const protocol::TenantId& tenant() const { return reads_.tenant; }
  const threads::Caller& caller() const { return caller_; }
  const threads::RowReader& rows() const { return rows_; }

  // Returns nullopt if this reader cannot see the thread.
  threads::Result<std::optional<threads::ThreadRow>> Head(const protocol::ThreadId& thread) const {
    PARLEY_TRY(head, rows_.Thread(thread));
    return IfSeen(std::move(head));
  }
  std::optional<threads::ThreadRow> IfSeen(std::optional<threads::ThreadRow> head) const {
    auto standing = threads::RequireStanding(caller_, std::move(head), std::nullopt, reads_.now);
    if (!standing.ok()) return std::nullopt;
    return std::move(standing->head);
  }

 private:
  const storage::ItemReads& reads_;
  const threads::Caller caller_;
  const threads::RowReader rows_;
};

inline protocol::Error UnreadableRow() {
  return {protocol::ErrorCode::kInternal, "stored data cannot be read"};
}

}  // namespace parley::fanout
