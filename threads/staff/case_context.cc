#include "threads/staff/case_context.h"

#include <algorithm>

#include "threads/model/mask.h"
#include "threads/model/staff_view.h"

namespace parley::threads {
namespace {

constexpr size_t kEachSide = 10, kParticipants = 100;

class Reading {
 public:
  Reading(const ReadContext& context, const ThreadId& thread, bool masked)
      : context_(context), thread_(thread), masked_(masked) {}

  // Adds up to `limit` messages in the direction, in the order of reading.
  protocol::Status Add(storage::SortRange range, storage::Direction direction, size_t limit,
                       std::vector<std::string>* out) const {
    bool sound = true;
    const auto status = context_.snapshot.Scan(ThreadPartition(context_.caller.tenant, thread_), range,
                                               direction, limit, [&](std::string_view, storage::RowView row) {
                                                 MessageRow message;
                                                 sound = DecodeItem(row.payload, &message);
                                                 if (sound) out->push_back(Shown(std::move(message)));
                                                 return sound;
                                               });
    if (!status.ok()) return FromStorage(status);
    return sound ? protocol::Ok()
                 : protocol::Status(Error(ErrorCode::kInternal, "stored data cannot be read"));
  }

 private:
  std::string Shown(MessageRow row) const {
    if (row.hidden.withheld.value) {  // staff who decide see withheld content
      row.item.body = row.hidden.withheld.value->body;
      row.item.attachments = row.hidden.withheld.value->attachments;
    }
    if (row.hidden.flagged.value) row.item.flags.moderation = protocol::Moderation::kFlagged;
    return Wire(masked_ ? Masked(std::move(row.item)) : row.item);
  }

  const ReadContext& context_;
  const ThreadId& thread_;
  const bool masked_;
};

std::string ShownThread(const ReadContext& context, ThreadRow head, bool masked) {
  if (masked) head.item = Masked(std::move(head.item));
  return WireFor(context.caller, head);
}

}  // namespace

Result<protocol::CaseContext> ReadCaseContext(const ReadContext& context, const ThreadId& thread,
                                              const std::optional<MessageId>& message, bool masked) {
  protocol::CaseContext out;
  PARLEY_TRY(head, context.rows().Thread(thread));
  if (!head) return out;
  out.thread.emplace().msgpack = ShownThread(context, *std::move(head), masked);
  const Reading reading(context, thread, masked);
  const storage::SortRange all = RangeOf(storage::ThreadTag::kMessage);
  std::vector<std::string> messages;
  storage::SortRange before = all;
  if (message) before.end = MessageKey(*message);
  PARLEY_CHECK_OK(
      reading.Add(before, storage::Direction::kReverse, message ? kEachSide : 2 * kEachSide, &messages));
  std::reverse(messages.begin(), messages.end());
  if (message) {
    const storage::SortRange after{MessageKey(*message), all.end};
    PARLEY_CHECK_OK(reading.Add(after, storage::Direction::kForward, kEachSide + 1, &messages));
  }
  for (const std::string& one : messages) out.messages.msgpack += one;
  out.messages.count = messages.size();
  PARLEY_TRY(members, context.rows().Participants(thread, {}, kParticipants));
  for (const ParticipantRow& one : members) out.participants.msgpack += Wire(one.item);
  out.participants.count = members.size();
  return out;
}

}  // namespace parley::threads
