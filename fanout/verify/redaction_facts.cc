#include "fanout/verify/redaction_facts.h"

#include <map>
#include <set>

#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using protocol::Value;

// The stubs; duplicated on purpose.
constexpr std::string_view kRedacted = "[redacted]", kWithheld = "[withheld]";

std::string ModerationOf(const Value& message) {
  const Value* flags = message.Find("flags");
  const Value* state = flags ? flags->Find("moderation") : nullptr;
  return state && state->as_text() ? std::string(*state->as_text()) : "";
}

bool HasFiles(const Value& message) {
  const Value* files = message.Find("attachments");
  const protocol::Array* list = files ? files->as_array() : nullptr;
  return list && !list->empty();
}

std::string_view BodyOf(const Value& message) {
  const Value* body = message.Find("body");
  return body && body->as_text() ? *body->as_text() : std::string_view();
}

bool IsEmptyMap(const Value* value) {
  return value && value->as_map() && value->as_map()->empty();
}

// Returns true if the message shows no card, or one without payload.
bool ShowsNoPayload(const Value& message) {
  const Value* action = message.Find("action");
  return !action || !action->as_map() || IsEmptyMap(action->Find("payload"));
}

bool SaysNothing(const Value& message, std::string_view stub) {
  return !HasFiles(message) && (BodyOf(message) == stub || BodyOf(message).empty());
}

bool IsNone(const Value& map, std::string_view field) {
  const Value* value = map.Find(field);
  return !value || value->is_null();
}

// A card has no content exactly if its message was redacted or deleted.
void CheckCard(const RawItem& card, bool without, const Differs& differs) {
  const std::string id = card.Text("messageId");
  const bool redacted = card.Text("lastIntent") == "staff.redact";
  if (redacted != without) differs(id + ": its card is " + (without ? "not " : "") + "redacted");
  if (!redacted) return;
  if (!IsEmptyMap(card.wire.root.Find("payload")) || !card.IsNull("note"))
    differs(id + ": its card is redacted, but still has content");
  if (!card.IsNull("expiresAt") || !IsNone(card.wire.root, "dueAt"))
    differs(id + ": its card is redacted, but still has a time limit");
}

// The records of a redacted card have no notes or data from before the redaction.
void CheckRecords(const ThreadFacts& facts, const std::set<std::string>& redacted, const Differs& differs) {
  std::map<std::string, int64_t> at;
  for (const auto& [seq, audit] : facts.audits) {
    const Value *id = audit.root.Find("messageId"), *what = audit.root.Find("what");
    if (id && id->as_text() && what && what->as_text() && *what->as_text() == "redacted")
      at.emplace(*id->as_text(), seq);
  }
  for (const auto& [seq, audit] : facts.audits) {
    const Value* id = audit.root.Find("messageId");
    if (!id || !id->as_text() || !redacted.contains(std::string(*id->as_text()))) continue;
    const auto since = at.find(std::string(*id->as_text()));
    if (since != at.end() && seq > since->second) continue;  // an outside effect that was resolved later
    if (!IsNone(audit.root, "note") || !IsNone(audit.root, "data"))
      differs("AUD#" + std::to_string(seq) + " still has the note or data of a redacted card");
  }
}

bool IsHistory(const std::string& sort) {
  return sort[0] == static_cast<char>(storage::ThreadTag::kHistory);
}

}  // namespace

void CheckRedactions(const ThreadFacts& facts, const Differs& differs) {
  std::set<std::string> redacted, emptied, known;
  for (const RawItem* message : facts.messages) {
    const std::string id = message->Text("messageId"), state = ModerationOf(message->wire.root);
    const Value* withheld = message->hidden.root.Find("withheld");
    const bool holds = withheld && !withheld->is_null();
    known.insert(id);
    if (state == "flagged") differs(id + ": shows all members that it is flagged");
    const bool deleted = message->wire.root.Find("deletedAt") && !message->IsNull("deletedAt");
    if (holds != (state == "blocked" && !deleted))
      differs(id + ": is blocked without withheld content, or has some without being blocked");
    if (state == "blocked" && !SaysNothing(message->wire.root, kWithheld))
      differs(id + ": is blocked, but still has content");
    if ((deleted || state == "redacted") && !ShowsNoPayload(message->wire.root))
      differs(id + ": still shows the payload of its card");
    if (deleted && HasFiles(message->wire.root)) differs(id + ": is deleted, but still has files");
    if (deleted || state == "redacted") emptied.insert(id);
    if (state != "redacted") continue;
    redacted.insert(id);
    if (!SaysNothing(message->wire.root, kRedacted)) differs(id + ": is redacted, but still has content");
    if (!message->IsNull("pin") && message->wire.root.Find("pin")) differs(id + ": is redacted, but pinned");
  }
  for (const RawItem* card : facts.cards) {
    const std::string id = card->Text("messageId");
    if (known.contains(id)) CheckCard(*card, emptied.contains(id), differs);
  }
  if (redacted.empty()) return;
  CheckRecords(facts, redacted, differs);
  for (const auto& [sort, payload] : facts.kept) {
    protocol::MessageId id;
    protocol::Document was;
    if (!IsHistory(sort) || !threads::ParseHistoryKey(sort, &id) || !redacted.contains(id.ToText())) continue;
    const Value* before = threads::DecodeStored(payload, &was) ? was.root.Find("before") : nullptr;
    if (before && !(SaysNothing(*before, kRedacted) && ShowsNoPayload(*before)))
      differs(id.ToText() + ": is redacted, but HIST# still has its content");
  }
}

}  // namespace parley::fanout
