#include "threads/clock/meetings.h"

#include <algorithm>

#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

constexpr size_t kThreadsRead = 1000;  // for one pair

struct Pair {
  UserId lower, higher;
};
Pair PairOf(const protocol::Thread& thread) {
  const auto parties = PartiesOf(thread).value_or(Parties{});
  const auto& [lower, higher] = std::minmax(parties.one, parties.other);
  return {lower, higher};
}

}  // namespace

Result<PairMeetings> ReadMeetings(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread) {
  const Pair pair = PairOf(thread);
  PairMeetings out;
  bool sound = true;
  const auto status = tx.Rows(tenant).raw().Scan(
      UserPartition(tenant, pair.lower), MeetingsWith(pair.higher), storage::Direction::kForward,
      kThreadsRead, [&](std::string_view sort, storage::RowView row) {
        UserId other;
        ThreadId by;
        MeetingRow meeting;
        sound = ParseMeetingKey(sort, &other, &by) && DecodeMeeting(row.payload, &meeting);
        if (!sound) return false;
        out.tipped |= meeting.tipped;
        if (by == thread.thread_id) {
          out.own = meeting;
        } else if (meeting.at && (!out.earliest || *meeting.at < *out.earliest)) {
          out.earliest = meeting.at;
        }
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return out;
}

void WriteMeeting(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread,
                  const MeetingRow& row) {
  const Pair pair = PairOf(thread);
  tx.Reserve(UserPartition(tenant, pair.lower), MeetingKey(pair.higher, thread.thread_id),
             EncodeMeeting(row));
}

bool IsFirstMeeting(const PairMeetings& meetings, Time at) {
  if (meetings.tipped) return false;
  const bool before_here = meetings.own.at && *meetings.own.at < at;
  return !before_here && (!meetings.earliest || *meetings.earliest > at);
}

}  // namespace parley::threads
