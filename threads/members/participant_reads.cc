#include "threads/members/participant_reads.h"

namespace parley::threads {

namespace {

constexpr int64_t kDefaultParticipants = 50;

// Limits the rows read for one page, members or not: a page may be short if many members have left.
constexpr size_t kParticipantRowsMax = 1000;

struct ParticipantPage {
  protocol::EncodedListOf<protocol::Participant> participants;
  std::optional<UserId> last;  // the user after whom the next page continues; null at the end
};

// Reads present members after `after`, in order of userId.
Result<ParticipantPage> ReadParticipants(const RowReader& rows, const ThreadId& thread,
                                         const std::optional<UserId>& after, size_t limit) {
  ParticipantPage page;
  size_t looked_at = 0;
  bool sound = true, more = false;
  storage::SortRange range = RangeOf(storage::ThreadTag::kParticipant);
  if (after) range.begin = storage::SortKey(ParticipantKey(*after).bytes() + '\0');  // the next possible key
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range, storage::Direction::kForward,
                      kParticipantRowsMax, [&](std::string_view, storage::RowView row) {
                        ParticipantRow participant;
                        sound = DecodeItem(row.payload, &participant);
                        more = sound && participant.active() && page.participants.count == limit;
                        if (!sound || more) return false;
                        page.last = participant.item.user_id;
                        more = ++looked_at == kParticipantRowsMax;
                        if (!participant.active()) return true;
                        page.participants.msgpack += Wire(participant.item);
                        ++page.participants.count;
                        return true;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (!more) page.last.reset();
  return page;
}

}  // namespace

ReadAnswer ListParticipants(const ReadContext& context, const protocol::ParticipantList::Args& args) {
  const std::string query = "participant.list " + args.thread_id.ToText();
  std::optional<UserId> after;
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    if (position) after = UserId::FromText(*position);
    if (!after) return Error::BadField("cursor", "is not a cursor of this query");
  }
  PARLEY_CHECK_OK(StandingOf(context, args.thread_id));
  const int64_t limit = args.limit ? args.limit->value : kDefaultParticipants;
  PARLEY_TRY(page, ReadParticipants(context.rows(), args.thread_id, after, static_cast<size_t>(limit)));
  protocol::ParticipantList::Reply reply;
  reply.participants = std::move(page.participants);
  if (page.last) reply.cursor = context.cursors.Seal(context.caller, query, page.last->value);
  return protocol::Encode(reply);
}

}  // namespace parley::threads
