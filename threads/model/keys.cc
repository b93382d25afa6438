#include "threads/model/keys.h"

namespace parley::threads {

using storage::KeyReader;
using storage::KeyWriter;
using storage::SortKey;
using storage::ThreadTag;

storage::PartitionKey ThreadPartition(const TenantId& tenant, const ThreadId& thread) {
  return storage::PartitionKey::OfUlid(tenant, storage::TableTag::kThreads, thread.ulid);
}

std::optional<ThreadId> ThreadOfPartition(const storage::PartitionKey& partition) {
  if (partition.empty() || partition.table() != storage::TableTag::kThreads) return std::nullopt;
  const auto ulid = protocol::Ulid::FromBytes(partition.id());
  return ulid ? std::optional(ThreadId{*ulid}) : std::nullopt;
}

SortKey ThreadKey() {
  return KeyWriter().Tag(ThreadTag::kThread).Sort();
}
SortKey ParticipantKey(const UserId& user) {
  return KeyWriter().Tag(ThreadTag::kParticipant).Text(user.value).Sort();
}
SortKey MessageKey(const MessageId& message) {
  return KeyWriter().Tag(ThreadTag::kMessage).Id(message.ulid).Sort();
}
SortKey TabKey(protocol::TabName tab) {
  return KeyWriter().Tag(ThreadTag::kTab).Text(protocol::KeyText::UpToNul(protocol::NameOf(tab))).Sort();
}
SortKey LogKey(int64_t seq) {
  return KeyWriter().Tag(ThreadTag::kLog).Number(static_cast<uint64_t>(seq)).Sort();
}
SortKey IdempotencyKey(const UserId& user, const ClientId& client) {
  return KeyWriter().Tag(ThreadTag::kIdempotency).Text(user.value).Text(client.value).Sort();
}
SortKey DeletedKey(int64_t msg_no) {
  return KeyWriter().Tag(ThreadTag::kDeleted).Number(static_cast<uint64_t>(msg_no)).Sort();
}
SortKey DeletedBlockKey(int64_t block) {
  return KeyWriter().Tag(ThreadTag::kDeletedBlock).Number(static_cast<uint64_t>(block)).Sort();
}
SortKey HistoryKey(const MessageId& message, int64_t seq) {
  return KeyWriter().Tag(ThreadTag::kHistory).Id(message.ulid).Number(static_cast<uint64_t>(seq)).Sort();
}
storage::SortRange HistoryOf(const MessageId& message) {
  return storage::SortRange::Prefix(KeyWriter().Tag(ThreadTag::kHistory).Id(message.ulid).Sort());
}
SortKey ExternalEventKey(const ClientId& event) {
  return KeyWriter().Tag(ThreadTag::kExternalEvent).Text(event.value).Sort();
}

SortKey CardKey(const MessageId& message) {
  return KeyWriter().Tag(ThreadTag::kCard).Id(message.ulid).Sort();
}
SortKey EffectKey(int64_t seq) {
  return KeyWriter().Tag(ThreadTag::kEffect).Number(static_cast<uint64_t>(seq)).Sort();
}
SortKey CardAuditKey(int64_t seq) {
  return KeyWriter().Tag(ThreadTag::kCardAudit).Number(static_cast<uint64_t>(seq)).Sort();
}

SortKey AccessKey(const protocol::Ulid& look) {
  return KeyWriter().Tag(ThreadTag::kAccess).Id(look).Sort();
}

SortKey ActKey(const protocol::AuditId& act) {
  return KeyWriter().Tag(ThreadTag::kAct).Id(act.ulid).Sort();
}

SortKey ReactionKey(const MessageId& message, const protocol::KeyText& emoji, const UserId& user) {
  return KeyWriter().Tag(ThreadTag::kReaction).Id(message.ulid).Text(emoji).Text(user.value).Sort();
}
storage::SortRange ReactionsOf(const MessageId& message, const protocol::KeyText& emoji) {
  return storage::SortRange::Prefix(
      KeyWriter().Tag(ThreadTag::kReaction).Id(message.ulid).Text(emoji).Sort());
}

storage::SortRange RangeOf(ThreadTag tag) {
  return storage::SortRange::Prefix(KeyWriter().Tag(tag).Sort());
}

bool ParseMessageKey(std::string_view sort, MessageId* out) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kMessage) && reader.Id(&out->ulid) && reader.AtEnd();
}
bool ParseParticipantKey(std::string_view sort, UserId* out) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kParticipant) && reader.Text(&out->value) && reader.AtEnd();
}
bool ParseHistoryKey(std::string_view sort, MessageId* message) {
  KeyReader reader(sort);
  uint64_t seq = 0;
  return reader.Tag(ThreadTag::kHistory) && reader.Id(&message->ulid) && reader.Number(&seq) &&
         reader.AtEnd();
}
namespace {
bool ParseNumbered(ThreadTag tag, std::string_view sort, int64_t* out) {
  KeyReader reader(sort);
  uint64_t n = 0;
  if (!reader.Tag(tag) || !reader.Number(&n) || !reader.AtEnd()) return false;
  *out = static_cast<int64_t>(n);
  return true;
}
}  // namespace

bool ParseDeletedKey(std::string_view sort, int64_t* msg_no) {
  return ParseNumbered(ThreadTag::kDeleted, sort, msg_no);
}
bool ParseDeletedBlockKey(std::string_view sort, int64_t* block) {
  return ParseNumbered(ThreadTag::kDeletedBlock, sort, block);
}
bool ParseLogKey(std::string_view sort, int64_t* seq) {
  return ParseNumbered(ThreadTag::kLog, sort, seq);
}
bool ParseHistoryKey(std::string_view sort, int64_t* seq) {
  KeyReader reader(sort);
  protocol::Ulid message;
  uint64_t n = 0;
  if (!reader.Tag(ThreadTag::kHistory) || !reader.Id(&message) || !reader.Number(&n) || !reader.AtEnd())
    return false;
  *seq = static_cast<int64_t>(n);
  return true;
}
bool ParseEffectKey(std::string_view sort, int64_t* seq) {
  return ParseNumbered(ThreadTag::kEffect, sort, seq);
}
bool ParseCardAuditKey(std::string_view sort, int64_t* seq) {
  return ParseNumbered(ThreadTag::kCardAudit, sort, seq);
}

bool ParseAccessKey(std::string_view sort, protocol::Ulid* look) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kAccess) && reader.Id(look) && reader.AtEnd();
}

bool ParseActKey(std::string_view sort, protocol::AuditId* act) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kAct) && reader.Id(&act->ulid) && reader.AtEnd();
}

SortKey FileKey(const AttachmentId& file) {
  return KeyWriter().Tag(ThreadTag::kFile).Id(file.ulid).Sort();
}
bool ParseFileKey(std::string_view sort, AttachmentId* file) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kFile) && reader.Id(&file->ulid) && reader.AtEnd();
}

bool ParseReactionKey(std::string_view sort, MessageId* message, protocol::KeyText* emoji, UserId* user) {
  KeyReader reader(sort);
  return reader.Tag(ThreadTag::kReaction) && reader.Id(&message->ulid) && reader.Text(emoji) &&
         reader.Text(&user->value) && reader.AtEnd();
}

bool IsItemKey(std::string_view sort) {
  KeyReader reader(sort);
  uint8_t tag = 0;
  if (!reader.AnyTag(&tag)) return false;
  std::string text;
  protocol::Ulid id;
  switch (static_cast<ThreadTag>(tag)) {
    case ThreadTag::kThread:
      return reader.AtEnd();
    case ThreadTag::kParticipant:
    case ThreadTag::kTab:
      return reader.Text(&text) && reader.AtEnd();
    case ThreadTag::kMessage:
    case ThreadTag::kCard:
      return reader.Id(&id) && reader.AtEnd();
    default:
      return false;
  }
}

storage::PartitionKey UserPartition(const TenantId& tenant, const UserId& user) {
  return storage::PartitionKey::OfText(tenant, storage::TableTag::kUsers, user.value);
}
SortKey CreateKey(const ClientId& client) {
  return KeyWriter().Tag(storage::UserTag::kCreate).Text(client.value).Sort();
}
SortKey BroadcastKey(const ClientId& client) {
  return KeyWriter().Tag(storage::UserTag::kBroadcast).Text(client.value).Sort();
}
SortKey SafetyKey(const UserId& other, const ThreadId& thread) {
  return KeyWriter().Tag(storage::UserTag::kSafety).Text(other.value).Id(thread.ulid).Sort();
}
storage::SortRange SafetyRange(const UserId& other) {
  return storage::SortRange::Prefix(KeyWriter().Tag(storage::UserTag::kSafety).Text(other.value).Sort());
}
bool ParseSafetyKey(std::string_view sort, UserId* other, ThreadId* thread) {
  KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kSafety) && reader.Text(&other->value) && reader.Id(&thread->ulid) &&
         reader.AtEnd();
}
SortKey ContactKey(const UserId& other, const ThreadId& thread) {
  return KeyWriter().Tag(storage::UserTag::kContact).Text(other.value).Id(thread.ulid).Sort();
}
storage::SortRange ContactsWith(const UserId& other) {
  return storage::SortRange::Prefix(KeyWriter().Tag(storage::UserTag::kContact).Text(other.value).Sort());
}
bool ParseContactKey(std::string_view sort, UserId* other, ThreadId* thread) {
  KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kContact) && reader.Text(&other->value) && reader.Id(&thread->ulid) &&
         reader.AtEnd();
}
SortKey RequestKey(const RequestId& request) {
  return KeyWriter().Tag(storage::UserTag::kRequest).Id(request.ulid).Sort();
}
SortKey MeetingKey(const UserId& other, const ThreadId& thread) {
  return KeyWriter().Tag(storage::UserTag::kMeeting).Text(other.value).Id(thread.ulid).Sort();
}
storage::SortRange MeetingsWith(const UserId& other) {
  return storage::SortRange::Prefix(KeyWriter().Tag(storage::UserTag::kMeeting).Text(other.value).Sort());
}
bool ParseMeetingKey(std::string_view sort, UserId* other, ThreadId* thread) {
  KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kMeeting) && reader.Text(&other->value) && reader.Id(&thread->ulid) &&
         reader.AtEnd();
}
SortKey InquiryKey(const UserId& seller, const protocol::KeyText& role) {
  return KeyWriter().Tag(storage::UserTag::kInquiry).Text(seller.value).Text(role).Sort();
}
SortKey DirectKey(const UserId& other) {
  return KeyWriter().Tag(storage::UserTag::kDirect).Text(other.value).Sort();
}
bool ParseDirectKey(std::string_view sort, UserId* other) {
  KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kDirect) && reader.Text(&other->value) && reader.AtEnd();
}

// No user id begins with a blank.
storage::PartitionKey DuePartition(const TenantId& tenant) {
  return UserPartition(tenant, UserId{" due"});
}
SortKey DueKey(protocol::Time at, const UserId& user, const SortKey& reservation) {
  return SortKey(
      KeyWriter().Tag(storage::UserTag::kDue).Number(static_cast<uint64_t>(at.ms)).Text(user.value).Bytes() +
      reservation.bytes());
}
bool ParseDueKey(std::string_view sort, protocol::Time* at, UserId* user, SortKey* reservation) {
  KeyReader reader(sort);
  uint64_t ms = 0;
  if (!reader.Tag(storage::UserTag::kDue) || !reader.Number(&ms) || !reader.Text(&user->value) ||
      reader.AtEnd())
    return false;
  at->ms = static_cast<int64_t>(ms);
  *reservation = SortKey(std::string(sort.substr(1 + 8 + user->value.size() + 1)));
  return true;
}

}  // namespace parley::threads
