// The routes by which a tenant's back end follows and judges uploads.
#include "features/files/feature.h"
#include "features/files/files.h"
#include "features/files/process.h"
#include "features/host/cold_reads.h"
#include "features/host/route.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::AttachmentReply;
using protocol::Error;
using threads::FileRow;
using threads::FileState;

struct ShowArgs {
  AttachmentId attachment_id;
  static constexpr void Fields(auto& field) { field("attachmentId", &ShowArgs::attachment_id, "the upload"); }
};

struct Located {
  protocol::ThreadId thread;
  FileRow row;
};

protocol::Result<Located> Locate(const threads::RowReader& rows, const AttachmentId& file) {
  PARLEY_TRY(thread, threads::ThreadOfFile(rows, file));
  if (!thread) return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  PARLEY_TRY(row, threads::ReadFile(rows, *thread, file));
  if (!row) return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  return Located{*thread, *std::move(row)};
}

bool MayShow(const threads::ReadContext& context, const Located& found) {
  const threads::Caller& caller = context.caller;
  if (caller.is_service() && !caller.user) return true;
  if (!threads::StandingOf(context, found.thread).ok()) return false;
  return caller.is_staff() || (caller.user && *caller.user == found.row.by);
}

void OnShow(const Call& call, ShowArgs args, Answering<AttachmentReply> then) {
  auto caller = ActingAs(call.exchange->request(), call.who.caller);
  if (!caller.ok()) return then(std::move(caller.error()));
  ReadAnywhere<AttachmentReply>(
      call.host, call.host.road(call.tenant()),
      [&host = std::as_const(call.host), caller = *caller,
       args](const storage::Reader& reader) -> protocol::Result<AttachmentReply> {
        const threads::ReadContext context = host.ContextOf(reader, caller);
        PARLEY_TRY(found, Locate(context.rows(), args.attachment_id));
        if (!MayShow(context, found)) return ErrorFor(protocol::Reason::kNoFile, "no such upload");
        return AttachmentReply{found.row.item};
      },
      std::move(then));
}

struct VerdictArgs {
  AttachmentId attachment_id;
  std::optional<FileState> state;
  std::optional<protocol::Bounded<0, 2>> nsfw_band;
  std::optional<protocol::Text<200>> reason;
  static constexpr void Fields(auto& field) {
    using T = VerdictArgs;
    field("attachmentId", &T::attachment_id, "the upload");
    field("state", &T::state, "ready or quarantined; unchanged if not given");
    field("nsfwBand", &T::nsfw_band, "0 safe, 1 suggestive, 2 mature; unchanged if not given");
    field("reason", &T::reason, "for staff");
  }
};

protocol::Status CheckVerdict(const Located& found, const VerdictArgs& args) {
  if (!args.state && !args.nsfw_band) return Error::BadField("state", "or nsfwBand is required");
  if (args.state && *args.state != FileState::kReady && *args.state != FileState::kQuarantined)
    return Error::BadField("state", "is ready or quarantined");
  if (!found.row.blob.value)
    return ErrorFor(protocol::Reason::kFileIncomplete, "the upload has no complete bytes");
  return protocol::Ok();
}

protocol::Result<threads::FileMove> MoveFor(const Located& found, const VerdictArgs& args,
                                            ScanChoice::By scans) {
  PARLEY_CHECK_OK(CheckVerdict(found, args));
  threads::FileMove move;
  move.thread = found.thread;
  move.id = args.attachment_id;
  move.to = args.state;
  // Files that no program scans may leave quarantine without it, but only the service ends `scanning`.
  move.scanned = scans == ScanChoice::By::kService ||
                 (scans == ScanChoice::By::kNothing && args.state == FileState::kQuarantined);
  if (args.nsfw_band) move.band = args.nsfw_band->value;
  if (args.reason) move.reason = args.reason->value;
  return move;
}

void OnVerdict(const Call& call, VerdictArgs args, Answering<AttachmentReply> then) {
  ReadAnywhere<threads::FileMove>(
      call.host, call.host.road(call.tenant()),
      [tenant = call.tenant(), args, scans = FilesOf(call.host).scanning().by()](
          const storage::Reader& reader) -> protocol::Result<threads::FileMove> {
        PARLEY_TRY(found, Locate(threads::RowReader(reader, tenant), args.attachment_id));
        return MoveFor(found, args, scans);
      },
      [&host = call.host, tenant = call.tenant(),
       then = std::move(then)](protocol::Result<threads::FileMove> move) {
        if (!move.ok()) return then(std::move(move.error()));
        const protocol::ThreadId thread = move->thread;
        SubmitMove(
            host, tenant, *std::move(move), [&host, tenant, thread, then](const threads::Answer& answer) {
              AttachmentReply reply;
              if (!answer.ok()) return then(answer.error());
              if (!threads::DecodeStored(*answer, &reply)) return then(Error());
              // It left quarantine, and has not been scanned yet.
              if (reply.attachment.state.value == FileState::kScanning)
                ProcessFile(host, tenant, thread, protocol::Sure(reply.attachment.attachment_id.value));
              then(std::move(reply));
            });
      });
}

}  // namespace

std::vector<HttpRoute> VerdictRoutes() {
  return {
      RouteTo<ShowArgs, AttachmentReply, &OnShow>(
          Method::kGet, "/v1/uploads/{attachmentId}", "getUpload", kUsers | kServices, 200,
          "Returns an upload to its uploader, to staff and to services"),
      RouteTo<VerdictArgs, AttachmentReply, &OnVerdict>(
          Method::kPost, "/v1/uploads/{attachmentId}/verdict", "judgeUpload", kServices, 200,
          "Releases a file, puts it into quarantine, or judges its band"),
  };
}

}  // namespace parley::features
