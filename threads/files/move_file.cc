#include "threads/files/move_file.h"

#include <algorithm>
#include <utility>

#include "protocol/base/clusters.h"
#include "protocol/base/reason.h"
#include "threads/files/condemn.h"
#include "threads/files/file_charge.h"
#include "threads/files/file_upkeep.h"
#include "threads/files/follow_file.h"
#include "threads/files/profile_file.h"
#include "threads/model/record_act.h"

namespace parley::threads {
namespace {

// The upload leaves quarantine by a decision about it, which lifts the mark of its bytes.
bool Releases(const FileRow& row, const FileMove& move) {
  return row.state() == FileState::kQuarantined && move.to == FileState::kReady && !move.by_mark;
}

bool IsJudgedLater(const protocol::Attachment& item, const FileMove& move) {
  return move.band_patience_ms && IsBanded(item) && !item.nsfw_band.value && !move.band;
}

FileState TargetOf(const FileRow& row, const FileMove& move) {
  const FileState to = move.to.value_or(row.state());
  if (move.to == FileState::kReady && IsJudgedLater(row.item, move) && *move.band_patience_ms > 0)
    return FileState::kScanning;
  const bool unseen = row.unscanned.value.value_or(false) && !move.scanned;
  return to == FileState::kReady && unseen ? FileState::kScanning : to;
}

// A file of which only the band was missing is ready with it.
FileMove WithBand(const FileRow& row, FileMove move) {
  if (row.judge_by.value && move.band && !move.to) move.to = FileState::kReady;
  return move;
}

// The move, or quarantine in its place if the bytes are condemned.
FileMove Obeying(const std::optional<FileMark>& mark, const FileRow& row, FileMove move) {
  const bool passes = move.to == FileState::kReady || (move.to == FileState::kScanning && move.stored);
  if (!mark || !passes || Releases(row, move)) return move;
  move.to = FileState::kQuarantined;
  move.reason = mark->reason.value;
  move.by_scanner = mark->by_scanner.value.value_or(false);
  move.by_mark = true;
  return move;
}

// A verdict that leaves the state as it is keeps the scanner's word.
void Enter(FileState to, const FileMove& move, FileRow* row) {
  const FileState from = row->state();
  const bool quarantined = to == FileState::kQuarantined;
  if (from != to) {
    row->reason = {};
    row->by_scanner = {};
    row->condemned = {};
    row->unscanned = {};
    const bool examined = move.scanned || row->judge_by.value;
    if (quarantined && from != FileState::kReady && !examined) row->unscanned.value = true;
    row->judge_by = {};
  }
  if (quarantined && (move.by_mark || move.condemns)) row->condemned.value = true;
  if (!move.reason.empty())
    row->reason.value = protocol::Text<200>{std::string(protocol::FirstBytes(move.reason, 200))};
  if (move.by_scanner && quarantined) {
    row->by_scanner.value = true;
    if (!move.by_mark) row->unscanned = {};
  }
  row->item.state.value = to;
}

void Apply(FileState to, const FileMove& move, Time now, FileRow* row) {
  Enter(to, move, row);
  protocol::Attachment& item = row->item;
  const bool later = IsJudgedLater(item, move);
  if (to == FileState::kScanning && move.to == FileState::kReady && later)
    row->judge_by.value = Time{now.ms + *move.band_patience_ms};
  if (move.stored) {
    row->blob.value = move.stored->blob;
    item.sha256.value = move.stored->sha256;
    item.size.value = move.stored->size;
    item.w = move.stored->w;
    item.h = move.stored->h;
    item.duration_ms = move.stored->duration_ms;
  }
  if (move.variants) item.variants.value = move.variants;
  if (move.first_band && !item.nsfw_band.value && !later)
    item.nsfw_band.value = protocol::Bounded<0, 2>{*move.first_band};
  if (move.band) item.nsfw_band.value = protocol::Bounded<0, 2>{*move.band};
  if (!HasNoBytes(to)) return;
  row->blob = {};
  item.variants = {};
}

// A verdict `ready` never overrules the scanner unless staff give it, and never replaces it.
protocol::Status MayGo(const FileRow& row, const FileMove& move) {
  const FileState from = row.state(), to = move.to.value_or(from);
  const bool passes_unseen =
      from == FileState::kScanning && to == FileState::kReady && !move.scanned && !row.judge_by.value;
  const bool condemned = move.by_mark && move.stored && to == FileState::kQuarantined;
  const bool may = from == to || condemned || MayMove(from, to);
  if (from != move.from.value_or(from) || !may || passes_unseen)
    return ErrorFor(protocol::Reason::kFileMovedOn, "the upload is " + std::string(protocol::NameOf(from)) +
                                                        " and cannot become " +
                                                        std::string(protocol::NameOf(to)));
  if (row.by_scanner.value && to == FileState::kReady && !move.staff && !move.by_mark)
    return ErrorFor(protocol::Reason::kOnlyStaff, "only staff release a file that the scanner found");
  return protocol::Ok();
}

// Bytes that are no longer stored count no longer.
void Count(const FileRow& before, const FileRow& after, Draft* draft) {
  const int64_t had = CountedBytes(before), has = CountedBytes(after);
  if (had == has) return;
  auto& bytes = draft->head().hidden.file_bytes.value;
  bytes = std::max<int64_t>(bytes.value_or(0) + has - had, 0);
  draft->HeadKept();
}

void Record(const FileMove& move, const FileRow& before, const FileRow& after, protocol::IdSource* ids,
            Draft* draft) {
  if (!move.staff) return;
  const auto states = [](const FileRow& row) {
    const auto& band = row.item.nsfw_band.value;
    return protocol::StatesOf({{"attachment", row.id().ToText()},
                               {"state", protocol::NameOf(row.state())},
                               {"nsfwBand", band ? std::to_string(band->value) : std::string()}});
  };
  StaffAct act{"moderation.file", move.reason, after.message_id};
  act.user_id = after.by;
  act.before = states(before);
  act.after = states(after);
  RecordAct(draft, *move.staff, std::move(act), ids);
}

// The mark of the bytes that the upload has after the move.
Result<std::optional<FileMark>> MarkFor(const RowReader& rows, const FileRow& row, const FileMove& move) {
  const auto& blob = move.stored ? std::optional(move.stored->blob) : row.blob.value;
  if (!blob) return std::optional<FileMark>();
  return ReadMark(rows, blob->value);
}

protocol::Status MayLift(const std::optional<FileMark>& mark, const FileRow& row, const FileMove& move) {
  if (!mark || !mark->by_scanner.value || move.staff || !Releases(row, move)) return protocol::Ok();
  return ErrorFor(protocol::Reason::kOnlyStaff, "only staff release a file that the scanner found");
}

// Sets or lifts the mark of the upload's bytes.
void Condemn(const FileMove& move, const FileRow& before, const FileRow& after,
             const std::optional<FileMark>& mark, protocol::IdSource* ids, const TenantId& tenant,
             Draft* draft) {
  if (!after.blob.value) return;
  MarkChange change{move.thread, move.id, after.blob.value->value};
  const bool sets = move.condemns && move.to == FileState::kQuarantined;
  if (sets) {
    FileMark now{draft->now(), after.reason.value.value_or(protocol::Text<200>()), after.by_scanner};
    if (mark && mark->by_scanner.value == now.by_scanner.value) return;
    change.mark = std::move(now);
  } else if (!mark || !Releases(before, move)) {
    return;
  }
  ChangeMark(tenant, change, ids, draft);
}

// Reports a new state to the back end, as a fact of its own: files take no seq.
void Notify(FileState from, const FileRow& row, protocol::IdSource* ids, Draft* draft) {
  if (row.state() == from) return;
  const bool scans = row.state() == FileState::kScanning;
  if (!scans && row.state() != FileState::kReady) return;
  SubscribedEvent event{scans ? protocol::EventKind::kFileScanning : protocol::EventKind::kFileReady,
                        0,
                        {protocol::Encode(row.item)}};
  event.act.value = protocol::AuditId{ids->Make(draft->now())};
  event.file.value = row.id();
  draft->NotifyBackEnd(std::move(event));
}

}  // namespace

Result<Decision> MoveFile(Transaction& tx, const TenantId& tenant, const FileMove& asked) {
  const RowReader rows = tx.Rows(tenant);
  PARLEY_TRY(found, ReadFile(rows, asked.thread, asked.id));
  if (!found) return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  PARLEY_TRY(mark, MarkFor(rows, *found, asked));
  const FileMove move = Obeying(mark, *found, WithBand(*found, asked));
  PARLEY_CHECK_OK(MayLift(mark, *found, move));
  PARLEY_CHECK_OK(MayGo(*found, move));
  FileRow row = *found;
  Apply(TargetOf(*found, move), move, tx.moment().now, &row);
  const std::string reply = protocol::Encode(protocol::AttachmentReply{row.item});
  if (EncodeFile(row) == EncodeFile(*found)) return AnswerOnly(reply);
  const bool profile = IsProfile(move.thread);
  PARLEY_TRY(head, tx.Thread(tenant, move.thread));
  // The audit of staff belongs to threads.
  if (profile ? move.staff.has_value() : !head) return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  PARLEY_TRY(shows, ReadShowing(rows, move.thread, row));
  PARLEY_CHECK_OK(ChargeFile(tx, tenant, &*found, &row));
  Draft draft(head ? *std::move(head) : ThreadRow(), tx.moment().now);
  PARLEY_CHECK_OK(BecomeCurrent(rows, &row, &draft));
  WriteFile(tenant, move.thread, &*found, row, &draft);
  Condemn(move, *found, row, mark, tx.moment().ids, tenant, &draft);
  if (profile) return draft.Finish(reply);
  Count(*found, row, &draft);
  Record(move, *found, row, tx.moment().ids, &draft);
  Notify(found->state(), row, tx.moment().ids, &draft);
  Follow(row, shows, move.staff, &draft);
  return draft.Finish(reply);
}

}  // namespace parley::threads
