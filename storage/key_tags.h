// Every key tag of the store, numbered by hand.
//
// WARNING: these numbers are on disk. Never reorder, never reuse; a retired number stays listed as retired.
#pragma once

#include <cstdint>

namespace parley::storage {

// The table of a row: the byte after the tenant.
enum class TableTag : uint8_t {
  kStore = 1,         // the store's own rows, tenant empty: META, change log, cursors
  kThreads = 2,       // THR#{threadId}: the messaging table
  kUsers = 3,         // USR#{userId}: reservations that lead to threads
  kInboxIndex = 4,    // GSI1: PARTICIPANT#{userId}
  kProjectIndex = 5,  // GSI2: LBG#{lbgId} and LEG#{legId}
  kPlacement = 6,     // THR#{threadId}: the last output of the projections for a thread
  // 7 is retired: until format 2 it was a tenant's deadlines in order of time
  kEffectFeed = 8,  // a tenant's outside effects, oldest first
  kWake = 9,        // a tenant's snoozes and checks in order of time
  kItems = 10,  // a table of the table engine: its items, index rows and guards; and the engine's own rows
  kItemExpiry = 11,  // items that expire, of all tenants, in order of time
  kQuotas = 12,      // recent uses of daily quotas by a user, or by a tenant's bots together
  kAudit = 13,       // a tenant's audit chain: acts and reads of staff
};

// First byte of a sort key within kItems.
enum class ItemTag : uint8_t {
  kItem = 1,        // an item, by the hash of its partition key
  kIndex = 2,       // an item's entry in an index
  kGuard = 3,       // an item's unique values
  kStats = 4,       // the number and size of items
  kDefinition = 5,  // the definition of a tenant's own table
  kToken = 6,       // a completed transaction, by its idempotency token
  kRecord = 7,      // a record of the server beside the tables
};

// First byte of a sort key within kThreads.
enum class ThreadTag : uint8_t {
  kThread = 1,          // THR
  kParticipant = 2,     // PART#{userId}
  kMessage = 3,         // MSG#{ts}#{messageId}
  kCard = 4,            // CARD#{messageId}
  kTab = 5,             // TAB#{tab}
  kLog = 6,             // LOG#{seq}
  kIdempotency = 7,     // IDEM#{userId}#{clientId}
  kDeleted = 8,         // DEL#{msgNo}: from earlier versions, which wrote no kDeletedBlock
  kHistory = 9,         // HIST#{messageId}#{seq}: bodies before an edit or delete, for audit
  kExternalEvent = 10,  // EVT#{eventId}: outside events already applied
  kEffect = 11,         // OUT#{seq}: outside effects that are not yet carried out or acknowledged
  kCardAudit = 12,      // AUD#{seq}: a change of a card, its author and reason
  kAccess = 13,         // LOOK#{lookId}: a read of the thread by staff, with its op
  kDeletedBlock = 14,   // DELS#{block}: which of 4096 messages never count as unread
  kAct = 15,            // ACT#{auditId}: an act of staff in the thread, and its reason
  kReaction = 16,       // REACT#{messageId}#{emoji}#{userId}: a reaction that its message does not list
  kFile = 17,           // FILE#{attachmentId}: an upload
  kOriginal = 20,       // ORIG#{messageId}#{seq}: a body before the text policy redacted it, sealed
};

// First byte of a sort key within kUsers.
enum class UserTag : uint8_t {
  kCreate = 1,     // CREATE#{clientId} → threadId
  kInquiry = 2,    // INQUIRY#{sellerUserId}#{role} → threadId
  kBroadcast = 3,  // BROADCAST#{clientId} → the threads of a broadcast
  kSafety = 4,     // SAFETY#{userId}#{threadId}: a safety report is open there between the two
  kMeeting = 5,    // MET#{userId}#{threadId} → the time of the two users' meeting by that thread
  kDue = 6,        // DUE#{time}#{userId}#{key}: the time to check a reservation; in a partition without a
                   // user
  kDirect = 7,     // DIRECT#{userId} → threadId: the one direct thread of the two
  kContact = 8,    // CONTACT#{userId}#{threadId}: the outcome of a message request between the two
  kRequest = 9,    // REQUEST#{requestId} → the thread that the user is invited to
  kCredits = 10,   // CREDITS: the user's spending of this month
  // Rows of uploads, in partitions without a user:
  kFile = 11,        // FILE → threadId: the thread of an upload; the partition is named after the upload
  kFileDue = 12,     // FILEDUE#{time}#{threadId}#{attachmentId}: when to look after an upload
  kFileRef = 13,     // FILEREF#{attachmentId}: an upload whose bytes these are; the partition is named after
                     // the bytes
  kFileMark = 14,    // FILEMARK: the bytes are condemned; in the partition named after them
  kFileSpread = 15,  // FILESPREAD#{threadId}#{attachmentId}: a mark that has not reached all uploads yet
  kProfile = 16,     // PROFILE → attachmentId: a user's avatar, or the tenant's brand
  kLadder = 20,      // LADDER#{threadId}: the user's strikes under the text policy in that thread
};

// First byte of a sort key within kAudit.
enum class AuditTag : uint8_t {
  kHead = 1,    // HEAD: the length of the chain and its last hash
  kEntry = 2,   // ENTRY#{seq}
  kByTime = 3,  // AT#{time}#{seq}: an entry, in order of time
  kBy = 4,      // BY#{facet}#{value}#{time}#{seq}: an entry by its subject or its actor
};

// First byte of a sort key within kStore.
enum class StoreTag : uint8_t {
  kMeta = 1,       // META
  kChangeLog = 2,  // CHANGE#{position}
  kCursor = 3,     // CURSOR#{projection}
  kTrimmed = 4,    // TRIMMED: the position up to which the change log was trimmed
};

// First byte of a partition within kProjectIndex.
enum class ProjectTag : uint8_t { kLbg = 1, kLeg = 2 };

}  // namespace parley::storage
