// The routes that name the avatar of a user and the brand of the tenant.
#include "features/files/feature.h"
#include "features/host/cold_reads.h"
#include "features/host/route.h"
#include "protocol/base/reason.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

using protocol::AttachmentReply;
using threads::FilePurpose;

struct AvatarArgs {
  protocol::UserId user_id;
  static constexpr void Fields(auto& field) { field("userId", &AvatarArgs::user_id, "the user"); }
};

void FindCurrent(const Call& call, FilePurpose purpose, const protocol::UserId& user,
                 Answering<AttachmentReply> then) {
  ReadAnywhere<AttachmentReply>(
      call.host, call.host.road(call.tenant()),
      [tenant = call.tenant(), purpose,
       user](const storage::Reader& reader) -> protocol::Result<AttachmentReply> {
        const threads::RowReader rows(reader, tenant);
        PARLEY_TRY(file, threads::ReadProfile(rows, purpose, user));
        if (!file) return ErrorFor(protocol::Reason::kNoFile, "no such avatar or brand");
        PARLEY_TRY(row, threads::ReadFile(rows, {}, *file));
        if (!row) return ErrorFor(protocol::Reason::kNoFile, "no such avatar or brand");
        return AttachmentReply{row->item};
      },
      std::move(then));
}

void OnAvatar(const Call& call, AvatarArgs args, Answering<AttachmentReply> then) {
  FindCurrent(call, FilePurpose::kAvatar, args.user_id, std::move(then));
}

void OnBrand(const Call& call, NoArgs, Answering<AttachmentReply> then) {
  FindCurrent(call, FilePurpose::kBrand, {}, std::move(then));
}

}  // namespace

std::vector<HttpRoute> ProfileRoutes() {
  return {
      RouteTo<AvatarArgs, AttachmentReply, &OnAvatar>(
          Method::kGet, "/v1/users/{userId}/avatar", "getAvatar", kUsers | kServices, 200,
          "Returns the image that is a user's avatar; fetch it as a file"),
      RouteTo<NoArgs, AttachmentReply, &OnBrand>(
          Method::kGet, "/v1/brand", "getBrand", kUsers | kServices, 200,
          "Returns the image that is the tenant's brand; fetch it as a file"),
  };
}

}  // namespace parley::features
