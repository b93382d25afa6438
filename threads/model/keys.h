// Builds and parses the keys of the messaging table and of the reservations that point into it.
#pragma once

#include <cstdint>
#include <optional>

#include "protocol/base/ids.h"
#include "protocol/items.h"
#include "storage/key.h"

namespace parley::threads {

using protocol::AttachmentId;
using protocol::ClientId;
using protocol::MessageId;
using protocol::RequestId;
using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

// THR#{threadId}
storage::PartitionKey ThreadPartition(const TenantId& tenant, const ThreadId& thread);
std::optional<ThreadId> ThreadOfPartition(const storage::PartitionKey& partition);

storage::SortKey ThreadKey();                           // THR
storage::SortKey ParticipantKey(const UserId& user);    // PART#{userId}
storage::SortKey MessageKey(const MessageId& message);  // MSG#{ts}#{messageId}: the id begins with ts
storage::SortKey TabKey(protocol::TabName tab);         // TAB#{tab}
storage::SortKey LogKey(int64_t seq);                   // LOG#{seq}
storage::SortKey IdempotencyKey(const UserId& user, const ClientId& client);  // IDEM#{userId}#{clientId}
storage::SortKey DeletedKey(int64_t msg_no);                                  // DEL#{msgNo}
storage::SortKey DeletedBlockKey(int64_t block);                              // DELS#{block}
storage::SortKey HistoryKey(const MessageId& message, int64_t seq);           // HIST#{messageId}#{seq}
storage::SortRange HistoryOf(const MessageId& message);                       // oldest first
storage::SortKey ExternalEventKey(const ClientId& event);                     // EVT#{eventId}
storage::SortKey CardKey(const MessageId& message);                           // CARD#{messageId}
storage::SortKey EffectKey(int64_t seq);                                      // OUT#{seq}
storage::SortKey CardAuditKey(int64_t seq);                                   // AUD#{seq}
storage::SortKey AccessKey(const protocol::Ulid& look);                       // LOOK#{lookId}
storage::SortKey ActKey(const protocol::AuditId& act);                        // ACT#{auditId}
storage::SortKey FileKey(const AttachmentId& file);                           // FILE#{attachmentId}
// REACT#{messageId}#{emoji}#{userId}
storage::SortKey ReactionKey(const MessageId& message, const protocol::KeyText& emoji, const UserId& user);
storage::SortRange ReactionsOf(const MessageId& message, const protocol::KeyText& emoji);  // by userId
storage::SortRange RangeOf(storage::ThreadTag tag);  // all rows of one kind

bool ParseMessageKey(std::string_view sort, MessageId* out);
bool ParseParticipantKey(std::string_view sort, UserId* out);
bool ParseHistoryKey(std::string_view sort, MessageId* message);
bool ParseDeletedKey(std::string_view sort, int64_t* msg_no);
bool ParseDeletedBlockKey(std::string_view sort, int64_t* block);
bool ParseLogKey(std::string_view sort, int64_t* seq);
// Whether `sort` is the complete key of a row that a LOG# row may name: THR, PART, MSG, CARD or TAB.
bool IsItemKey(std::string_view sort);
bool ParseHistoryKey(std::string_view sort, int64_t* seq);
bool ParseEffectKey(std::string_view sort, int64_t* seq);
bool ParseCardAuditKey(std::string_view sort, int64_t* seq);
bool ParseAccessKey(std::string_view sort, protocol::Ulid* look);
bool ParseActKey(std::string_view sort, protocol::AuditId* act);
bool ParseFileKey(std::string_view sort, AttachmentId* file);
bool ParseReactionKey(std::string_view sort, MessageId* message, protocol::KeyText* emoji, UserId* user);

// USR#{userId}
storage::PartitionKey UserPartition(const TenantId& tenant, const UserId& user);
storage::SortKey CreateKey(const ClientId& client);     // CREATE#{clientId}
storage::SortKey BroadcastKey(const ClientId& client);  // BROADCAST#{clientId}
// MET#{userId}#{threadId}, in the partition of the lower of the two ids
storage::SortKey MeetingKey(const UserId& other, const ThreadId& thread);
storage::SortRange MeetingsWith(const UserId& other);
bool ParseMeetingKey(std::string_view sort, UserId* other, ThreadId* thread);
storage::SortKey InquiryKey(const UserId& seller,
                            const protocol::KeyText& role);  // INQUIRY#{sellerUserId}#{role}
// DIRECT#{userId}, in the partition of the lower of the two ids.
storage::SortKey DirectKey(const UserId& other);
bool ParseDirectKey(std::string_view sort, UserId* other);
// SAFETY#{userId}#{threadId}, in the partition of the lower of the two ids.
storage::SortKey SafetyKey(const UserId& other, const ThreadId& thread);
storage::SortRange SafetyRange(const UserId& other);
bool ParseSafetyKey(std::string_view sort, UserId* other, ThreadId* thread);
// CONTACT#{userId}#{threadId}, in the partition of the lower of the two ids.
storage::SortKey ContactKey(const UserId& other, const ThreadId& thread);
storage::SortRange ContactsWith(const UserId& other);
bool ParseContactKey(std::string_view sort, UserId* other, ThreadId* thread);
// REQUEST#{requestId}, in the partition of the user who receives the request
storage::SortKey RequestKey(const RequestId& request);

// The tenant's queue of reservations to check, by time: DUE#{time}#{userId}#{key of the reservation}.
storage::PartitionKey DuePartition(const TenantId& tenant);
storage::SortKey DueKey(protocol::Time at, const UserId& user, const storage::SortKey& reservation);
bool ParseDueKey(std::string_view sort, protocol::Time* at, UserId* user, storage::SortKey* reservation);

}  // namespace parley::threads
