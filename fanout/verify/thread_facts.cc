#include "fanout/verify/thread_facts.h"

#include <algorithm>
#include <set>

#include "fanout/verify/card_facts.h"
#include "fanout/verify/kept_facts.h"
#include "fanout/verify/member_facts.h"
#include "fanout/verify/panel_facts.h"
#include "fanout/verify/reaction_facts.h"
#include "fanout/verify/redaction_facts.h"
#include "protocol/base/varint.h"
#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

bool DecodeMap(std::string_view bytes, protocol::Document* out) {
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{64} << 20;
  limits.max_values = size_t{1} << 20;
  limits.max_depth = 64;
  return !protocol::DecodeMsgpack(std::string(bytes), limits, out);
}

std::string TextIn(const protocol::Document& map, std::string_view field) {
  const protocol::Value* value = map.root.Find(field);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
std::optional<int64_t> NumberIn(const protocol::Document& map, std::string_view field) {
  const protocol::Value* value = map.root.Find(field);
  return value && value->as_int() ? std::optional(*value->as_int()) : std::nullopt;
}

// LOG# kinds: numbers of protocol::EventKind, duplicated so that verify detects a changed number.
constexpr int kParticipantAdded = 2;
constexpr int kMessageCreated = 5;
constexpr int kCardUpdated = 7;
constexpr int kTabUpdated = 8;

bool Born(int kind) {
  return kind == 0 || kind == kParticipantAdded || kind == kMessageCreated;
}

// The changes that a thread's log keeps, and those that may wait for the next sweep; duplicated on purpose.
constexpr int64_t kKeptLog = 10'000, kSweptTogether = 1'000;

storage::ThreadTag TagOf(std::string_view sort) {
  return static_cast<storage::ThreadTag>(sort.empty() ? 0 : sort[0]);
}

using Differs = std::function<void(const std::string&)>;

int64_t SweptOf(const ThreadFacts& facts) {
  return facts.head->HiddenNumber("logSwept").value_or(0);
}

// From this seq on, LOG# has only the last change of each item. Threads that have not changed since an
// earlier version wrote them have a row for every change that was not swept.
constexpr const char* kLeanFrom = "leanFrom";

void CheckEveryChange(const ThreadFacts& facts, const Differs& differs) {
  int64_t expected = SweptOf(facts) + 1;
  for (const RawLog& entry : facts.log) {
    if (entry.seq != expected) differs("hole in seq: LOG#" + std::to_string(expected) + " is missing");
    expected = entry.seq + 1;
  }
}

void CheckBirth(const RawItem& item, const RawLog& last, int64_t born, const Differs& differs) {
  const bool starts = born == last.seq;
  const bool may_start = Born(last.kind) || last.kind == kCardUpdated || last.kind == kTabUpdated;
  const bool right = born > 0 ? item.born_seq == born : item.born_seq <= last.seq;
  const bool fits = item.born_seq == last.seq ? may_start : item.born_seq > 0 && !starts;
  if (!right || !fits)
    differs("an item changed at LOG#" + std::to_string(last.seq) + " has a wrong birth seq");
}

void CheckLog(const ThreadFacts& facts, const Differs& differs) {
  std::map<std::string, const RawLog*> newest;
  std::map<std::string, int64_t> born;  // unless the row was removed
  const auto lean_from = facts.head->HiddenNumber(kLeanFrom);
  if (!lean_from) CheckEveryChange(facts, differs);
  const int64_t swept = SweptOf(facts);
  for (const RawLog& entry : facts.log) {
    if (entry.seq <= swept) {
      differs("LOG#" + std::to_string(entry.seq) + " should have been swept");
      continue;
    }
    newest[entry.sort] = &entry;
    if (Born(entry.kind)) born[entry.sort] = entry.seq;
  }
  const int64_t end = facts.log.empty() ? 0 : facts.log.back().seq;
  if (facts.head->Number("lastSeq") != end) {
    differs("lastSeq is " + std::to_string(facts.head->Number("lastSeq")) + ", but the log ends at " +
            std::to_string(end));
  }
  for (const RawLog& entry : facts.log) {
    if (lean_from && entry.seq > swept && entry.seq >= *lean_from && newest[entry.sort]->seq != entry.seq)
      differs("LOG#" + std::to_string(entry.seq) + " was not removed when its item changed again");
  }
  for (const auto& [sort, last] : newest) {
    const auto item = facts.items.find(sort);
    if (item == facts.items.end()) {
      differs("LOG#" + std::to_string(last->seq) + " names a row that does not exist");
      continue;
    }
    if (item->second.seq != last->seq || item->second.Number("seq") != last->seq) {
      differs("an item's seq is " + std::to_string(item->second.seq) + ", but its last change is LOG#" +
              std::to_string(last->seq));
    }
    CheckBirth(item->second, *last, born[sort], differs);
  }
  std::set<int64_t> births;
  for (const auto& [sort, item] : facts.items) {
    if (item.seq > swept && !newest.contains(sort))
      differs("an item with seq " + std::to_string(item.seq) + " is in no LOG# row");
    if (!births.insert(item.born_seq).second)
      differs("two items were created with seq " + std::to_string(item.born_seq));
  }
}

// Rows that expire have a time of removal in the head, and LOG# was not swept too far.
void CheckAging(const ThreadFacts& facts, const Differs& differs) {
  const RawItem& head = *facts.head;
  const auto awaited = [&](const char* field, size_t rows, const char* what) {
    if (rows > 0 && head.HiddenText(field).empty())
      differs(std::to_string(rows) + " " + what + " rows are never removed");
  };
  awaited("forgetDueAt", facts.answers, "IDEM#");
  awaited("historyDueAt", facts.dated_histories, "HIST# or ORIG#");
  awaited("eventsDueAt", facts.dated_events, "EVT#");
  if (SweptOf(facts) == 0) return;  // not swept until the thread changes, if an earlier version wrote it
  const int64_t kept = head.Number("lastSeq") - SweptOf(facts);
  if (kept >= kKeptLog + kSweptTogether) awaited("logDueAt", static_cast<size_t>(kept), "LOG#");
  if (kept < kKeptLog) differs("LOG# was swept too far");
}

// A repeat within this time must not send again. The server keeps keys for longer, in case the clock is set.
constexpr int64_t kKeyHoldsMs = int64_t{24} * 3600 * 1000;

// Reports messages that one author sent twice under one key within that time.
void CheckSentOnce(const ThreadFacts& facts, const Differs& differs) {
  std::map<int64_t, protocol::Time> decided;
  for (const RawLog& entry : facts.log) decided[entry.seq] = entry.at;
  std::map<std::pair<std::string, std::string>, protocol::Time> sends;
  for (const RawItem* message : facts.messages) {
    const std::string client = message->Text("clientId");
    if (client.empty()) continue;
    const auto made = decided.find(message->born_seq);
    if (made == decided.end()) continue;  // its row was replaced or swept, so its time is unknown
    const protocol::Time at = made->second;
    const auto [earlier, first] = sends.try_emplace({message->Text("authorUserId"), client}, at);
    if (!first && at.ms - earlier->second.ms < kKeyHoldsMs)
      differs(message->Text("messageId") + ": sent twice, clientId " + client);
    earlier->second = at;
  }
}

// No reply, pin or read cursor that all members see names a message that some may not see.
void CheckSecrets(const ThreadFacts& facts, const Differs& differs) {
  std::map<std::string, std::string> secret;
  for (const RawItem* message : facts.messages) {
    if (!message->OnlyFor().empty()) secret[message->Text("messageId")] = message->OnlyFor();
  }
  if (secret.empty()) return;
  for (const RawItem* message : facts.messages) {
    const auto replied = secret.find(message->Text("replyTo"));
    if (replied != secret.end() && replied->second != message->OnlyFor())
      differs(message->Text("messageId") + ": replies to a message that some members may not see");
    if (!message->OnlyFor().empty() && !message->IsNull("pin"))
      differs(message->Text("messageId") + ": is pinned, but some members may not see it");
  }
  for (const RawItem* member : facts.participants) {
    if (secret.contains(member->Text("lastReadMsgId")))
      differs(member->Text("userId") + " has a read cursor at a message that some members may not see");
  }
}

void CheckMessages(const ThreadFacts& facts, const Differs& differs) {
  int64_t no = 0;
  std::string last_at;
  std::set<int64_t> uncounted;
  for (const RawItem* message : facts.messages) {
    ++no;
    const std::string id = message->Text("messageId");
    if (message->Number("msgNo") != no)
      differs("hole in msgNo: " + id + " has " + std::to_string(message->Number("msgNo")) + " instead of " +
              std::to_string(no));
    const auto parsed = protocol::MessageId::FromText(id);
    if (!parsed || protocol::FormatTime(parsed->ulid.time()) != message->Text("createdAt"))
      differs(id + ": createdAt is not the time in its id");
    if (message->Text("createdAt") < last_at) differs(id + ": is earlier than the message before it");
    last_at = message->Text("createdAt");
    if (!message->OnlyFor().empty()) uncounted.insert(no);
    if (message->Text("threadId") != facts.thread.ToText()) differs(id + ": names another thread");
    if (!message->IsNull("deletedAt")) {
      uncounted.insert(no);
      if (!message->Text("body").empty()) differs(id + ": is deleted, but still has a body");
    }
  }
  CheckSentOnce(facts, differs);
  if (facts.head->Number("lastMsgNo") != no)
    differs("lastMsgNo is " + std::to_string(facts.head->Number("lastMsgNo")) + ", but there are " +
            std::to_string(no) + " messages");
  const RawItem* shared = NewestShared(facts);
  if (facts.head->Text("lastMessageAt") != (shared ? shared->Text("createdAt") : ""))
    differs("lastMessageAt is not the time of the newest message");
  const bool all_shared = facts.messages.empty() || facts.messages.back()->OnlyFor().empty();
  const auto shared_no = all_shared ? std::nullopt : std::optional(shared ? shared->Number("msgNo") : 0);
  if (facts.head->HiddenNumber("sharedMsgNo") != shared_no ||
      facts.head->HiddenText("newestMessage") != (all_shared ? "" : facts.messages.back()->Text("messageId")))
    differs("sharedMsgNo or newestMessage of the head is wrong");
  if (uncounted != std::set<int64_t>(facts.deleted.begin(), facts.deleted.end()))
    differs("DEL# and DELS# rows do not match the uncounted messages");
  if (facts.deleted.size() != uncounted.size() ||
      facts.head->HiddenNumber("deletedCount") != static_cast<int64_t>(uncounted.size()))
    differs("deletedCount is not the number of uncounted messages, or a message is marked twice");
  if (facts.folded && facts.deleted_rows) differs("DEL# rows remain beside DELS#");
  CheckSecrets(facts, differs);
}

// A row covers 4096 messages: the count, then one bit each, from the lowest bit of the first byte.
bool AddDeletedBlock(const std::string& sort, std::string_view payload, ThreadFacts* facts) {
  int64_t block = 0;
  uint64_t count = 0;
  if (!threads::ParseDeletedBlockKey(sort, &block)) return false;
  if (block == INT64_MAX) {
    facts->folded = true;
    return payload.empty();
  }
  if (!protocol::TakeVarint(&payload, &count) || payload.size() > 512) return false;
  for (size_t i = 0; i < payload.size() * 8; ++i) {
    if (!((static_cast<unsigned char>(payload[i / 8]) >> (i % 8)) & 1)) continue;
    facts->deleted.push_back(block * 4096 + static_cast<int64_t>(i));
    --count;
  }
  return count == 0;
}

}  // namespace

std::string RawItem::Text(std::string_view field) const {
  return TextIn(wire, field);
}
int64_t RawItem::Number(std::string_view field) const {
  return NumberIn(wire, field).value_or(-1);
}
bool RawItem::IsNull(std::string_view field) const {
  const protocol::Value* value = wire.root.Find(field);
  return !value || value->is_null();
}
std::optional<int64_t> RawItem::HiddenNumber(std::string_view field) const {
  return NumberIn(hidden, field);
}
std::string RawItem::HiddenText(std::string_view field) const {
  return TextIn(hidden, field);
}
bool RawItem::HiddenFlag(std::string_view field) const {
  const protocol::Value* value = hidden.root.Find(field);
  return value && value->as_bool() && *value->as_bool();
}

void AddRow(const std::string& sort, std::string_view payload, ThreadFacts* facts) {
  switch (TagOf(sort)) {
    case storage::ThreadTag::kThread:
    case storage::ThreadTag::kParticipant:
    case storage::ThreadTag::kMessage:
    case storage::ThreadTag::kCard:
    case storage::ThreadTag::kTab: {
      threads::ItemView view;
      RawItem item;
      if (!threads::ParseItem(payload, &view) || !DecodeMap(view.wire, &item.wire) ||
          !DecodeMap(view.hidden, &item.hidden)) {
        facts->unreadable.push_back("an item row cannot be read");
        return;
      }
      item.seq = view.seq;
      item.born_seq = view.born_seq;
      facts->items[sort] = std::move(item);
      return;
    }
    case storage::ThreadTag::kLog: {
      int64_t seq = 0;
      threads::LogRow row;
      if (!threads::ParseLogKey(sort, &seq) || !threads::DecodeLog(payload, &row)) {
        facts->unreadable.push_back("a LOG# row cannot be read");
        return;
      }
      facts->log.push_back({seq, static_cast<int>(row.kind), row.sort.bytes(), row.at});
      return;
    }
    case storage::ThreadTag::kOriginal:  // sealed; kept_facts.h checks it
      facts->kept.emplace_back(sort, payload);
      ++facts->dated_histories;
      return;
    case storage::ThreadTag::kFile: {
      protocol::AttachmentId file;
      protocol::Document row;
      if (!threads::ParseFileKey(sort, &file) || !DecodeMap(payload, &row))
        facts->unreadable.push_back("a FILE# row cannot be read");
      facts->files[file.ToText()] = std::move(row);
      return;
    }
    case storage::ThreadTag::kDeleted: {
      int64_t no = 0;
      if (!threads::ParseDeletedKey(sort, &no)) facts->unreadable.push_back("a DEL# key cannot be read");
      facts->deleted.push_back(no);
      facts->deleted_rows = true;
      return;
    }
    case storage::ThreadTag::kDeletedBlock:
      if (!AddDeletedBlock(sort, payload, facts)) facts->unreadable.push_back("a DELS# row cannot be read");
      return;
    case storage::ThreadTag::kIdempotency:
      ++facts->answers;
      facts->kept.emplace_back(sort, payload);
      return;
    case storage::ThreadTag::kHistory: {
      // Rows of earlier versions have no time, and neither do acts of staff on a thread.
      protocol::Document row;
      facts->dated_histories += DecodeMap(payload, &row) && !TextIn(row, "at").empty();
      facts->kept.emplace_back(sort, payload);
      return;
    }
    case storage::ThreadTag::kExternalEvent:
      facts->dated_events += !payload.empty();
      return;
    case storage::ThreadTag::kAccess: {
      protocol::Ulid look;
      protocol::Document row;
      if (!threads::ParseAccessKey(sort, &look) || !DecodeMap(payload, &row))
        facts->unreadable.push_back("a LOOK# row cannot be read");
      facts->looks[protocol::AuditId{look}.ToText()] = std::move(row);
      return;
    }
    case storage::ThreadTag::kReaction: {
      RawReaction row;
      if (!threads::ParseReactionKey(sort, &row.message, &row.emoji, &row.user) || !payload.empty())
        facts->unreadable.push_back("a REACT# row cannot be read");
      facts->reactions.push_back(std::move(row));
      return;
    }
    case storage::ThreadTag::kAct: {
      protocol::AuditId act;
      protocol::Document row;
      if (!threads::ParseActKey(sort, &act) || !DecodeMap(payload, &row))
        facts->unreadable.push_back("an ACT# row cannot be read");
      facts->acts[act.ToText()] = std::move(row);
      return;
    }
    case storage::ThreadTag::kEffect:
    case storage::ThreadTag::kCardAudit: {
      int64_t seq = 0;
      protocol::Document row;
      const bool effect = threads::ParseEffectKey(sort, &seq);
      if ((!effect && !threads::ParseCardAuditKey(sort, &seq)) || !DecodeMap(payload, &row)) {
        facts->unreadable.push_back("an OUT# or AUD# row cannot be read");
        return;
      }
      (effect ? facts->effects : facts->audits)[seq] = std::move(row);
      return;
    }
  }
  facts->unreadable.push_back("a row of an unknown kind");
}

void Arrange(ThreadFacts* facts) {
  for (auto& [sort, item] : facts->items) {
    if (TagOf(sort) == storage::ThreadTag::kThread) facts->head = item;
    if (TagOf(sort) == storage::ThreadTag::kParticipant) facts->participants.push_back(&item);
    if (TagOf(sort) == storage::ThreadTag::kMessage) facts->messages.push_back(&item);
    if (TagOf(sort) == storage::ThreadTag::kCard) facts->cards.push_back(&item);
  }
}

namespace {

// Uploads that belong to no thread have a partition without a thread.
bool IsUploadsOnly(const ThreadFacts& facts) {
  return facts.thread == protocol::ThreadId{} && facts.items.empty() && facts.log.empty();
}

}  // namespace

void CheckThread(const ThreadFacts& facts, const Differs& differs) {
  const Differs named = [&](const std::string& what) { differs(facts.name() + ": " + what); };
  for (const std::string& what : facts.unreadable) named(what);
  if (IsUploadsOnly(facts)) return;
  if (!facts.head) return named("has rows, but no THR row");
  CheckLog(facts, named);
  CheckAging(facts, named);
  CheckMessages(facts, named);
  CheckMembers(facts, named);
  CheckPanel(facts, named);
  CheckReactions(facts, named);
  CheckCards(facts, named);
  CheckKept(facts, named);
  CheckRedactions(facts, named);
}

const RawItem* NewestShared(const ThreadFacts& facts) {
  const auto found = std::find_if(facts.messages.rbegin(), facts.messages.rend(),
                                  [](const RawItem* message) { return message->OnlyFor().empty(); });
  return found == facts.messages.rend() ? nullptr : *found;
}

bool HoldsReport(const ThreadFacts& facts) {
  return std::any_of(facts.cards.begin(), facts.cards.end(), [](const RawItem* card) {
    return !card->OnlyFor().empty() && card->HiddenText("ofCase").empty() &&
           card->Text("state") != "RESOLVED" && card->Text("lastIntent") != "staff.redact";
  });
}

int64_t ReadBase(const ThreadFacts& facts, const RawItem& member) {
  const std::string user = member.Text("userId");
  const std::string read = member.Text("lastReadMsgId");
  // Messages from before this membership began count as read.
  int64_t base = 0;
  for (const RawItem* message : facts.messages) {
    const bool before_joining = message->born_seq < member.born_seq;
    if (before_joining || message->Text("messageId") == read) base = std::max(base, message->Number("msgNo"));
    const bool own = message->Text("authorUserId") == user && message->born_seq > member.born_seq;
    if (own) base = std::max(base, message->Number("msgNo"));
  }
  return base;
}

int64_t CountUnread(const ThreadFacts& facts, const RawItem& member) {
  const int64_t base = ReadBase(facts, member);
  int64_t unread = 0;
  for (const RawItem* message : facts.messages) {
    const bool counts = message->IsNull("deletedAt") && message->OnlyFor().empty();
    if (message->Number("msgNo") > base && counts) ++unread;
  }
  return unread;
}

}  // namespace parley::fanout
