// One thread as its rows tell it, gathered without any of the server's domain code, and what must hold within
// it.
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

// An item row taken apart: numbers in front, then two maps.
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
  // For a message or card that not everybody may see: the user who may, apart from staff. "" for all others.
  std::string OnlyFor() const { return HiddenText("onlyFor"); }
};

struct RawLog {
  int64_t seq;
  int kind;
  std::string sort;
  protocol::Time at;  // when it was decided
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
  std::map<std::string, RawItem> items;                   // by sort key: everything that has a seq
  std::vector<RawItem*> participants;                     // by userId; point into items
  std::vector<RawItem*> messages;                         // in key order
  std::vector<RawItem*> cards;                            // in key order
  std::map<int64_t, protocol::Document> effects, audits;  // OUT# and AUD#, by seq
  std::map<std::string, protocol::Document> acts, looks;  // ACT# and LOOK#, by auditId
  std::vector<RawReaction> reactions;                     // that no message lists
  std::vector<RawLog> log;
  std::vector<int64_t> deleted;                               // msgNos of DEL# rows and DELS# bits
  bool deleted_rows = false;                                  // there are DEL# rows
  bool folded = false;                                        // it says that there are none
  size_t answers = 0, dated_histories = 0, dated_events = 0;  // IDEM#; HIST# and EVT# that say since when;
                                                              // ORIG# counts with HIST#
  std::vector<std::pair<std::string, std::string>> kept;      // IDEM#, HIST# and ORIG#: sort key and payload
  std::vector<std::string> unreadable;                        // what could not be decoded

  std::string name() const { return tenant.value + " " + thread.ToText(); }
};

// Adds one row to the facts.
void AddRow(const std::string& sort, std::string_view payload, ThreadFacts* facts);
// Call once all rows have been added.
void Arrange(ThreadFacts* facts);

// What must hold within a thread: the last change of each item in LOG#, dense msgNos, order, counts, deleted
// marks.
void CheckThread(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// The newest message that all members see; nullptr: there is none.
const RawItem* NewestShared(const ThreadFacts& facts);

// Whether the thread holds an open safety report that only its creator and staff see. The card of a stop by
// the text policy is none.
bool HoldsReport(const ThreadFacts& facts);

// The msgNo up to which all counts as read by a member: their cursor, their own last message, their joining.
int64_t ReadBase(const ThreadFacts& facts, const RawItem& member);

// Counted from messages: how many a member has not read.
int64_t CountUnread(const ThreadFacts& facts, const RawItem& member);

}  // namespace parley::fanout
