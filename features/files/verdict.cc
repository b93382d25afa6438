#include "features/files/verdict.h"

#include <utility>

#include "features/files/due.h"
#include "features/files/files.h"
#include "features/files/ops.h"
#include "features/files/process.h"
#include "features/host/cold_reads.h"
#include "features/moderation/asks.h"
#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using protocol::Result;
using protocol::TenantId;
using threads::Decision;
using threads::FileMove;
using threads::FileState;

namespace {

Error NoUpload() {
  return ErrorFor(protocol::Reason::kNoFile, "no such upload");
}

// Staff see the files of threads that they may read, and act on their subject as long as no case of two
// people is about it.
Result<Decision> DecideByStaff(threads::Transaction& tx, const Host& host, const FileMove& move) {
  const threads::Caller& caller = *move.staff;
  auto standing = tx.StandingOf(caller, move.thread);
  if (!standing.ok()) {
    const bool keeps_out = standing.error().code == protocol::ErrorCode::kThreadNotMember;
    return keeps_out ? NoUpload() : std::move(standing.error());
  }
  PARLEY_TRY(row, threads::ReadFile(tx.Rows(caller.tenant), move.thread, move.id));
  if (!row) return NoUpload();
  if (row->by == caller.user)
    return ErrorFor(protocol::Reason::kAboutOneself, "a decision about oneself is not allowed");
  PARLEY_TRY(decision, threads::MoveFile(tx, caller.tenant, move));
  if (decision.acts.empty() || !row->message_id) return std::move(decision);
  PARLEY_CHECK_OK(RequireNoCaseOfTwo(tx, host, caller, move.thread, *row->message_id));
  return std::move(decision);
}

void Submit(Host& host, const TenantId& tenant, FileMove move, Done then) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = move.thread;
  job.decide = [&host = std::as_const(host), tenant, move](threads::Transaction& tx) {
    return move.staff ? DecideByStaff(tx, host, move) : threads::MoveFile(tx, tenant, move);
  };
  job.done = [&host, tenant, thread = move.thread, file = move.id,
              then = std::move(then)](const threads::Answer& answer) {
    protocol::AttachmentReply reply;
    if (!answer.ok()) return then(answer);
    if (!threads::DecodeStored(*answer, &reply)) return then(Error());
    // It left quarantine, and has not been scanned yet.
    if (reply.attachment.state.value == FileState::kScanning) ProcessFile(host, tenant, thread, file);
    then(answer);
    WakeIfFilesDue(host, tenant);
  };
  host.Submit(std::move(job));
}

protocol::Status CheckVerdict(const LocatedFile& found, const Verdict& verdict) {
  if (!verdict.state && !verdict.band) return Error::BadField("state", "or nsfwBand is required");
  if (verdict.state && *verdict.state != FileState::kReady && *verdict.state != FileState::kQuarantined)
    return Error::BadField("state", "is ready or quarantined");
  if (!found.row.blob.value)
    return ErrorFor(protocol::Reason::kFileIncomplete, "the upload has no complete bytes");
  return protocol::Ok();
}

// Only the service ends `scanning`, if it scans. Files that no program scans may leave quarantine without it.
bool CountsAsScan(const Verdict& verdict, ScanChoice::By scans) {
  if (scans == ScanChoice::By::kService) return !verdict.staff;
  return scans == ScanChoice::By::kNothing && verdict.state == FileState::kQuarantined;
}

void JudgeByStaff(Host& host, const OpCall& call, Done done) {
  const auto& args = call.As<ModerationFile>();
  if (!call.caller.is_staff() || !call.caller.user)
    return done(ErrorFor(protocol::Reason::kOnlyStaff, "only staff decide about files"));
  if (args.reason.value.empty()) return done(Error::BadField("reason", "is required"));
  Verdict verdict{args.attachment_id, args.state, {}, args.reason.value, call.caller};
  if (args.nsfw_band) verdict.band = args.nsfw_band->value;
  SubmitVerdict(host, call.caller.tenant, call.road, std::move(verdict), std::move(done));
}

}  // namespace

Result<LocatedFile> LocateFile(const threads::RowReader& rows, const protocol::AttachmentId& file) {
  PARLEY_TRY(thread, threads::ThreadOfFile(rows, file));
  if (!thread) return NoUpload();
  PARLEY_TRY(row, threads::ReadFile(rows, *thread, file));
  if (!row) return NoUpload();
  return LocatedFile{*thread, *std::move(row)};
}

Result<FileMove> MoveForVerdict(const LocatedFile& found, const Verdict& verdict, ScanChoice::By scans) {
  PARLEY_CHECK_OK(CheckVerdict(found, verdict));
  FileMove move;
  move.thread = found.thread;
  move.id = verdict.file;
  move.to = verdict.state;
  move.scanned = CountsAsScan(verdict, scans);
  move.band = verdict.band;
  move.reason = verdict.reason;
  move.staff = verdict.staff;
  move.condemns = true;
  return move;
}

void SubmitVerdict(Host& host, const TenantId& tenant, const ReadRoad& road, Verdict verdict, Done then) {
  const protocol::AttachmentId file = verdict.file;
  ReadAnywhere<LocatedFile>(
      host, road,
      [tenant, file](const storage::Reader& reader) {
        return LocateFile(threads::RowReader(reader, tenant), file);
      },
      [&host, tenant, verdict = std::move(verdict), then = std::move(then)](Result<LocatedFile> found) {
        if (!found.ok()) return then(std::move(found.error()));
        auto move = MoveForVerdict(*found, verdict, FilesOf(host).scanning().by());
        if (!move.ok()) return then(std::move(move.error()));
        Submit(host, tenant, *std::move(move), then);
      });
}

Operation ModerationFileOp() {
  return HandledOp<ModerationFile>(&JudgeByStaff);
}

}  // namespace parley::features
