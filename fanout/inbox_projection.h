// Keeps the inbox (GSI1): one row per member of each thread, at the place of its newest message, in the cell
// of its folders; a second row if its owner gave it a label; one row per user that counts their cells; and a
// wake for each time at which the clock has work.
//
// Rows written per message: two for each member (the entry moves) and one for the thread. A member's seat and
// counts are written only if their entry changes cells, as with the first unread message.
//
// In a very large thread, entries that stay in their cells move in pieces. The placement first records the
// target, so that a pass repeated after a crash finds each entry at one of the two places.
//
// Thread contract: projection.h; the functions beside the class are pure.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "fanout/projection.h"

namespace parley::fanout {

class InboxProjection final : public Projection {
 public:
  // `wanted` returns whether any session receives a user's entries; called on the worker's thread.
  // `piece_rows`: a thread with more members moves in pieces of about this many rows.
  explicit InboxProjection(std::function<bool(const TenantId&, const UserId&)> wanted,
                           size_t piece_rows = 512)
      : wanted_(std::move(wanted)), piece_rows_(piece_rows) {}
  ProjectionId id() const override { return ProjectionId::kInbox; }
  // 2: entries have createdAt, safeModeRequired, readNo and blockedUntil, and cells have bits for mutes and
  // Safe-Mode.
  int64_t version() const override { return 2; }
  bool notifies() const override { return true; }
  void Begin() override {
    moved_.clear();
    recounted_.clear();
  }
  protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant, const ThreadId& thread,
                           const Dirty& dirty, Projected* out) override;
  protocol::Status Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                           Projected* out) override;
  protocol::Status Finish(const storage::Reader& snapshot, Projected* out) override;

 private:
  struct Work;
  void WriteMember(const Work& work, const threads::ParticipantRow& me, const Seat* old, Projected* out);
  void TakeMember(const Work& work, const UserId& user, const Seat& old, Projected* out);
  void TakeSwept(const Work& work, const std::vector<threads::ParticipantRow>& rows,
                 const std::map<UserId, Seat>& seats, Projected* out);
  void PutEntry(const Work& work, const threads::ParticipantRow& me, const Seat* old, Projected* out);
  void PutSeat(const Work& work, const UserId& user, const Seat& seat, const Seat* old, Projected* out);
  void TakeEntry(const Work& work, const UserId& user, const Seat& old,
                 const std::vector<storage::SortKey>& kept, std::vector<storage::DerivedWrite>* out);
  protocol::Status RebuildOne(const storage::Reader& snapshot, const Work& work, const UserId& user,
                              Projected* out);
  protocol::Status CountsOf(const storage::Reader& snapshot, const std::pair<TenantId, UserId>& owner,
                            const storage::Row* row, CellCounts* out) const;
  std::vector<storage::DerivedWrite>& Piece(Projected* out) const;

  const std::function<bool(const TenantId&, const UserId&)> wanted_;
  const size_t piece_rows_;
  // The change of each user's cell counts within the pass.
  std::map<std::pair<TenantId, UserId>, std::map<Cell, int64_t>> moved_;
  // The recounted cells of an inbox, without the thread that is being rebuilt.
  std::map<std::pair<TenantId, UserId>, CellCounts> recounted_;
};

}  // namespace parley::fanout
