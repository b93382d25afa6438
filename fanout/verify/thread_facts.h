// Collects the rows of one thread without the server's domain code, and checks that they agree with each
// other.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/value.h"
#include "storage/table.h"
#include "threads/model/keys.h"

namespace parley::fanout {

// A decoded item row: two numbers and two maps.
struct RawItem {
  int64_t seq = 0;
  int64_t born_seq = 0;
  protocol::Document wire;
  protocol::Document hidden;

  std::string Text(std::string_view field) const;  // "" when missing or null
  int64_t Number(std::string_view field) const;    // -1 when missing
  bool IsNull(std::string_view field) const;
  std::optional<int64_t> HiddenNumber(std::string_view field) const;
  std::string HiddenText(std::string_view field) const;
  bool HiddenFlag(std::string_view field) const;
  // The only user, besides staff, who may see this message or card; "" if all members may.
  std::string OnlyFor() const { return HiddenText("onlyFor"); }
};

struct RawLog {
  int64_t seq;
  int kind;
  std::string sort;
  protocol::Time at;  // time of the decision
};

// A REACT# row.
struct RawReaction {
  protocol::MessageId message;
  protocol::KeyText emoji;
  protocol::UserId user;
};

struct ThreadFacts {
  protocol::TenantId tenant;
  protocol::ThreadId thread;
  std::optional<RawItem> head;
  std::map<std::string, RawItem> items;                   // by sort key; every row with a seq
  std::vector<RawItem*> participants;                     // by userId; point into items
  std::vector<RawItem*> messages;                         // in key order
  std::vector<RawItem*> cards;                            // in key order
  std::map<int64_t, protocol::Document> effects, audits;  // OUT# and AUD#, by seq
  std::map<std::string, protocol::Document> acts, looks;  // ACT# and LOOK#, by auditId
  std::map<std::string, protocol::Document> files;        // FILE# rows, by attachmentId
  std::vector<RawReaction> reactions;                     // REACT# rows: those that no message lists
  std::vector<RawLog> log;
  std::vector<int64_t> deleted;  // msgNos of DEL# rows and DELS# bits
  bool deleted_rows = false;     // has DEL# rows
  bool folded = false;           // has the row that claims that there are no DEL# rows
  size_t answers = 0, dated_histories = 0,
         dated_events = 0;  // IDEM#; HIST# and ORIG# with a time; EVT# with a time
  std::vector<std::pair<std::string, std::string>> kept;  // IDEM#, HIST# and ORIG#: sort key and payload
  std::vector<std::string> unreadable;                    // descriptions of rows that could not be decoded

  std::string name() const { return tenant.value + " " + thread.ToText(); }
};

// Adds one row to the facts.
void AddRow(const std::string& sort, std::string_view payload, ThreadFacts* facts);
// Call once all rows have been added.
void Arrange(ThreadFacts* facts);

// Checks a thread's own rows: the last change of each item in LOG#, msgNos without holes, order, counts, and
// marks of deleted messages.
void CheckThread(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// Returns the newest message that all members may see, or nullptr.
const RawItem* NewestShared(const ThreadFacts& facts);

// Returns true if the thread has an open safety report that only its creator and staff may see. A card opened
// by the text policy does not count.
bool HoldsReport(const ThreadFacts& facts);

// Returns the msgNo up to which a member has read: their cursor, their own last message or their joining.
int64_t ReadBase(const ThreadFacts& facts, const RawItem& member);

// Counts the messages that a member has not read.
int64_t CountUnread(const ThreadFacts& facts, const RawItem& member);

}  // namespace parley::fanout
