#include "fanout/verify/redaction_facts.h"

#include <set>

#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using protocol::Value;

// The stubs, written down a second time on purpose.
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

bool SaysNothing(const Value& message, std::string_view stub) {
  return !HasFiles(message) && (BodyOf(message) == stub || BodyOf(message).empty());
}

bool IsHistory(const std::string& sort) {
  return sort[0] == static_cast<char>(storage::ThreadTag::kHistory);
}

}  // namespace

void CheckRedactions(const ThreadFacts& facts, const Differs& differs) {
  std::set<std::string> redacted;
  for (const RawItem* message : facts.messages) {
    const std::string id = message->Text("messageId"), state = ModerationOf(message->wire.root);
    const Value* withheld = message->hidden.root.Find("withheld");
    const bool holds = withheld && !withheld->is_null();
    if (state == "flagged") differs(id + ": everybody sees that it is flagged");
    const bool deleted = message->wire.root.Find("deletedAt") && !message->IsNull("deletedAt");
    if (holds != (state == "blocked" && !deleted))
      differs(id + ": what is withheld and what is blocked differ");
    if (state == "blocked" && !SaysNothing(message->wire.root, kWithheld))
      differs(id + ": is blocked and still says something");
    if (state != "redacted") continue;
    redacted.insert(id);
    if (!SaysNothing(message->wire.root, kRedacted)) differs(id + ": is redacted and still says something");
    if (!message->IsNull("pin") && message->wire.root.Find("pin")) differs(id + ": is redacted and pinned");
  }
  if (redacted.empty()) return;
  for (const auto& [sort, payload] : facts.kept) {
    protocol::MessageId id;
    protocol::Document was;
    if (!IsHistory(sort) || !threads::ParseHistoryKey(sort, &id) || !redacted.contains(id.ToText())) continue;
    const Value* before = threads::DecodeStored(payload, &was) ? was.root.Find("before") : nullptr;
    if (before && !SaysNothing(*before, kRedacted))
      differs(id.ToText() + ": is redacted, and HIST# still says what it was");
  }
}

}  // namespace parley::fanout
