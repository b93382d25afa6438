#include "threads/engine/forget.h"

#include "threads/engine/idempotency.h"
#include "threads/model/retention.h"

namespace parley::threads {
namespace {

enum class Verdict : uint8_t {
  kOver,
  kLater,  // needs another round
  kStays,  // is kept forever
};

// Rows without a time were written by versions that scheduled no round. The first round starts a whole
// retention period after the first row with a time, so by then they are old enough.
Verdict JudgeTime(std::optional<Time> kept_since, const Round& round, Time now) {
  return !kept_since || kept_since->ms + round.keep_ms <= now.ms ? Verdict::kOver : Verdict::kLater;
}

Verdict JudgeAnswer(std::string_view payload, Time kept) {
  Time expires;
  if (!DecodeExpiry(payload, &expires)) return Verdict::kStays;  // kept for inspection
  return expires <= kept ? Verdict::kOver : Verdict::kLater;
}

Verdict JudgeHistory(std::string_view sort, std::string_view payload, Time now) {
  MessageId message;
  // The history of staff's changes to the thread itself is kept as long as the audit.
  if (!ParseHistoryKey(sort, &message) || message == MessageId{}) return Verdict::kStays;
  return JudgeTime(HistoryTime(payload), kHistoryRound, now);
}

// A body from before a redaction is as old as its message, apart from the time allowed for edits.
Verdict JudgeOriginal(std::string_view sort, Time now) {
  storage::KeyReader key(sort);
  MessageId message;
  if (!key.Tag(storage::ThreadTag::kOriginal) || !key.Id(&message.ulid)) return Verdict::kStays;
  return JudgeTime(message.ulid.time(), kHistoryRound, now);
}

// The times by which rows are judged: a repeat's answer is kept until both have passed its expiry.
struct Times {
  Time now, kept;
};

Verdict Judge(const Round& round, std::string_view sort, std::string_view payload, const Times& times) {
  const Time now = times.now;
  if (sort.front() == static_cast<char>(storage::ThreadTag::kOriginal)) return JudgeOriginal(sort, now);
  switch (round.tag) {
    case storage::ThreadTag::kIdempotency:
      return JudgeAnswer(payload, times.kept);
    case storage::ThreadTag::kHistory:
      return JudgeHistory(sort, payload, now);
    case storage::ThreadTag::kExternalEvent:
      return JudgeTime(DecodeEventTime(payload), kEventRound, now);
    default:
      return Verdict::kStays;
  }
}

// The progress of a round: whether it met rows that need another round, and the last key read, whose first
// byte gives the kind.
struct RoundPlace {
  bool again = false;
  std::string last;
};
std::string EncodePlace(const RoundPlace& place) {
  return (place.again ? '1' : '0') + place.last;
}
RoundPlace DecodePlace(std::string_view from) {
  return {from.front() == '1', std::string(from.substr(1))};
}

bool IsDue(const protocol::Omit<Time>& due, Time now) {
  return due.value && *due.value <= now;
}

const Round* NextDueRound(const ThreadRow& head, Time now) {
  for (const Round* round : kRounds) {
    if (IsDue(head.hidden.*(round->due), now)) return round;
  }
  return nullptr;
}

// Whether the round has reached the rows of its second kind.
bool IsSecond(const Round& round, std::string_view last) {
  return round.also && !last.empty() && last.front() == static_cast<char>(*round.also);
}

// Starts from the front, since another kind may be due.
constexpr std::string_view kSomethingElse = "0";

std::string NextSlice(const ThreadRow& head, Time now) {
  const bool more = NextDueRound(head, now) || IsDue(head.hidden.log_due_at, now);
  return more ? std::string(kSomethingElse) : std::string();
}

Decision FinishRound(Draft draft, Time now) {
  draft.HeadKept();
  const std::string onward = NextSlice(draft.head(), now);
  Decision decision = draft.Finish(onward);
  decision.changed |= kTimersChange;
  return decision;
}

Result<Decision> RoundSlice(const RowReader& rows, const ThreadRow& head, const Round& round,
                            RoundPlace place, const Times& times) {
  const Time now = times.now;
  const bool second = IsSecond(round, place.last);
  storage::SortRange range = RangeOf(second ? *round.also : round.tag);
  if (place.last.size() > 1) range.begin = storage::SortKey(place.last + '\0');
  Draft draft(head, now);
  size_t read = 0, bytes = 0;
  bool ended_early = false;
  const auto status = rows.raw().Scan(ThreadPartition(rows.tenant(), head.item.thread_id), range,
                                      storage::Direction::kForward, kSliceRows,
                                      [&](std::string_view sort, storage::RowView row) {
                                        const Verdict verdict = Judge(round, sort, row.payload, times);
                                        if (verdict == Verdict::kOver)
                                          draft.Erase(storage::SortKey(std::string(sort)));
                                        // A removal needs another round, too: more rows may have been written
                                        // before this place.
                                        place.again |= verdict != Verdict::kStays;
                                        place.last = sort;
                                        bytes += sort.size() + row.payload.size();
                                        ended_early = bytes >= kSliceBytes;
                                        return ++read < kSliceRows && !ended_early;
                                      });
  if (!status.ok()) return FromStorage(status);
  if (read == kSliceRows || ended_early) return draft.Finish(EncodePlace(place));
  if (round.also && !second) {
    place.last.assign(1, static_cast<char>(*round.also));
    return draft.Finish(EncodePlace(place));
  }
  auto& due = (draft.head().hidden.*(round.due)).value;
  due.reset();
  if (place.again) due = Time{now.ms + round.every_ms};
  return FinishRound(std::move(draft), now);
}

// Removes a removed member's row together with the LOG# row of the removal.
protocol::Status EraseRemoved(Transaction& tx, const TenantId& tenant, const ThreadId& thread, int64_t seq,
                              const LogRow& log, Draft* draft) {
  UserId user;
  if (log.kind != protocol::EventKind::kParticipantRemoved || !ParseParticipantKey(log.sort.bytes(), &user))
    return protocol::Ok();
  PARLEY_TRY(row, tx.Participant(tenant, thread, user));
  if (row && !row->active() && row->item.seq == seq) draft->Erase(ParticipantKey(user));
  return protocol::Ok();
}

Result<Decision> LogSlice(Transaction& tx, const RowReader& rows, const ThreadRow& head, Time now) {
  struct Old {
    int64_t seq = 0;
    LogRow row;
  };
  const ThreadId& thread = head.item.thread_id;
  const int64_t last = head.item.last_seq - kKeptChanges;
  int64_t swept = head.hidden.log_swept.value.value_or(0);
  Draft draft(head, now);
  std::vector<Old> old;
  const storage::SortRange range{LogKey(swept + 1), LogKey(std::max(swept, last) + 1)};
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range, storage::Direction::kForward, kSliceRows,
                      [&](std::string_view sort, storage::RowView row) {
                        Old& one = old.emplace_back();
                        if (!ParseLogKey(sort, &one.seq)) return false;
                        if (!DecodeLog(row.payload, &one.row)) one.row = {};
                        draft.Erase(LogKey(one.seq));
                        return true;
                      });
  if (!status.ok()) return FromStorage(status);
  for (const Old& one : old)
    PARLEY_CHECK_OK(EraseRemoved(tx, rows.tenant(), thread, one.seq, one.row, &draft));
  auto& hidden = draft.head().hidden;
  const bool more = old.size() == kSliceRows;
  hidden.log_swept.value = more ? old.back().seq : std::max(swept, last);
  if (!more) {
    hidden.log_due_at = {};
    return FinishRound(std::move(draft), now);
  }
  draft.HeadKept();
  return draft.Finish(std::string(kSomethingElse));
}

}  // namespace

Result<Decision> ForgetSlice(Transaction& tx, const TenantId& tenant, ThreadRow head, std::string_view from) {
  const Times times{tx.moment().now, tx.Kept()};
  const Time now = times.now;
  const RowReader rows = tx.Rows(tenant);
  RoundPlace place;
  if (!from.empty()) place = DecodePlace(from);
  if (!place.last.empty()) {
    for (const Round* round : kRounds) {
      const bool begun = place.last.front() == static_cast<char>(round->tag) || IsSecond(*round, place.last);
      if (begun && IsDue(head.hidden.*(round->due), now)) return RoundSlice(rows, head, *round, place, times);
    }
  }
  if (IsDue(head.hidden.log_due_at, now)) return LogSlice(tx, rows, head, now);
  if (const Round* round = NextDueRound(head, now)) return RoundSlice(rows, head, *round, {}, times);
  return AnswerOnly({});
}

}  // namespace parley::threads
