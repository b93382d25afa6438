// The routes by which a tenant's back end follows and judges uploads.
#include "features/files/feature.h"
#include "features/files/verdict.h"
#include "features/host/cold_reads.h"
#include "features/host/route.h"
#include "protocol/base/reason.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::AttachmentReply;
using threads::FileState;

struct ShowArgs {
  AttachmentId attachment_id;
  static constexpr void Fields(auto& field) { field("attachmentId", &ShowArgs::attachment_id, "the upload"); }
};

bool MayShow(const threads::ReadContext& context, const LocatedFile& found) {
  const threads::Caller& caller = context.caller;
  if (caller.is_service() && !caller.user) return true;
  if (!threads::IsProfile(found.thread) && !threads::StandingOf(context, found.thread).ok()) return false;
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
        PARLEY_TRY(found, LocateFile(context.rows(), args.attachment_id));
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

void OnVerdict(const Call& call, VerdictArgs args, Answering<AttachmentReply> then) {
  Verdict verdict{args.attachment_id, args.state};
  if (args.nsfw_band) verdict.band = args.nsfw_band->value;
  if (args.reason) verdict.reason = args.reason->value;
  SubmitVerdict(call.host, call.tenant(), call.host.road(call.tenant()), std::move(verdict),
                [then = std::move(then)](const threads::Answer& answer) {
                  AttachmentReply reply;
                  if (!answer.ok()) return then(answer.error());
                  if (!threads::DecodeStored(*answer, &reply)) return then(protocol::Error());
                  then(std::move(reply));
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
