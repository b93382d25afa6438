#include "features/people/operations.h"

#include "accounts/users/user_names.h"
#include "features/host/records.h"
#include "features/people/ops.h"
#include "features/people/stored_blocks.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::Reason;
using threads::ReadAnswer;
using threads::ReadContext;
using threads::ReadOp;

constexpr size_t kDefaultBlocks = 50;

ReadAnswer GetNames(const ReadContext& context, const UserGet::Args& args) {
  UserGet::Reply reply;
  PARLEY_TRY(names, accounts::NamesOf(RecordsOf(context), args.user_ids.items));
  reply.users = std::move(names);
  return protocol::Encode(reply);
}

ReadAnswer ListBlocks(const ReadContext& context, const UserBlocks::Args& args) {
  const std::string query(UserBlocks::kName);
  if (!context.caller.user) return ErrorFor(Reason::kOnlyUsers, "only users block each other");
  std::optional<protocol::UserId> after;
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    if (position) after = protocol::UserId::FromText(*position);
    if (!after) return Error::BadField("cursor", "is not a cursor of this query");
  }
  const size_t limit = args.limit ? static_cast<size_t>(args.limit->value) : kDefaultBlocks;
  PARLEY_TRY(page, ReadBlockPage(RecordsOf(context), *context.caller.user, after, limit));
  UserBlocks::Reply reply;
  if (page.more && !page.items.empty())
    reply.cursor = context.cursors.Seal(context.caller, query, page.items.back().user_id.ToText());
  reply.items.items = std::move(page.items);
  return protocol::Encode(reply);
}

}  // namespace

Operations PeopleOperations() {
  static const Operation rows[] = {
      {ReadOp<UserGet, GetNames>()}, {ReadOp<UserBlocks, ListBlocks>()}, BlockOp(), UnblockOp(), PresenceOp(),
  };
  return rows;
}

}  // namespace parley::features
