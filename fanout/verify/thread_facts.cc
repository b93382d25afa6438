#include "fanout/verify/thread_facts.h"

#include <algorithm>
#include <set>

#include "fanout/verify/card_facts.h"
#include "fanout/verify/kept_facts.h"
#include "threads/rows.h"

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

// LOG# kinds: protocol::EventKind by number, written down once more.
constexpr int kParticipantAdded = 2;
constexpr int kMessageCreated = 5;

bool Born(int kind) {
  return kind == 0 || kind == kParticipantAdded || kind == kMessageCreated;
}

storage::ThreadTag TagOf(std::string_view sort) {
  return static_cast<storage::ThreadTag>(sort.empty() ? 0 : sort[0]);
}

using Differs = std::function<void(const std::string&)>;

void CheckLog(const ThreadFacts& facts, const Differs& differs) {
  std::map<std::string, int64_t> newest, born;
  int64_t expected = 1;
  for (const RawLog& entry : facts.log) {
    if (entry.seq != expected) differs("hole in seq: LOG#" + std::to_string(expected) + " is missing");
    expected = entry.seq + 1;
    newest[entry.sort] = entry.seq;
    if (Born(entry.kind) || !born.contains(entry.sort)) born[entry.sort] = entry.seq;
  }
  if (facts.head->Number("lastSeq") != expected - 1) {
    differs("lastSeq is " + std::to_string(facts.head->Number("lastSeq")) + ", the log ends at " +
            std::to_string(expected - 1));
  }
  for (const auto& [sort, seq] : newest) {
    const auto item = facts.items.find(sort);
    if (item == facts.items.end()) {
      differs("LOG#" + std::to_string(seq) + " names a row that is not there");
      continue;
    }
    if (item->second.seq != seq || item->second.Number("seq") != seq) {
      differs("an item's seq is " + std::to_string(item->second.seq) + ", its last change is LOG#" +
              std::to_string(seq));
    }
    if (item->second.born_seq != born[sort])
      differs("an item changed at LOG#" + std::to_string(seq) + " has a wrong birth seq");
  }
  for (const auto& [sort, item] : facts.items) {
    if (!newest.contains(sort)) differs("an item with seq " + std::to_string(item.seq) + " is in no LOG#");
  }
}

// For how long a key names the first send; written down once more. Afterwards it is as good as new.
constexpr int64_t kKeyHoldsMs = int64_t{48} * 3600 * 1000;

// A send with a key that was still held came into being a second time.
void CheckSentOnce(const ThreadFacts& facts, const Differs& differs) {
  std::map<int64_t, protocol::Time> decided;
  for (const RawLog& entry : facts.log) decided[entry.seq] = entry.at;
  std::map<std::pair<std::string, std::string>, protocol::Time> sends;
  for (const RawItem* message : facts.messages) {
    const std::string client = message->Text("clientId");
    if (client.empty()) continue;
    const protocol::Time at = decided[message->born_seq];
    const auto [earlier, first] = sends.try_emplace({message->Text("authorUserId"), client}, at);
    if (!first && at.ms - earlier->second.ms < kKeyHoldsMs)
      differs(message->Text("messageId") + ": sent twice, clientId " + client);
    earlier->second = at;
  }
}

void CheckMessages(const ThreadFacts& facts, const Differs& differs) {
  int64_t no = 0;
  std::string last_at;
  std::set<int64_t> deleted;
  for (const RawItem* message : facts.messages) {
    ++no;
    const std::string id = message->Text("messageId");
    if (message->Number("msgNo") != no)
      differs("hole in msgNo: " + id + " has " + std::to_string(message->Number("msgNo")) +
              ", its place is " + std::to_string(no));
    const auto parsed = protocol::MessageId::FromText(id);
    if (!parsed || protocol::FormatTime(parsed->ulid.time()) != message->Text("createdAt"))
      differs(id + ": createdAt is not the time in its id");
    if (message->Text("createdAt") < last_at) differs(id + ": earlier than the message before it");
    last_at = message->Text("createdAt");
    if (message->Text("threadId") != facts.thread.ToText()) differs(id + ": names another thread");
    if (!message->IsNull("deletedAt")) {
      deleted.insert(no);
      if (!message->Text("body").empty()) differs(id + ": deleted, but its body is there");
    }
  }
  CheckSentOnce(facts, differs);
  if (facts.head->Number("lastMsgNo") != no)
    differs("lastMsgNo is " + std::to_string(facts.head->Number("lastMsgNo")) + ", there are " +
            std::to_string(no) + " messages");
  if (facts.head->Text("lastMessageAt") != last_at) differs("lastMessageAt is not the newest message's");
  if (deleted != std::set<int64_t>(facts.deleted.begin(), facts.deleted.end()))
    differs("DEL# rows do not match the deleted messages");
}

void CheckMembers(const ThreadFacts& facts, const Differs& differs) {
  std::vector<std::string> present;
  for (const RawItem* member : facts.participants) {
    if (member->IsNull("removedAt")) present.push_back(member->Text("userId"));
  }
  if (facts.head->Number("participantCount") != static_cast<int64_t>(present.size())) {
    differs("participantCount is " + std::to_string(facts.head->Number("participantCount")) + ", there are " +
            std::to_string(present.size()) + " members");
  }
  if (present.size() > protocol::kListedParticipants) present.resize(protocol::kListedParticipants);
  std::vector<std::string> listed;
  if (const protocol::Value* value = facts.head->wire.root.Find("participants"); value && value->as_array()) {
    for (const protocol::Value& user : *value->as_array())
      listed.emplace_back(user.as_text() ? *user.as_text() : "");
  }
  if (listed != present) differs("participants[] does not list the first members");
}

// What the head says of the panel and of pins, against the tabs and the messages themselves.
void CheckPanel(const ThreadFacts& facts, const Differs& differs) {
  int64_t versions = 0, shots = -1, done = -1;
  for (const auto& [sort, item] : facts.items) {
    if (TagOf(sort) != storage::ThreadTag::kTab) continue;
    versions += item.Number("version");
    if (item.Text("tab") != "shotlist") continue;
    const protocol::Value* content = item.wire.root.Find("content");
    const protocol::Value* list = content ? content->Find("shots") : nullptr;
    shots = done = 0;
    if (!list || !list->as_array()) continue;
    for (const protocol::Value& shot : *list->as_array()) {
      const protocol::Value* status = shot.Find("status");
      ++shots;
      done += status && status->as_text() && *status->as_text() == "done";
    }
  }
  if (std::max<int64_t>(facts.head->Number("panelVersion"), 0) != versions)
    differs("panelVersion is " + std::to_string(facts.head->Number("panelVersion")) +
            ", the tabs were changed " + std::to_string(versions) + " times");
  const protocol::Value* progress = facts.head->wire.root.Find("shotlist");
  const auto told = [&](std::string_view field) -> int64_t {
    const protocol::Value* value = progress ? progress->Find(field) : nullptr;
    return value && value->as_int() ? *value->as_int() : -1;
  };
  if (told("total") != shots || told("done") != done)
    differs("the shot list's progress differs from the tab");

  std::multiset<std::string> pinned, listed;
  for (const RawItem* message : facts.messages) {
    if (!message->IsNull("pin")) pinned.insert(message->Text("messageId"));
  }
  const protocol::Value* pins = facts.head->wire.root.Find("pins");
  if (pins && pins->as_array()) {
    for (const protocol::Value& pin : *pins->as_array()) listed.emplace(pin.as_text() ? *pin.as_text() : "");
  }
  if (pinned != listed) differs("pins does not list the pinned messages");
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
        facts->unreadable.push_back("an item row can not be read");
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
        facts->unreadable.push_back("a LOG# row can not be read");
        return;
      }
      facts->log.push_back({seq, static_cast<int>(row.kind), row.sort.bytes(), row.at});
      return;
    }
    case storage::ThreadTag::kDeleted: {
      int64_t no = 0;
      if (!threads::ParseDeletedKey(sort, &no)) facts->unreadable.push_back("a DEL# key can not be read");
      facts->deleted.push_back(no);
      return;
    }
    case storage::ThreadTag::kIdempotency:
    case storage::ThreadTag::kHistory:
      facts->kept.emplace_back(sort, payload);
      return;
    case storage::ThreadTag::kExternalEvent:
      return;
    case storage::ThreadTag::kLook: {
      protocol::Ulid look;
      protocol::Document row;
      if (!threads::ParseLookKey(sort, &look) || !DecodeMap(payload, &row))
        facts->unreadable.push_back("a LOOK# row can not be read");
      return;
    }
    case storage::ThreadTag::kEffect:
    case storage::ThreadTag::kCardAudit: {
      int64_t seq = 0;
      protocol::Document row;
      const bool effect = threads::ParseEffectKey(sort, &seq);
      if ((!effect && !threads::ParseCardAuditKey(sort, &seq)) || !DecodeMap(payload, &row)) {
        facts->unreadable.push_back("an OUT# or AUD# row can not be read");
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

void CheckThread(const ThreadFacts& facts, const Differs& differs) {
  const Differs named = [&](const std::string& what) { differs(facts.name() + ": " + what); };
  for (const std::string& what : facts.unreadable) named(what);
  if (!facts.head) return named("rows without a THR row");
  CheckLog(facts, named);
  CheckMessages(facts, named);
  CheckMembers(facts, named);
  CheckPanel(facts, named);
  CheckCards(facts, named);
  CheckKept(facts, named);
}

int64_t CountUnread(const ThreadFacts& facts, const RawItem& member) {
  const std::string user = member.Text("userId");
  const std::string read = member.Text("lastReadMsgId");
  // Joining: the messages that were there when this membership began.
  int64_t base = 0;
  for (const RawItem* message : facts.messages) {
    const bool before_joining = message->born_seq < member.born_seq;
    if (before_joining || message->Text("messageId") == read) base = std::max(base, message->Number("msgNo"));
    const bool own = message->Text("authorUserId") == user && message->born_seq > member.born_seq;
    if (own) base = std::max(base, message->Number("msgNo"));
  }
  int64_t unread = 0;
  for (const RawItem* message : facts.messages) {
    if (message->Number("msgNo") > base && message->IsNull("deletedAt")) ++unread;
  }
  return unread;
}

}  // namespace parley::fanout
