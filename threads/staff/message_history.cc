// The op message.history: a message before each of its changes (HIST#), newest first, for staff.
#include "threads/staff/message_history.h"

#include "protocol/base/reason.h"
#include "protocol/json_size.h"
#include "threads/judge/judge_rows.h"
#include "threads/model/mask.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultVersions = 50;

Result<bool> MessageExists(const ReadContext& context, const protocol::MessageHistory::Args& args) {
  return context.rows().Exists(args.thread_id, MessageKey(args.message_id));
}

// Adds texts that the text policy redacted. Skips those that cannot be unsealed, which `verify` reports.
protocol::Status AddOriginals(const ReadContext& context, const protocol::MessageHistory::Args& args,
                              bool masked, protocol::EncodedListOf<protocol::MessageOriginal>* out) {
  if (!context.sealer) return protocol::Ok();
  const auto partition = ThreadPartition(context.caller.tenant, args.thread_id);
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [out] { return protocol::JsonSize(out->msgpack); };
  const auto status = context.snapshot.Scan(
      partition, OriginalsOf(args.message_id), storage::Direction::kReverse, SIZE_MAX,
      [&](std::string_view sort, storage::RowView row) {
        protocol::MessageOriginal one;
        MessageId of;
        if (!ParseOriginalKey(sort, &of, &one.seq)) return true;
        auto body = context.sealer->Open(
            storage::SealPurpose::kAttributes,
            OriginalPlace(context.caller.tenant, args.thread_id, storage::SortKey(std::string(sort))),
            row.payload);
        if (!body) return true;
        one.body = masked ? Masked(*body) : *std::move(body);
        const std::string encoded = protocol::Encode(one);
        if (!bytes.Take(encoded, taken)) return false;
        out->msgpack += encoded;
        ++out->count;
        return true;
      });
  return status.ok() ? protocol::Ok() : protocol::Status(FromStorage(status));
}

}  // namespace

ReadAnswer ListHistory(const ReadContext& context, const protocol::MessageHistory::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  if (!context.caller.is_staff())
    return ErrorFor(protocol::Reason::kOnlyStaff, "only staff may see a message's history");
  PARLEY_TRY(exists, MessageExists(context, args));
  if (!exists) return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  const std::string query = "message.history " + args.thread_id.ToText() + " " + args.message_id.ToText();
  storage::SortRange range = HistoryOf(args.message_id);
  if (args.cursor) {
    auto position = context.cursors.Open(context.caller, query, *args.cursor);
    int64_t seq = 0;
    if (!position || !ParseHistoryKey(*position, &seq))
      return Error::BadField("cursor", "is not a cursor of this query");
    range.end = storage::SortKey(std::move(*position));
  }
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultVersions);
  protocol::MessageHistory::Reply reply;
  std::string last;
  bool sound = true, more = false;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] { return protocol::JsonSize(reply.versions.msgpack); };
  const auto status = context.snapshot.Scan(
      ThreadPartition(context.caller.tenant, args.thread_id), range, storage::Direction::kReverse, limit + 1,
      [&](std::string_view sort, storage::RowView row) {
        HistoryRow was;
        int64_t seq = 0;
        sound = ParseHistoryKey(sort, &seq) && DecodeStored(row.payload, &was);
        if (!sound) return false;
        if (standing.masked) was.before = Masked(std::move(was.before));
        const std::string version = protocol::Encode(
            protocol::MessageVersion{seq, was.at, was.by, was.reason, std::move(was.before)});
        more = reply.versions.count == limit || !bytes.Take(version, taken);
        if (more) return false;
        reply.versions.msgpack += version;
        ++reply.versions.count;
        last = sort;
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (more) reply.cursor = context.cursors.Seal(context.caller, query, last);
  if (!args.cursor) PARLEY_CHECK_OK(AddOriginals(context, args, standing.masked, &reply.originals));
  return protocol::Encode(reply);
}

}  // namespace parley::threads
