#include "fanout/verify/kept_facts.h"

#include <algorithm>

#include "fanout/verify/value_fields.h"
#include "protocol/base/varint.h"
#include "storage/sealing/sealer.h"
#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using protocol::Value;

// How long an answer is kept, and the size of its request's digest; duplicated on purpose.
constexpr int64_t kAnswerKeptMs = int64_t{48} * 3600 * 1000;
constexpr size_t kDigestBytes = 16;
// The owner of the keys of a service that does not act as a user.
constexpr const char* kService = " service";

// ORIG#, as in threads/judge/judge_rows.h; duplicated on purpose.
constexpr auto kOriginalTag = static_cast<char>(storage::ThreadTag::kOriginal);

using Messages = std::map<std::string, const RawItem*>;

const RawItem* FindMessage(const Messages& messages, const std::string& id) {
  const auto found = messages.find(id);
  return found == messages.end() ? nullptr : found->second;
}

// Returns the latest recorded time of a change. LOG# alone does not suffice: its row is removed when the item
// changes again, and the clock may have been set back before that.
int64_t NewestMs(const ThreadFacts& facts) {
  int64_t newest = 0;
  const auto take = [&](const std::string& text) {
    if (const auto at = protocol::ParseTime(text)) newest = std::max(newest, at->ms);
  };
  for (const RawLog& entry : facts.log) newest = std::max(newest, entry.at.ms);
  for (const RawItem* message : facts.messages) take(message->Text("createdAt"));
  for (const auto& [seq, audit] : facts.audits) take(TextField(&audit.root, "at"));
  return newest;
}

// The answer names a message that the answered request created, under its author's key.
void CheckAnswer(const Messages& messages, const Value& reply, const std::string& owner,
                 const std::string& client, const Differs& differ) {
  const std::string id = TextField(&reply, "messageId");
  if (id.empty()) return;  // answers about a card are checked by the card's rows
  const RawItem* message = FindMessage(messages, id);
  if (!message) return differ("answers with " + id + ", which does not exist");
  const Value* no = reply.Find("msgNo");
  if (no && no->as_int() && *no->as_int() != message->Number("msgNo"))
    differ("answers with another msgNo than " + id + " has");
  const std::string author = message->IsNull("authorUserId") ? kService : message->Text("authorUserId");
  if (!message->IsNull("clientId") && (message->Text("clientId") != client || author != owner))
    differ("answers with " + id + ", which was sent under another key");
}

void CheckIdempotency(const Messages& messages, int64_t newest_ms, std::string_view sort,
                      std::string_view payload, const Differs& differs) {
  storage::KeyReader key(sort);
  std::string owner, client;
  if (!key.Tag(storage::ThreadTag::kIdempotency) || !key.Text(&owner) || !key.Text(&client) || !key.AtEnd())
    return differs("an IDEM# key cannot be read");
  const Differs differ = [&](const std::string& what) {
    differs("IDEM#" + owner + "#" + client + ": " + what);
  };
  uint64_t expires = 0, digest = 0;
  protocol::Document reply;
  if (!protocol::TakeVarint(&payload, &expires) || !protocol::TakeVarint(&payload, &digest) ||
      digest > payload.size() || !threads::DecodeStored(payload.substr(digest), &reply))
    return differ("cannot be read");
  if (digest != kDigestBytes) differ("its digest has " + std::to_string(digest) + " bytes");
  // The answer to a start without a message, in a thread that existed already, belongs to no change with a
  // seq.
  const protocol::Map* says = reply.root.as_map();
  const bool of_start = owner.starts_with(" first ") && says && says->empty();
  if (!of_start && static_cast<int64_t>(expires) > newest_ms + kAnswerKeptMs)
    differ("is kept until " + protocol::FormatTime({static_cast<int64_t>(expires)}) +
           ", too long after the newest change");
  CheckAnswer(messages, reply.root, owner, client, differ);
}

void CheckHistory(const ThreadFacts& facts, const Messages& messages, std::string_view sort,
                  std::string_view payload, const Differs& differs) {
  storage::KeyReader key(sort);
  protocol::MessageId id;
  uint64_t number = 0;
  if (!key.Tag(storage::ThreadTag::kHistory) || !key.Id(&id.ulid) || !key.Number(&number) || !key.AtEnd())
    return differs("a HIST# key cannot be read");
  const std::string name = "HIST#" + id.ToText() + "#" + std::to_string(number);
  const auto seq = static_cast<int64_t>(number);
  protocol::Document body;
  if (!threads::DecodeStored(payload, &body)) differs(name + ": cannot be read");
  if (id == protocol::MessageId{}) {  // the reason for which staff closed or opened the thread
    if (seq > facts.head->Number("lastSeq")) differs(name + ": belongs to a change after lastSeq");
    return;
  }
  const RawItem* message = FindMessage(messages, id.ToText());
  if (!message) return differs(name + ": belongs to a message that does not exist");
  if (seq < message->born_seq || seq > message->seq) differs(name + ": belongs to no change of its message");
}

// The sealed text that the text policy removed from a body belongs to a change of an existing message.
void CheckOriginal(const Messages& messages, std::string_view sort, std::string_view payload,
                   const Differs& differs) {
  storage::KeyReader key(sort);
  protocol::MessageId id;
  uint64_t number = 0;
  if (!key.Tag(storage::ThreadTag::kOriginal) || !key.Id(&id.ulid) || !key.Number(&number) || !key.AtEnd())
    return differs("an ORIG# key cannot be read");
  const std::string name = "ORIG#" + id.ToText() + "#" + std::to_string(number);
  const auto seq = static_cast<int64_t>(number);
  if (!storage::SealedWith(payload)) differs(name + ": is not sealed");
  const RawItem* message = FindMessage(messages, id.ToText());
  if (!message) return differs(name + ": belongs to a message that does not exist");
  if (seq < message->born_seq || seq > message->seq) differs(name + ": belongs to no change of its message");
  const protocol::Value* flags = message->wire.root.Find("flags");
  const protocol::Value* state = flags ? flags->Find("moderation") : nullptr;
  if (state && state->as_text() && *state->as_text() == "redacted")
    differs(name + ": belongs to a redacted message");
}

}  // namespace

void CheckKept(const ThreadFacts& facts, const Differs& differs) {
  if (facts.kept.empty()) return;
  Messages messages;
  for (const RawItem* message : facts.messages) messages[message->Text("messageId")] = message;
  const int64_t newest_ms = NewestMs(facts);
  for (const auto& [sort, payload] : facts.kept) {
    if (sort[0] == static_cast<char>(storage::ThreadTag::kIdempotency)) {
      CheckIdempotency(messages, newest_ms, sort, payload, differs);
    } else if (sort[0] == kOriginalTag) {
      CheckOriginal(messages, sort, payload, differs);
    } else {
      CheckHistory(facts, messages, sort, payload, differs);
    }
  }
}

}  // namespace parley::fanout
