#include "fanout/index_reads.h"

#include "fanout/inbox_projection.h"
#include "fanout/keys.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Folder;
using threads::ReadAnswer;
using threads::ReadContext;
using threads::Result;

constexpr int64_t kDefaultPage = 25;
constexpr size_t kProjectRowsMax = 1000;  // looked at per page, shown or not

Error Unreadable() {
  return {ErrorCode::kInternal, "stored data can not be read"};
}

bool InFolder(const InboxRow& row, Folder folder) {
  switch (folder) {
    case Folder::kAll:
      return !row.request;
    case Folder::kUnread:
      return row.unread && !row.request;
    case Folder::kPinned:
      return row.pinned;
    case Folder::kRequests:
      return row.request;
    case Folder::kAction:
      return row.open_cards;
    case Folder::kArchived:
      return true;
    default:
      return false;
  }
}

// The entry as of now: a mute that has run out since the row was written reads as none.
bool AppendEntry(const InboxRow& row, protocol::Time now, std::string* out) {
  if (row.muted_until_ms == 0 || row.muted_until_ms > now.ms) {
    out->append(row.entry);
    return true;
  }
  protocol::Document document;
  protocol::Entry entry;
  if (protocol::DecodeMsgpack(std::string(row.entry), {}, &document)) return false;
  if (!protocol::Bind(document.root, &entry).ok()) return false;
  entry.muted = false;
  entry.muted_until.reset();
  out->append(protocol::Encode(entry));
  return true;
}

// Where a page begins: at the start of the range, or after the row the cursor names.
Result<storage::SortRange> PageRange(const ReadContext& context, const std::string& query,
                                     storage::SortRange range, const std::optional<std::string>& cursor) {
  if (!cursor) return range;
  const auto position = context.cursors.Open(context.caller, query, *cursor);
  if (!position) return Error::BadField("cursor", "is not a cursor of this query");
  range.begin = storage::SortKey(*position + '\0');
  return range;
}

}  // namespace

ReadAnswer ListInbox(const ReadContext& context, const protocol::InboxList::Args& args) {
  if (!context.caller.user) return Error(ErrorCode::kForbidden, "an inbox is a user's");
  const Folder folder = args.folder.value_or(Folder::kAll);
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultPage);
  std::string query = "inbox.list " + std::string(protocol::NameOf(folder));
  if (args.kind) query += " " + std::string(protocol::NameOf(*args.kind));
  const Box box = folder == Folder::kArchived ? Box::kArchived : Box::kMain;
  PARLEY_TRY(range, PageRange(context, query, InboxRange(box), args.cursor));

  protocol::InboxList::Reply reply;
  std::string last;
  bool sound = true, more = false;
  const auto status = context.snapshot.Scan(
      InboxPartition(context.caller.tenant, *context.caller.user), range, storage::Direction::kForward,
      SIZE_MAX, [&](std::string_view sort, storage::RowView stored) {
        InboxRow row;
        sound = DecodeInboxRow(stored.payload, &row);
        if (!sound) return false;
        if (!InFolder(row, folder)) return true;
        if (args.kind && row.project != (*args.kind == protocol::ThreadKind::kProject)) return true;
        if (reply.entries.count == limit) {
          more = true;
          return false;
        }
        sound = AppendEntry(row, context.now, &reply.entries.msgpack);
        ++reply.entries.count;
        last = sort;
        return sound;
      });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return Unreadable();
  if (more) reply.cursor = context.cursors.Seal(context.caller, query, last);
  return protocol::Encode(reply);
}

ReadAnswer ListByProject(const ReadContext& context, const protocol::ThreadByProject::Args& args) {
  if (args.lbg_id.has_value() == args.leg_id.has_value())
    return Error::BadRequest("exactly one of lbgId and legId is required");
  const auto partition = args.lbg_id ? LbgPartition(context.caller.tenant, *args.lbg_id)
                                     : LegPartition(context.caller.tenant, *args.leg_id);
  const std::string query =
      "thread.byProject " + (args.lbg_id ? "lbg " + args.lbg_id->value : "leg " + args.leg_id->value);
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultPage);
  PARLEY_TRY(range, PageRange(context, query, storage::SortRange::All(), args.cursor));

  struct Found {
    std::string sort;
    ThreadId thread;
  };
  std::vector<Found> found;
  bool sound = true;
  const auto status =
      context.snapshot.Scan(partition, range, storage::Direction::kForward, kProjectRowsMax + 1,
                            [&](std::string_view sort, storage::RowView) {
                              Found& one = found.emplace_back();
                              one.sort = sort;
                              protocol::Time created_at;
                              sound = ParseProjectKey(sort, &created_at, &one.thread);
                              return sound;
                            });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return Unreadable();

  protocol::ThreadByProject::Reply reply;
  for (size_t i = 0; i < found.size(); ++i) {
    if (reply.threads.count == limit || i == kProjectRowsMax) {
      reply.cursor = context.cursors.Seal(context.caller, query, found[i - 1].sort);
      break;
    }
    const auto standing = threads::StandingOf(context, found[i].thread);
    if (standing.ok()) {
      reply.threads.msgpack += threads::Wire(standing->head.item);
      ++reply.threads.count;
    } else if (standing.error().code != ErrorCode::kThreadNotMember) {
      return standing.error();
    }
  }
  return protocol::Encode(reply);
}

}  // namespace parley::fanout
